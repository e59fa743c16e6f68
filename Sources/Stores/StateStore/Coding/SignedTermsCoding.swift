internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The flags of signed terms: the terms that a row has.
private struct SignedFlags {
  static let hasPrice: UInt8 = 1
  static let hasStorefront: UInt8 = 2
  static let hasRefund: UInt8 = 4
  static let isOffer: UInt8 = 8
  /// The shift of two bits: the payment mode plus 1, or 0.
  static let mode: UInt8 = 4
  /// Rare terms follow with their own flags.
  static let hasMore: UInt8 = 64
}

/// The flags of rare terms; the two lowest bits are the billing plan.
private struct RareFlags {
  static let plan: UInt8 = 3
  static let hasCommitment: UInt8 = 4
  static let hasItemRefunds: UInt8 = 8
  static let hasBundle: UInt8 = 16
}

extension SignedTerms {
  /// The flags of the rare terms; 0 without rare terms.
  fileprivate var rareFlags: UInt8 {
    (billingPlan?.rawValue ?? 0)
      | (commitmentEndsAt == nil ? 0 : RareFlags.hasCommitment)
      | (itemRefunds == nil ? 0 : RareFlags.hasItemRefunds)
      | (bundle == nil ? 0 : RareFlags.hasBundle)
  }
}

extension BodyWriter {
  /// Writes the signed terms of a row.
  mutating func signed(_ terms: SignedTerms, of row: TransactionObservation) {
    var flags: UInt8 = (terms.paymentMode.map { $0.rawValue + 1 } ?? 0) << SignedFlags.mode
    if terms.price != nil { flags |= SignedFlags.hasPrice }
    if terms.storefront != nil { flags |= SignedFlags.hasStorefront }
    if terms.refund != nil { flags |= SignedFlags.hasRefund }
    if terms.isOffer { flags |= SignedFlags.isOffer }
    let rare = terms.rareFlags
    if rare != 0 { flags |= SignedFlags.hasMore }
    byte(flags)
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
    guard rare != 0 else { return }
    byte(rare)
    if let time = terms.commitmentEndsAt { self.time(time, after: row.purchasedAt) }
    if let refunds = terms.itemRefunds { symbol(refunds) }
    if let bundle = terms.bundle { symbol(bundle) }
  }
}

extension BodyReader {
  /// Reads the signed terms of a row that has been read.
  mutating func signedTerms(of row: TransactionObservation, in symbols: StoredSymbols)
    -> SignedTerms
  {
    let flags = byte()
    var terms = SignedTerms()
    let mode = flags >> SignedFlags.mode & 3
    if mode > 0 {
      terms.paymentMode = PaymentMode(rawValue: mode - 1)
      if terms.paymentMode == nil { giveUp() }
    }
    let code = byte()
    terms.productKind = ProductKindCode.kind(of: code)
    if code > 0, terms.productKind == nil { giveUp() }
    if flags & SignedFlags.hasPrice != 0 {
      let currency = Currency(rawValue: self.code())
      terms.price = SignedPrice(amount: price(), currency: currency)
    }
    if flags & SignedFlags.hasStorefront != 0 {
      terms.storefront = Storefront(rawValue: self.code())
    }
    if flags & SignedFlags.hasRefund != 0 {
      let at = time(after: row.cancelledAt ?? .epoch)
      terms.refund = SignedRefund(at: at, share: Int32(number(below: 100_001)))
    }
    terms.isOffer = flags & SignedFlags.isOffer != 0
    guard flags & SignedFlags.hasMore != 0 else { return terms }
    let rare = byte()
    terms.billingPlan = BillingPlan(rawValue: rare & RareFlags.plan)
    if rare & RareFlags.plan != 0, terms.billingPlan == nil { giveUp() }
    if rare & RareFlags.hasCommitment != 0 { terms.commitmentEndsAt = time(after: row.purchasedAt) }
    if rare & RareFlags.hasItemRefunds != 0 { terms.itemRefunds = symbol(in: symbols) }
    if rare & RareFlags.hasBundle != 0 { terms.bundle = symbol(in: symbols) }
    return terms
  }
}

/// The codes of product kinds in bodies; a code never changes, and 0 means none.
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
