internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension SignedTerms {
  /// The bit for rare terms, such as a commitment, in the byte that contains the payment mode; also
  /// set for a decoded payload.
  ///
  /// If the bit is set, a byte with one flag per rare term follows.
  private static let hasRareTerms: UInt8 = 4
  /// The bit for a stated tax, in the byte that contains the billing plan.
  private static let hasTax: UInt8 = 4
  /// The bit for a purchase of the customer's, in the same byte.
  private static let isBought: UInt8 = 8

  /// Codes the signed terms of a row, after the row itself.
  mutating func coded(
    by coder: inout some BodyCoder, purchasedAt: Instant, cancelledAt: Instant?
  ) {
    let rare = Flags(
      commitmentEndsAt != nil, itemRefunds != nil, bundle != nil, isDecoded,
      beside: (billingPlan?.rawValue ?? 0) | (taxShare == nil ? 0 : Self.hasTax)
        | (isBoughtAgain ? Self.isBought : 0))
    // Two bits: 0 for no payment mode, else the payment mode plus 1.
    let mode = paymentMode.map { $0.rawValue + 1 } ?? 0
    let flags = coder.flags(
      Flags(
        price != nil, storefront != nil, refund != nil, isOffer,
        beside: rare.bits == 0 ? mode : mode | Self.hasRareTerms))
    let number = flags.number & 3
    paymentMode = coder.value(PaymentMode(rawValue: number &- 1), ofCode: UInt64(number))
    var kind = ProductKindCode.code(of: productKind)
    coder.code(&kind)
    productKind = coder.value(ProductKindCode.kind(of: kind), ofCode: UInt64(kind))
    isOffer = flags[3]
    coder.code(&price, if: flags[0])
    coder.code(&storefront, if: flags[1])
    if flags[2] {
      var known = refund ?? SignedRefund(at: .epoch, share: 0)
      coder.code(&known.at, after: cancelledAt ?? .epoch)
      coder.code(&known.share, below: 100_001)
      refund = known
    }
    guard flags.number & Self.hasRareTerms != 0 else { return }
    let terms = coder.flags(rare)
    let plan = terms.number & ~(Self.hasTax | Self.isBought)
    billingPlan = coder.value(BillingPlan(rawValue: plan), ofCode: UInt64(plan))
    isDecoded = terms[3]
    isBoughtAgain = terms.number & Self.isBought != 0
    coder.code(&commitmentEndsAt, after: purchasedAt, if: terms[0])
    coder.code(&itemRefunds, if: terms[1])
    coder.code(&bundle, if: terms[2])
    if terms.number & Self.hasTax != 0 {
      var share = taxShare?.rawValue ?? 0
      coder.code(&share, below: 10_000)
      taxShare = BasisPoints(share)
    }
  }
}

/// The codes of product kinds in bodies; the code of a kind never changes, and 0 is no kind.
private enum ProductKindCode {
  private static let kinds: [ProductKind] = [
    .autoRenewableSubscription, .nonRenewingSubscription, .nonConsumable, .consumable, .unknown,
  ]

  static func code(of kind: ProductKind?) -> UInt8 {
    kind.flatMap { kinds.firstIndex(of: $0) }.map { UInt8($0) + 1 } ?? 0
  }

  static func kind(of code: UInt8) -> ProductKind? {
    code > 0 && Int(code) <= kinds.count ? kinds[Int(code) - 1] : nil
  }
}
