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
  static let endsWithCommitment: UInt64 = 1 << 11
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
    if renewal.endsWithCommitment { flags |= RenewalFlags.endsWithCommitment }
    number(flags)
    id(renewal.originalTransactionID.number, after: &base)
    if let product = renewal.productID { symbol(product.symbol) }
    if let product = renewal.autoRenewProductID { symbol(product.symbol) }
    if let intent = renewal.expirationIntent { symbol(intent) }
    if let time = renewal.gracePeriodExpiresAt { self.time(time, after: .epoch) }
    if let consent = renewal.priceConsentStatus { symbol(consent) }
    if let increase = renewal.priceIncreaseStatus { symbol(increase) }
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
    renewal.endsWithCommitment = flags & RenewalFlags.endsWithCommitment != 0
    return renewal
  }
}
