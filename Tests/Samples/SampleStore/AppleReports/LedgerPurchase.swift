internal import CivilTime

/// A purchase, with the data from which Apple's reports are generated.
struct LedgerPurchase: Sendable {
  var id: Int64
  var product: LedgerProduct
  var country: String
  var currency: String
  var kind: SamplePeriodKind
  var offerID: String
  var offerName: String
  var isRenewal: Bool
  var quantity: Int64
  /// The charge for the whole quantity, in thousandths.
  var paid: Int64
  /// The amount that the facts assume for a purchase with a promo code: the list price of all
  /// units.
  ///
  /// 0 for a purchase without a promo code.
  var assumed: Int64 = 0
  var purchasedAt: Int64
  var expiresAt: Int64
  /// The time of the payment; later than the purchase only if the payment was late.
  var settledAt: Int64
  /// The time of the refund; 0 for none.
  var refundedAt: Int64
  /// The time of the upgrade; 0 for none.
  var upgradedAt: Int64
  var isShown: Bool
  var isRefundShown: Bool
  var isLateShown: Bool
  /// Apple's number for the customer (Subscriber ID).
  var subscriber: Int

  /// Creates the events of the purchase in Apple's reports: the charge, then any refund.
  ///
  /// A renewal is charged up to a day before its period begins. A late payment is charged on the
  /// day of the payment. An upgrade refunds the unused whole days, rounded down to the cent.
  func events(seed: UInt64) -> [LedgerEvent] {
    var random = SampleRandom(seed: seed, stream: 1 << 43 ^ UInt64(bitPattern: id))
    let ahead = isRenewal ? Int64(random.below(86_400)) * 1000 : 0
    let isLate = settledAt > purchasedAt
    let units = max(1, quantity)
    let ourDay = Self.day(purchasedAt)
    var charge = LedgerEvent(
      day: Self.day(isLate ? settledAt : purchasedAt - ahead), purchaseDay: ourDay,
      product: product, country: country, currency: currency, kind: kind, offerID: offerID,
      offerName: offerName, isRenewal: isRenewal, units: units, price: paid / units,
      subscriber: 9_000_000 + subscriber)
    charge.purchaseDay = isLate ? charge.day : ourDay
    if isShown {
      charge.expected = LedgerEvent.ExpectedRow(
        day: ourDay, milli: assumed > 0 ? assumed : paid, isLateShown: isLateShown)
    }
    guard paid > 0 else { return [charge] }
    var back = charge
    back.expected = nil
    if upgradedAt != 0 {
      let whole = max(1, (expiresAt - purchasedAt) / 86_400_000)
      let unused = max(0, (expiresAt - upgradedAt) / 86_400_000)
      back.day = Self.day(upgradedAt)
      back.units = 0
      back.price = paid * min(unused, whole) / whole / 10 * 10
      return back.price > 0 ? [charge, back] : [charge]
    }
    guard refundedAt != 0 else { return [charge] }
    back.day = Self.day(refundedAt)
    back.units = -units
    if isRefundShown { back.expected = LedgerEvent.ExpectedRow(day: back.day, milli: paid) }
    return [charge, back]
  }

  private static func day(_ milliseconds: Int64) -> CivilDay {
    CivilDay(pacific: Instant(milliseconds: milliseconds))
  }
}
