internal import CivilTime

/// A charge or a refund, as Apple's books know it.
struct LedgerEvent: Sendable {
  /// The Pacific day of Apple's books.
  var day: CivilDay
  /// The Pacific day of the purchase; that of the event itself where nothing went back.
  var purchaseDay: CivilDay
  var product: SampleProduct
  var market: SampleMarket
  var kind: SamplePeriodKind
  /// The promotional offer's identifier; empty for none.
  var offerID: String
  /// The offer code's reference name; empty for none.
  var offerName: String
  /// Whether a row of the chain came before.
  var isRenewal: Bool
  /// Below 0 for refunds, 0 for a part that went back.
  var units: Int64
  /// Of one unit, in thousandths; of the part that went back.
  var price: Int64
  /// Apple's number of the customer.
  var subscriber: Int

  /// The money moved, in thousandths.
  var amount: Int64 { units == 0 ? -price : units * price }
  /// Whether money went back.
  var isRefund: Bool { units <= 0 }
}

extension SamplePurchase {
  /// The events of the purchase in Apple's books: a charge, and a refund if there was one.
  ///
  /// A renewal is charged up to a day before its period. An upgrade gives back the unused whole
  /// days, rounded to the cent.
  ///
  /// - Parameters:
  ///   - customer: The customer's number.
  ///   - seed: The seed of the store.
  /// - Returns: The events, free ones too.
  func ledgerEvents(ofCustomer customer: Int, seed: UInt64) -> [LedgerEvent] {
    var random = SampleRandom(seed: seed, stream: 1 << 43 ^ UInt64(bitPattern: id))
    let isRenewal = isSubscription && purchasedAt != originalPurchasedAt
    let ahead = isRenewal ? Int64(random.below(86_400)) * 1000 : 0
    let units = max(1, quantity)
    let charge = LedgerEvent(
      day: Self.day(purchasedAt - ahead), purchaseDay: Self.day(purchasedAt), product: product,
      market: market, kind: kind, offerID: promotionalOfferID, offerName: referenceName,
      isRenewal: isRenewal, units: units, price: paid / units, subscriber: 9_000_000 + customer)
    guard paid > 0 else { return [charge] }
    var back = charge
    if upgradedAt != 0 {
      let whole = max(1, (expiresAt - purchasedAt) / 86_400_000)
      let unused = max(0, (expiresAt - upgradedAt) / 86_400_000)
      back.day = Self.day(upgradedAt)
      back.units = 0
      back.price = paid * min(unused, whole) / whole / 10 * 10
      return back.price > 0 ? [charge, back] : [charge]
    }
    guard cancelledAt != 0, cancellationKnownUntil == .max else { return [charge] }
    back.day = Self.day(cancelledAt)
    back.units = -units
    return [charge, back]
  }

  private static func day(_ milliseconds: Int64) -> CivilDay {
    CivilDay(pacific: Instant(milliseconds: milliseconds))
  }
}
