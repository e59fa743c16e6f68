internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// The placed reports of all households, sorted by evidence id.
///
/// The step learn and the next run read them.
struct PlacedReports: Sendable {
  /// A placed report with its customer and its purchase.
  struct Entry: BitwiseCopyable, Sendable {
    /// The report's position among all reports that are used.
    var position: ReportPosition
    var placed: PlacedReport
    var customer: CustomerID?
    var transactionID: TransactionID?
    var named: NamedPurchase?
    var namedChain: ChainPosition?
  }

  private let sort: ExternalSort
  /// The number of reports.
  let count: Int

  /// Reserves space for a number of reports.
  init(count: Int, memory: SortMemory) {
    self.count = count
    sort = ExternalSort(memory: memory)
  }

  /// A writer for one thread.
  func writer() -> ExternalSort.Writer { sort.writer() }

  /// Adds a report.
  static func add(_ report: Entry, to writer: ExternalSort.Writer) throws(RunFailure) {
    try writer.add(SortedKey(Int32(report.position.index), 0), value: report)
  }

  /// Passes every report to `body`, sorted by evidence id.
  func forEach(_ body: (Entry) throws(RunFailure) -> Void) throws(RunFailure) {
    let reader = try sort.reader()
    while try reader.next() { try body(reader.value(Entry.self)) }
  }

  /// The placed reports, sorted by evidence id.
  ///
  /// - Parameter more: The number of other reports that the caller will append.
  /// - Returns: An array of ``count`` reports.
  /// - Throws: ``RunFailure`` if a temporary file cannot be read.
  func all(thenRoomFor more: Int) throws(RunFailure) -> [PlacedReport] {
    var all: [PlacedReport] = []
    all.reserveCapacity(count + more)
    try forEach { all.append($0.placed) }
    precondition(all.count == count, "each report belongs to one household, or to none")
    return all
  }
}
