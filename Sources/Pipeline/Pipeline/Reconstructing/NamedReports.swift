internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// The changed price reports, each with the purchase of its transaction id, sorted by evidence id.
///
/// A merge join finds the purchases: reports and claims are both read in the order of transaction
/// ids, so that neither has to fit into memory.
struct NamedReports {
  /// A report and the purchase with the report's transaction id; no purchase for an unknown id.
  private struct Entry: BitwiseCopyable {
    var report: PriceReport
    var claimed: ClaimedPurchase?
  }

  /// For each transaction id that several chains claim, the purchase to which it belongs.
  private(set) var winners: [TransactionID: PurchaseKey]
  private let offers: OfferLists
  private let sort: ExternalSort

  /// Finds the purchases of the reports' transaction ids.
  ///
  /// - Parameter winners: The winners of the last publication; those of changed ids are replaced.
  /// - Throws: ``RunFailure`` if a temporary file cannot be written or read.
  init(
    _ merged: MergedChains, winners: [TransactionID: PurchaseKey], memory: SortMemory
  ) throws(RunFailure) {
    self.winners = winners
    let reports = merged.reports
    offers = reports.offers
    sort = ExternalSort(memory: memory)
    let writer = sort.writer()
    let waiting = try reports.reader()
    var isLeft = try waiting.next()
    var count = 0
    func name(_ claimed: (TransactionID) -> ClaimedPurchase?) throws(RunFailure) {
      if count % 8192 == 0 { try Reconstruction.checkpoint() }
      count += 1
      let report = waiting.value(PriceReport.self)
      try writer.add(
        SortedKey(evidenceID: report.evidenceID),
        value: Entry(report: report, claimed: report.transactionID.flatMap(claimed)))
      isLeft = try waiting.next()
    }
    try merged.forEachSettledID { settled throws(RunFailure) in
      if settled.isChanged, settled.isContested || !winners.isEmpty {
        self.winners[settled.id] = settled.isContested ? settled.purchase.named.key : nil
      }
      while isLeft, unsafe SortedKey(waiting.key).transactionID <= settled.id {
        try name { $0 == settled.id ? settled.purchase : nil }
      }
    }
    while isLeft { try name { _ in nil } }
    try writer.finish()
  }

  /// Passes every report with its offers and its purchase to `body`, sorted by evidence id.
  func forEach(
    _ body: (PriceReport, [OfferPrice], ClaimedPurchase?) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let reader = try sort.reader()
    while try reader.next() {
      let entry = reader.value(Entry.self)
      try body(entry.report, Array(offers[entry.report.offers]), entry.claimed)
    }
  }
}
