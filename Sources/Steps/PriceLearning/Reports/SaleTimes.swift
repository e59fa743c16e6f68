public import CivilTime
public import PurchaseModel

/// The times at which reports are possible.
///
/// A report is possible from 90 days before the first sale of its product or the first purchase of
/// its household, whichever is earlier, to one day after the as-of time.
public struct SaleTimes: Hashable, Sendable {
  /// The longest time before a product's first purchase in which a report is possible: 90 days.
  public static let longestBefore = Milliseconds.days(90)
  /// The longest time after the as-of time in which a report is possible: one day.
  static let longestAfter = Milliseconds.days(1)

  /// The time of each product's first purchase.
  ///
  /// If the chain of a purchase of the product began earlier, it is the beginning of that chain.
  public var firstSold: [ProductID: Instant]
  /// The as-of time; `nil` if unknown.
  public var asOf: Instant?

  /// Creates the times; by default any time is possible.
  public init(firstSold: [ProductID: Instant] = [:], asOf: Instant? = nil) {
    self.firstSold = firstSold
    self.asOf = asOf == .epoch ? nil : asOf
  }

  /// Returns true if a report has an impossible time.
  ///
  /// Such a report was made more than a day after the as-of time, or it is
  /// ``PlacedReport/isLongBefore`` and was made more than 90 days before its product was first
  /// sold. Example: a report of 1970 about a product that was first sold in 2021, from a customer
  /// without purchases before 2021.
  func exclude(_ report: PlacedReport) -> Bool {
    if let asOf, report.time.since(asOf) > Self.longestAfter { return true }
    guard report.isLongBefore, let first = firstSold[report.productID] else { return false }
    return first.since(report.time) > Self.longestBefore
  }
}
