internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// A report as it waits for a household that it concerns.
struct SeenReport: BitwiseCopyable {
  /// Its place among all reports, and in the household.
  struct Membership: BitwiseCopyable, Sendable {
    /// The position among all reports that are used.
    var position: ReportPosition
    /// Whether it belongs to the household, or to none; else it only names a purchase of it.
    var isOwn: Bool
    /// The chain of the purchase it names; `nil` for none, and if it is not known here.
    var namedChain: ChainPosition?
  }

  let membership: Membership
  /// The report, of a household by its number among all.
  private let report: HouseholdReport

  /// Packs a report.
  init(_ report: HouseholdReport, _ membership: Membership) {
    self.membership = membership
    self.report = report
  }

  /// The report in a batch, in which its household has a number of its own.
  func report(inHousehold household: HouseholdNumber?) -> HouseholdReport {
    var report = report
    report.household = membership.isOwn ? household : nil
    return report
  }
}

/// The reports of all households, as they wait to be decided: by household, then evidence id.
struct SeenReports {
  /// The number for data outside of all households: chains of the sandbox, and reports that name
  /// neither a known customer nor a purchase.
  static let nobody = Int32.max

  private let sort: ExternalSort

  /// No reports.
  init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// Adds reports for one thread.
  struct Writer {
    fileprivate let writer: ExternalSort.Writer

    /// Adds a report for each wanted household that it concerns.
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
      let seen = SeenReport(
        joined.report,
        SeenReport.Membership(position: joined.position, isOwn: isOwn, namedChain: namedChain))
      let key = SortedKey(household?.rawValue ?? SeenReports.nobody, Int32(joined.position.index))
      try writer.add(key, value: seen)
    }

    /// Ends the writing.
    func finish() throws(RunFailure) { try writer.finish() }
  }

  /// A writer for one thread.
  func writer() -> Writer { Writer(writer: sort.writer()) }

  /// Reads them by household.
  func reader() throws(RunFailure) -> ExternalSort.Reader { try sort.reader() }
}
