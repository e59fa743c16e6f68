internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension BodyWriter {
  /// The bit for rare terms, such as a commitment, in the byte that contains the payment mode; also
  /// set for a decoded payload.
  ///
  /// If the bit is set, a byte with one flag per rare term follows.
  fileprivate static let hasRareTerms: UInt8 = 4
  /// The bit for a stated tax, in the byte that contains the billing plan.
  fileprivate static let hasTax: UInt8 = 4

  mutating func signed(_ terms: SignedTerms, of row: TransactionObservation) {
    let rare = Flags(
      terms.commitmentEndsAt != nil, terms.itemRefunds != nil, terms.bundle != nil,
      terms.isDecoded,
      beside: (terms.billingPlan?.rawValue ?? 0) | (terms.taxShare == nil ? 0 : Self.hasTax))
    // Two bits: 0 for no payment mode, else the payment mode plus 1.
    let mode = terms.paymentMode.map { $0.rawValue + 1 } ?? 0
    flags(
      Flags(
        terms.price != nil, terms.storefront != nil, terms.refund != nil, terms.isOffer,
        beside: rare.byte == 0 ? mode : mode | Self.hasRareTerms))
    byte(ProductKindCode.code(of: terms.productKind))
    if let price = terms.price {
      number(UInt64(price.currency.rawValue))
      signed(price.amount.rawValue)
    }
    if let storefront = terms.storefront { number(UInt64(storefront.rawValue)) }
    if let refund = terms.refund {
      time(refund.at, after: row.cancelledAt ?? .epoch)
      number(Int(refund.share))
    }
    guard rare.byte != 0 else { return }
    flags(rare)
    if let time = terms.commitmentEndsAt { self.time(time, after: row.purchasedAt) }
    if let refunds = terms.itemRefunds { symbol(refunds) }
    if let bundle = terms.bundle { symbol(bundle) }
    if let tax = terms.taxShare { number(Int(tax.rawValue)) }
  }
}

extension BodyReader {
  /// Reads the signed terms of a row, after the row itself.
  mutating func signedTerms(of row: TransactionObservation, in symbols: StoredSymbols)
    -> SignedTerms
  {
    var flags = flags()
    let (hasPrice, hasStorefront) = (flags.next(), flags.next())
    let (hasRefund, isOffer) = (flags.next(), flags.next())
    var terms = SignedTerms()
    let mode = flags.number & 3
    if mode > 0 {
      terms.paymentMode = PaymentMode(rawValue: mode - 1)
      if terms.paymentMode == nil { giveUp() }
    }
    let code = byte()
    terms.productKind = ProductKindCode.kind(of: code)
    if code > 0, terms.productKind == nil { giveUp() }
    if hasPrice {
      let currency = Currency(rawValue: self.code())
      terms.price = SignedPrice(amount: price(), currency: currency)
    }
    if hasStorefront { terms.storefront = Storefront(rawValue: self.code()) }
    if hasRefund {
      let at = time(after: row.cancelledAt ?? .epoch)
      terms.refund = SignedRefund(at: at, share: Int32(number(below: 100_001)))
    }
    terms.isOffer = isOffer
    guard flags.number & BodyWriter.hasRareTerms != 0 else { return terms }
    var rare = self.flags()
    let plan = rare.number & ~BodyWriter.hasTax
    terms.billingPlan = BillingPlan(rawValue: plan)
    if plan != 0, terms.billingPlan == nil { giveUp() }
    if rare.next() { terms.commitmentEndsAt = time(after: row.purchasedAt) }
    if rare.next() { terms.itemRefunds = symbol(in: symbols) }
    if rare.next() { terms.bundle = symbol(in: symbols) }
    terms.isDecoded = rare.next()
    if rare.number & BodyWriter.hasTax != 0 {
      terms.taxShare = BasisPoints(Int32(number(below: 10_000)))
    }
    return terms
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
