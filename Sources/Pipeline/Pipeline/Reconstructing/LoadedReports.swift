internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel
internal import Synchronization
internal import TemporaryFiles

/// All price reports of the used files before joining, sorted by transaction id.
final class LoadedReports: Sendable {
  private let sort: ExternalSort
  private let lists = Mutex(OfferLists())

  init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// Adds reports; several threads may call this function at the same time.
  func add(_ set: Observations) throws(RunFailure) {
    var own = OfferLists()
    let numbers = set.reports.map { own.index(of: Array(set.offers[$0.offers])) }
    let among = lists.withLock { all in
      own.lists.map { list in
        let number = all.index(of: Array(list))
        return all.range(of: number)
      }
    }
    let writer = sort.writer()
    for (report, number) in zip(set.reports, numbers) {
      var report = report
      report.offers = among[Int(number.rawValue)]
      try writer.add(SortedKey(report.transactionID ?? Self.none), value: report)
    }
    try writer.finish()
  }

  /// The transaction id 0, which stands for a missing id; reports with this id are sorted first.
  private static var none: TransactionID { TransactionID(AppleNumber(rawValue: 0)) }

  /// The offers in all reports; each report has a range of this list.
  var offers: OfferLists { lists.withLock { $0 } }

  /// Reads the reports, sorted by transaction id; each record is a ``PriceReport``.
  func reader() throws(RunFailure) -> ExternalSort.Reader { try sort.reader() }
}
