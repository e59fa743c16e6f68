internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The flags of a renewal state: the optional fields that it has, and its Boolean values.
private struct RenewalFlags {
  static let autoRenew: UInt64 = 0
  static let billingRetry: UInt64 = 2
  static let hasProduct: UInt64 = 1 << 4
  static let hasNextProduct: UInt64 = 1 << 5
  static let hasIntent: UInt64 = 1 << 6
  static let hasGrace: UInt64 = 1 << 7
  static let hasConsent: UInt64 = 1 << 8
  static let hasIncrease: UInt64 = 1 << 9
  static let isOfService: UInt64 = 1 << 10
  /// The first bit of the next commitment: two bits tell whether the customer commits to it.
  static let commitment: UInt64 = 11
  static let hasCommitmentTime: UInt64 = 1 << 13
  static let hasCommitmentPrice: UInt64 = 1 << 14
  /// The first bit of the billing plan, which has the last bits.
  static let billingPlan: UInt64 = 15
}

extension BodyWriter {
  /// Writes the fields of a renewal state, except the record that contains the state.
  mutating func renewal(_ renewal: RenewalObservation, after base: inout Int64) {
    var flags =
      OptionalFlag.pair(renewal.autoRenewStatus, at: RenewalFlags.autoRenew)
      | OptionalFlag.pair(renewal.isInBillingRetry, at: RenewalFlags.billingRetry)
    if renewal.productID != nil { flags |= RenewalFlags.hasProduct }
    if renewal.autoRenewProductID != nil { flags |= RenewalFlags.hasNextProduct }
    if renewal.expirationIntent != nil { flags |= RenewalFlags.hasIntent }
    if renewal.gracePeriodExpiresAt != nil { flags |= RenewalFlags.hasGrace }
    if renewal.priceConsentStatus != nil { flags |= RenewalFlags.hasConsent }
    if renewal.priceIncreaseStatus != nil { flags |= RenewalFlags.hasIncrease }
    if renewal.isOfService { flags |= RenewalFlags.isOfService }
    if let commitment = renewal.commitment {
      flags |= OptionalFlag.pair(commitment.autoRenewStatus, at: RenewalFlags.commitment)
      if commitment.renewsAt != nil { flags |= RenewalFlags.hasCommitmentTime }
      if commitment.price != nil { flags |= RenewalFlags.hasCommitmentPrice }
      flags |= UInt64(commitment.billingPlan?.rawValue ?? 0) << RenewalFlags.billingPlan
    }
    number(flags)
    id(renewal.originalTransactionID.number, after: &base)
    if let product = renewal.productID { symbol(product.symbol) }
    if let product = renewal.autoRenewProductID { symbol(product.symbol) }
    if let intent = renewal.expirationIntent { symbol(intent) }
    if let time = renewal.gracePeriodExpiresAt { self.time(time, after: .epoch) }
    if let consent = renewal.priceConsentStatus { symbol(consent) }
    if let increase = renewal.priceIncreaseStatus { symbol(increase) }
    if let time = renewal.commitment?.renewsAt { self.time(time, after: .epoch) }
    if let price = renewal.commitment?.price {
      number(UInt64(price.currency.rawValue))
      signed(price.amount.rawValue)
    }
  }
}

extension BodyReader {
  /// Reads the fields of a renewal state; the caller sets the record that contains the state.
  mutating func renewal(after base: inout Int64, in symbols: StoredSymbols) -> RenewalObservation {
    let flags = number()
    var renewal = RenewalObservation(
      record: 0, originalTransactionID: OriginalTransactionID(id(after: &base, in: symbols)))
    renewal.autoRenewStatus = OptionalFlag.flag(flags, at: RenewalFlags.autoRenew)
    renewal.isInBillingRetry = OptionalFlag.flag(flags, at: RenewalFlags.billingRetry)
    if flags & RenewalFlags.hasProduct != 0 {
      renewal.productID = ProductID(symbol(in: symbols))
    }
    if flags & RenewalFlags.hasNextProduct != 0 {
      renewal.autoRenewProductID = ProductID(symbol(in: symbols))
    }
    if flags & RenewalFlags.hasIntent != 0 { renewal.expirationIntent = symbol(in: symbols) }
    if flags & RenewalFlags.hasGrace != 0 {
      renewal.gracePeriodExpiresAt = time(after: .epoch)
    }
    if flags & RenewalFlags.hasConsent != 0 { renewal.priceConsentStatus = symbol(in: symbols) }
    if flags & RenewalFlags.hasIncrease != 0 { renewal.priceIncreaseStatus = symbol(in: symbols) }
    renewal.isOfService = flags & RenewalFlags.isOfService != 0
    if flags >> RenewalFlags.commitment != 0 { renewal.commitment = commitment(flags) }
    return renewal
  }

  private mutating func commitment(_ flags: UInt64) -> NextCommitment {
    var commitment = NextCommitment()
    commitment.autoRenewStatus = OptionalFlag.flag(flags, at: RenewalFlags.commitment)
    if flags & RenewalFlags.hasCommitmentTime != 0 { commitment.renewsAt = time(after: .epoch) }
    if flags & RenewalFlags.hasCommitmentPrice != 0 {
      let currency = Currency(rawValue: code())
      commitment.price = SignedPrice(amount: price(), currency: currency)
    }
    let plan = flags >> RenewalFlags.billingPlan
    commitment.billingPlan = UInt8(exactly: plan).flatMap(BillingPlan.init(rawValue:))
    if plan != 0, commitment.billingPlan == nil { giveUp() }
    return commitment
  }
}
