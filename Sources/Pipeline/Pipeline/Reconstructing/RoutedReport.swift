internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// A report that is sorted by the households that need it.
struct RoutedReport: BitwiseCopyable {
  /// The number for data without a household.
  ///
  /// These are sandbox chains, and reports without a known customer or purchase.
  static let withoutHousehold = Int32.max

  /// The position of a report among all reports, and its relation to the household.
  struct Membership: BitwiseCopyable, Sendable {
    /// The position among all reports in use.
    var position: ReportPosition
    /// Whether the report belongs to this household or to no household.
    ///
    /// False if it only has the transaction id of one of the household's purchases.
    var isOwn: Bool
    /// The chain of the purchase with its transaction id.
    ///
    /// `nil` if there is none, or if the chain was not read.
    var namedChain: ChainPosition?
  }

  /// The report; its household is numbered among all households, and in a batch among those of the
  /// batch.
  var report: HouseholdReport
  let membership: Membership
}

extension ExternalSort.Writer {
  /// Adds a report once for each wanted household that needs it, as a ``RoutedReport``.
  ///
  /// They are sorted by household, then evidence id.
  func add(
    _ joined: ReportJoiner.Joined, namedChain: ChainPosition? = nil,
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
    _ namedChain: ChainPosition?
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
