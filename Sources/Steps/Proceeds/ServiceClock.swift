internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import Purchases

/// The time of paid service in a chain, which determines Apple's commission.
///
/// Apple's commission falls after a year of paid service in a subscription group; a chain is one
/// subscriber in one group. Free and refunded rows are excluded. An upgraded row is included up to
/// the purchase of its successor. A break of more than 60 days restarts the clock at 0. A shorter
/// break pauses the clock, even if the subscription has lapsed.
struct ServiceClock {
  /// The paid service after which Apple's commission falls: 365 days.
  static let year = Milliseconds.days(365)
  /// The longest break that pauses the clock; a longer break restarts the clock at 0.
  private static let longestPause = Milliseconds.days(60)

  private var served: Int64 = 0
  private var countedUntil = Instant.distantPast

  /// Adds a row to the clock, and returns whether a year of paid service precedes the row.
  ///
  /// A free or refunded row adds no paid service. A row with an unknown amount is treated as paid,
  /// because only its price is unknown. Must be called for the rows of a chain in order.
  mutating func isAfterOneYear(
    _ row: Purchase, timeline: BillingTimeline, amount: PaidAmount
  ) -> Bool {
    guard timeline.spellNumber != nil else { return false }  // It does not renew.
    if let gap = timeline.gap, gap > Self.longestPause { served = 0 }
    let isAfter = served >= Self.year.rawValue
    let isPaid = amount.paid.map { $0 > .zero } ?? true
    guard isPaid, timeline.reversal?.kind != .refund else { return isAfter }
    let start = max(row.purchasedAt, countedUntil)
    let end = min(row.endsAt, timeline.reversal?.at ?? row.endsAt)
    if end > start {
      served += end.since(start).rawValue
      countedUntil = end
    }
    return isAfter
  }
}
