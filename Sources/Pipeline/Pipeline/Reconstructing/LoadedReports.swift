internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel
internal import Synchronization
internal import TemporaryFiles

/// All price reports of the used files, as they wait to be joined: by evidence id.
final class LoadedReports: Sendable {
  private let sort: ExternalSort
  private let found = Mutex(Found())

  private struct Found {
    var offers = OfferLists()
    var named: [TransactionID] = []
  }

  init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// Adds reports; several threads may do so at once.
  func add(_ set: SightingSet) throws(RunFailure) {
    let lists = found.withLock { found in
      found.named += set.reports.lazy.compactMap(\.transactionID)
      return set.reports.map { found.offers.index(of: Array(set.offers[$0.offers])) }
    }
    let writer = sort.writer()
    for (report, offers) in zip(set.reports, lists) {
      try writer.add(
        SortedKey(evidenceID: report.evidenceID), value: StoredReport(report, offers: offers))
    }
    try writer.finish()
  }

  /// The transaction ids that reports name, ascending, each once.
  var transactionIDs: [TransactionID] {
    var ids = found.withLock { $0.named.sorted() }
    var count = 0
    for id in ids where count == 0 || ids[count - 1] != id {
      ids[count] = id
      count += 1
    }
    ids.removeSubrange(count...)
    return ids
  }

  /// Hands on every report with its offers, by evidence id.
  func forEach(_ body: (PriceReport, [OfferPrice]) throws(RunFailure) -> Void) throws(RunFailure) {
    let offers = found.withLock { $0.offers }
    let reader = try sort.reader()
    while try reader.next() {
      let stored = reader.value(StoredReport.self)
      try body(stored.report(in: offers), Array(offers[stored.offers]))
    }
  }
}

/// A price report as plain bytes.
struct StoredReport: BitwiseCopyable {
  private var evidenceID: Int64
  private var source: SourceLine
  private var customer: CustomerID?
  private var transactionID: TransactionID?
  private var productID: ProductID
  private var storefront: Storefront?
  private var currency: Currency
  private var reportedAt: Instant
  private var price: Milliunits
  private var appliedDiscount: OfferID?
  /// Its offers.
  let offers: OfferListIndex

  /// Packs a report.
  init(_ report: PriceReport, offers: OfferListIndex) {
    evidenceID = report.evidenceID
    source = report.source
    customer = report.customer
    transactionID = report.transactionID
    productID = report.productID
    storefront = report.storefront
    currency = report.currency
    reportedAt = report.reportedAt
    price = report.price
    appliedDiscount = report.appliedDiscount
    self.offers = offers
  }

  /// Unpacks the report.
  func report(in lists: OfferLists) -> PriceReport {
    PriceReport(
      evidenceID: evidenceID, source: source, customer: customer, transactionID: transactionID,
      productID: productID, storefront: storefront, currency: currency, reportedAt: reportedAt,
      price: price, appliedDiscount: appliedDiscount, offers: lists.range(of: offers))
  }
}
