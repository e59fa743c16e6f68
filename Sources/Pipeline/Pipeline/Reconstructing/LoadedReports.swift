internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel
internal import Synchronization
internal import TemporaryFiles

/// All price reports of the used files, as they wait to be joined: by the transaction id they name.
final class LoadedReports: Sendable {
  private let sort: ExternalSort
  private let lists = Mutex(OfferLists())

  /// No report yet.
  init(memory: SortMemory) { sort = ExternalSort(memory: memory) }

  /// Adds reports; several threads may do so at once.
  func add(_ set: SightingSet) throws(RunFailure) {
    var own = OfferLists()
    let numbers = set.reports.map { own.index(of: Array(set.offers[$0.offers])) }
    let among = lists.withLock { all in own.lists.map { all.index(of: Array($0)) } }
    let writer = sort.writer()
    for (report, number) in zip(set.reports, numbers) {
      let stored = StoredReport(report, offers: among[Int(number.rawValue)])
      try writer.add(SortedKey(report.transactionID ?? Self.none), value: stored)
    }
    try writer.finish()
  }

  /// Stands for no transaction id: such reports come first.
  private static var none: TransactionID { TransactionID(AppleNumber(rawValue: 0)) }

  /// The memory that the sort shares with others.
  var memory: SortMemory { sort.memory }

  /// The offers that the reports name.
  var offers: OfferLists { lists.withLock { $0 } }

  /// Reads the reports, ``StoredReport``, in the order of ``SortedKey/transactionID``.
  func reader() throws(RunFailure) -> ExternalSort.Reader { try sort.reader() }
}

/// A price report as plain bytes.
struct StoredReport: BitwiseCopyable {
  /// The identity of its content.
  let evidenceID: Int64
  /// The transaction id it names.
  let transactionID: TransactionID?
  private var source: SourceLine
  private var customer: CustomerID?
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
