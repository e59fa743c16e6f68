internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// A report that is sorted by the households that need it.
struct RoutedReport: BitwiseCopyable {
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

  let membership: Membership
  /// The report; its household is numbered among all households.
  private let report: HouseholdReport

  /// Packs a report.
  init(_ report: HouseholdReport, _ membership: Membership) {
    self.membership = membership
    self.report = report
  }

  /// The report in a batch; `household` is the number in the batch.
  func report(inHousehold household: HouseholdNumber?) -> HouseholdReport {
    var report = report
    report.household = membership.isOwn ? household : nil
    return report
  }
}

/// The reports to decide, sorted by household, then evidence id.
struct RoutedReports {
  /// The number for data without a household.
  ///
  /// These are sandbox chains, and reports without a known customer or purchase.
  static let withoutHousehold = Int32.max

  private let sort: ExternalSort

  /// Creates an empty collection.
  init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// Adds reports for one thread.
  struct Writer {
    fileprivate let writer: ExternalSort.Writer

    /// Adds a report once for each wanted household that needs it.
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
        joined.report,
        RoutedReport.Membership(position: joined.position, isOwn: isOwn, namedChain: namedChain))
      let key = SortedKey(
        household?.rawValue ?? RoutedReports.withoutHousehold, Int32(joined.position.index))
      try writer.add(key, value: seen)
    }

    /// Ends the writing.
    func finish() throws(RunFailure) { try writer.finish() }
  }

  /// A writer for one thread.
  func writer() -> Writer { Writer(writer: sort.writer()) }

  /// Reads the reports in the order of households.
  func reader() throws(RunFailure) -> ExternalSort.Reader { try sort.reader() }
}
