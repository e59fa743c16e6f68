public import CivilTime
public import PriceLearning
public import PurchaseModel
public import Purchases

/// A purchase with the same transaction id and product as a price report.
public struct NamedPurchase: Hashable, BitwiseCopyable, Sendable {
  /// The key of the purchase.
  public var key: PurchaseKey
  /// The time of the purchase, UTC.
  public var purchasedAt: Instant
  /// Whether the purchase is excluded from revenue.
  public var isExcluded: Bool
  /// The app in which the purchase was made; `nil` if unknown.
  public var app: BundleID?

  /// Creates a purchase from its fields.
  public init(_ purchase: Purchase) {
    app = purchase.bundle
    key = purchase.key
    purchasedAt = purchase.purchasedAt
    isExcluded = purchase.exclusion != nil
  }

  /// Creates the named purchase of a report whose purchase is in another batch.
  public init(key: PurchaseKey, purchasedAt: Instant, isExcluded: Bool, app: BundleID?) {
    self.app = app
    self.key = key
    self.purchasedAt = purchasedAt
    self.isExcluded = isExcluded
  }
}

/// A report with its household and its purchase.
public struct HouseholdReport: BitwiseCopyable, Sendable {
  /// The report as the app sent it; its offers are in the batch.
  public var report: PriceReport
  /// The number of the report's list of offers in ``HouseholdBatch/offers``.
  public var offers: OfferListIndex
  /// The customer who sent the report; `nil` if unknown.
  public var customer: CustomerID?
  /// The household of the report's customer, else of the purchase with the report's transaction id.
  ///
  /// `nil` if both are unknown. If the purchase belongs to another household than the customer, the
  /// report is in the batches of both households; in the batch of the purchase, this property is
  /// `nil`.
  public var household: HouseholdNumber?
  /// The purchase with the report's transaction id and product; `nil` if there is none.
  public var named: NamedPurchase?
  /// The kind of the report's transaction id, if no purchase has the id; else `nil`.
  public var unknownTransaction: UnknownTransaction?
  /// The voter of the report: its household, or the report itself if it has no household.
  ///
  /// Several customer ids of one household are one voter.
  public var voter: Voter

  /// Creates a report from its fields.
  public init(
    report: PriceReport, offers: OfferListIndex, customer: CustomerID?,
    household: HouseholdNumber?, named: NamedPurchase?,
    unknownTransaction: UnknownTransaction? = nil, voter: Voter
  ) {
    self.report = report
    self.offers = offers
    self.customer = customer
    self.household = household
    self.named = named
    self.unknownTransaction = unknownTransaction
    self.voter = voter
  }

  /// Whether the report is of a purchase in another store than the App Store.
  var isOfOtherStore: Bool { unknownTransaction == .ofOtherStore }

  /// The time of the purchase with the report's transaction id, else the time of the report.
  public var time: Instant { named?.purchasedAt ?? report.reportedAt }

  /// Whether the report was made more than a day after its purchase, ``named``.
  ///
  /// False for a charge: it states what was paid at the purchase, whenever it was written.
  var isLate: Bool {
    !report.isCharge
      && (named.map { report.reportedAt.since($0.purchasedAt) > OwnReports.grace } ?? false)
  }

  /// Whether the report was made more than an hour before its purchase, ``named``.
  var isAsked: Bool {
    named.map { $0.purchasedAt.since(report.reportedAt) > .hours(1) } ?? false
  }
}

/// Households that are decided together, with all evidence about them.
///
/// Each household is complete: all its chains, its own reports, and each report of another
/// household that has one of its transaction ids. The result for a household does not depend on the
/// other households of its batch.
public struct HouseholdBatch: Sendable {
  /// The purchases of the households; the households are numbered from 0.
  public var book: PurchaseHistory
  /// The number of households.
  public var households: Int
  /// The reports, sorted by evidence id.
  public var reports: [HouseholdReport]
  /// The offers of all reports of the run.
  public var offers: OfferLists
  /// The apps that sell each product id.
  public let apps: ProductApps

  /// Creates a batch from its fields.
  ///
  /// If several apps sell one product id, assigns an app to each purchase and report with this id.
  public init(
    book: PurchaseHistory, households: Int, reports: [HouseholdReport], offers: OfferLists,
    apps: ProductApps
  ) {
    self.book = book
    self.households = households
    self.reports = reports
    self.offers = offers
    self.apps = apps
    separateApps()
  }
}

/// Links each report to its purchase, and each purchase to its reports, by transaction ids.
struct NamedRows: Sendable {
  /// The position of each report's purchase in the purchase history.
  ///
  /// `nil` if the report has no purchase, or if the purchase is in another batch.
  private(set) var purchase: [RowPosition?]
  /// The chain of each report's purchase; `nil` if the purchase is excluded, unknown or in another
  /// batch.
  private(set) var chain: [ChainPosition?]
  /// The positions of the reports that have a purchase, sorted by purchase, then evidence id.
  private var naming: [ReportPosition] = []
  private var starts: [Int32]

  init(_ batch: HouseholdBatch) {
    let book = batch.book
    purchase = Array(repeating: nil, count: batch.reports.count)
    chain = Array(repeating: nil, count: batch.reports.count)
    starts = Array(repeating: 0, count: book.purchases.count + 1)
    for (index, report) in batch.reports.enumerated() {
      guard let key = report.named?.key, let id = report.report.transactionID,
        let position = book.purchase(named: id), book.purchases[position].key == key
      else { continue }
      purchase[index] = RowPosition(position)
      starts[position + 1] += 1
      if position < book.revenueCount { chain[index] = ChainPosition(book.chain(ofRow: position)) }
    }
    for position in 0..<book.purchases.count { starts[position + 1] += starts[position] }
    var next = starts
    naming = Array(repeating: ReportPosition(0), count: Int(starts[book.purchases.count]))
    for (index, position) in purchase.enumerated() {
      guard let row = position?.index else { continue }
      naming[Int(next[row])] = ReportPosition(index)
      next[row] += 1
    }
  }

  /// The reports with the transaction id of a purchase, sorted by evidence id.
  func reports(naming purchase: Int) -> ArraySlice<ReportPosition> {
    let range = Int(starts[purchase])..<Int(starts[purchase + 1])
    // Most purchases have no report: return early, without touching the array's reference count.
    return range.isEmpty ? [] : naming[range]
  }
}
