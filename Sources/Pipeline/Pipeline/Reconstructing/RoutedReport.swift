internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// A price report for one household that needs the report.
///
/// A list of these entries is sorted by household. A report that two households need has two
/// entries.
struct RoutedReport: BitwiseCopyable {
  /// The value that replaces a household's number for data without a household.
  ///
  /// Sandbox chains have no household, and reports without a known customer or purchase have none.
  static let withoutHousehold = Int32.max

  /// The position of a report among all reports in use, and its relation to one household.
  struct Membership: BitwiseCopyable, Sendable {
    /// The position among all reports in use.
    var position: ReportPosition
    /// Whether the report belongs to this household or to no household.
    ///
    /// False if it belongs to another household, but has the transaction id of a purchase of this
    /// household.
    var isOwn: Bool
    /// The chain of the purchase that has the report's transaction id and product.
    ///
    /// `nil` if there is none.
    var namedChain: ChainKey?
  }

  /// The report, with the number of its household.
  ///
  /// The household number is the position among all households. ``HouseholdBatches`` replaces this
  /// number with the position in the batch.
  var report: HouseholdReport
  let membership: Membership
}

extension ExternalSort.Writer {
  /// Adds a report once for each wanted household that needs it, as a ``RoutedReport``.
  ///
  /// The reports are sorted by household, then by evidence id.
  func add(
    _ joined: ReportJoiner.Joined, namedChain: ChainKey? = nil,
    isWanted: (HouseholdNumber) -> Bool = { _ in true }
  ) throws(RunFailure) {
    if joined.report.household.map(isWanted) ?? true {
      try add(joined, to: joined.report.household, isOwn: true, namedChain)
    }
    if let other = joined.otherHousehold, isWanted(other) {
      try add(joined, to: other, isOwn: false, namedChain)
    }
  }

  private func add(
    _ joined: ReportJoiner.Joined, to household: HouseholdNumber?, isOwn: Bool,
    _ namedChain: ChainKey?
  ) throws(RunFailure) {
    let seen = RoutedReport(
      report: joined.report,
      membership: RoutedReport.Membership(
        position: joined.position, isOwn: isOwn, namedChain: namedChain))
    let key = SortedKey(
      household?.rawValue ?? RoutedReport.withoutHousehold, Int32(joined.position.index))
    try add(key, value: seen)
  }
}
