public import CivilTime
public import PurchaseModel

/// The times at which reports are possible: from the first sale of a product to the as-of time.
public struct SaleTimes: Hashable, Sendable {
  /// The longest time before a product's first purchase in which a report is possible: 90 days.
  public static let longestBefore = Milliseconds.days(90)
  /// The longest time after the as-of time in which a report is possible: one day.
  static let longestAfter = Milliseconds.days(1)

  /// The time of each product's first purchase, or the start of its chain if that is earlier.
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
  /// Examples: a report more than a day after the as-of time; a report of 1970 about a product that
  /// was first bought in 2021, from a customer without purchases before 2021.
  func exclude(_ report: PlacedReport) -> Bool {
    if let asOf, report.time.since(asOf) > Self.longestAfter { return true }
    guard report.isLongBefore, let first = firstSold[report.productID] else { return false }
    return first.since(report.time) > Self.longestBefore
  }
}
