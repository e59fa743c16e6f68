public import CivilTime
public import PurchaseModel

/// A price report with what the purchases tell of it: the input of learning.
///
/// Placing joins a report with the purchase it names (RULES section 1, "Identity") and with its
/// household. For example a report of 9.99 USD that was sent on 2 May and names a purchase of 1 May
/// is placed at 1 May, in the storefront it names itself.
public struct PlacedReport: Hashable, Sendable {
  /// The report's position among the reports that learning is given.
  public var report: Int32
  /// The purchase's time where the report names one of its product, else when it was reported.
  public var time: Instant
  /// Whoever stands behind the report (RULES section 3, "Voter"): equal numbers, one voter.
  public var voter: Int32
  /// The report's storefront, else where its household was nearest in time.
  public var place: Storefront?
  /// Whether the report names its storefront itself.
  public var isPlaceTold: Bool
  /// Whether Apple signed it: what was charged for a purchase at the price in force.
  ///
  /// It needs no belief, and counts as much as ten reports.
  public var isSigned: Bool

  /// Places a report.
  public init(
    report: Int32, time: Instant, voter: Int32, place: Storefront?, isPlaceTold: Bool,
    isSigned: Bool = false
  ) {
    self.report = report
    self.time = time
    self.voter = voter
    self.place = place
    self.isPlaceTold = isPlaceTold
    self.isSigned = isSigned
  }
}
