internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// The placed reports of all households, by evidence id, as they wait for learning and for the
/// index of the next run.
struct PlacedReports: Sendable {
  /// A placed report with its customer and its purchase.
  struct Entry: BitwiseCopyable {
    var placed: PlacedReport
    var customer: CustomerID?
    var transactionID: TransactionID?
    var named: NamedPurchase?
    var namedChain: ChainPosition?
  }

  private let sort: ExternalSort
  /// The number of reports.
  let count: Int

  /// Makes room for a number of reports.
  init(count: Int, memory: SortMemory) {
    self.count = count
    sort = ExternalSort(memory: memory)
  }

  /// A writer for one thread.
  func writer() -> ExternalSort.Writer { sort.writer() }

  /// Adds the reports of a batch that belong to its households, or to none.
  static func add(
    _ batch: HouseholdBatches.Batch, _ placed: [PlacedReport], to writer: ExternalSort.Writer
  ) throws(RunFailure) {
    for (place, member) in batch.members.enumerated() where member.isOwn {
      let seen = batch.batch.reports[place]
      let entry = Entry(
        placed: placed[place], customer: seen.report.customer,
        transactionID: seen.report.transactionID, named: seen.named, namedChain: member.namedChain)
      try writer.add(SortedKey(Int32(member.position.index), 0), value: entry)
    }
  }

  /// Passes every report to `body`, by evidence id.
  func forEach(_ body: (Entry) throws(RunFailure) -> Void) throws(RunFailure) {
    let reader = try sort.reader()
    while try reader.next() { try body(reader.value(Entry.self)) }
  }

  /// The placed reports, by evidence id.
  ///
  /// - Parameter more: The number of others that are appended to them.
  /// - Returns: As many as ``count``.
  /// - Throws: ``RunFailure`` if a temporary file cannot be read.
  func all(thenRoomFor more: Int) throws(RunFailure) -> [PlacedReport] {
    var all: [PlacedReport] = []
    all.reserveCapacity(count + more)
    try forEach { all.append($0.placed) }
    precondition(all.count == count, "each report belongs to one household, or to none")
    return all
  }
}
