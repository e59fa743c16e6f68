public import CivilTime
public import PurchaseModel

/// The times in which reports can have been made: from when products were sold to the moment as of
/// which facts hold.
public struct SaleTimes: Hashable, Sendable {
  /// The time before a product's first purchase in which its price may be looked at: 90 days.
  public static let longestBefore = Milliseconds.days(90)
  /// The time after the newest export in which a report may have been made: a day.
  static let longestAfter = Milliseconds.days(1)

  /// The first purchase of each product, the beginning of its subscription included.
  public var firstSold: [ProductID: Instant]
  /// The moment as of which facts hold; `nil` if unknown.
  public var asOf: Instant?

  /// Names the times; by default any time can be.
  public init(firstSold: [ProductID: Instant] = [:], asOf: Instant? = nil) {
    self.firstSold = firstSold
    self.asOf = asOf == .epoch ? nil : asOf
  }

  /// Whether a report cannot have been made at its time.
  ///
  /// For example one of 1970 about a product that was first bought in 2021, from a customer who
  /// bought nothing before 2021.
  func exclude(_ report: PlacedReport) -> Bool {
    if let asOf, report.time.since(asOf) > Self.longestAfter { return true }
    guard report.isLongBefore, let first = firstSold[report.productID] else { return false }
    return first.since(report.time) > Self.longestBefore
  }
}
