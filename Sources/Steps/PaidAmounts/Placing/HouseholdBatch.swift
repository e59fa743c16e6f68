public import CivilTime
public import PriceLearning
public import PurchaseModel
public import Purchases

/// The purchase that a report names, if both are of the same product.
public struct NamedPurchase: Hashable, BitwiseCopyable, Sendable {
  /// Its key.
  public var key: PurchaseKey
  /// The time of the purchase.
  public var purchasedAt: Instant
  /// Whether it is out of revenue.
  public var isExcluded: Bool
  /// The app that its chain names.
  public var app: BundleID?

  /// Creates a purchase from its fields.
  public init(_ purchase: Purchase) {
    app = purchase.bundle
    key = purchase.key
    purchasedAt = purchase.purchasedAt
    isExcluded = purchase.exclusion != nil
  }

  /// Creates a purchase of another book from its fields.
  public init(key: PurchaseKey, purchasedAt: Instant, isExcluded: Bool, app: BundleID?) {
    self.app = app
    self.key = key
    self.purchasedAt = purchasedAt
    self.isExcluded = isExcluded
  }
}

/// A report as its households see it.
public struct HouseholdReport: BitwiseCopyable, Sendable {
  /// The report as the app sent it; its offers are those of the batch.
  public var report: PriceReport
  /// The number of its offers among ``HouseholdBatch/offers``.
  public var offers: OfferListIndex
  /// The customer who reports; `nil` if the reported customer id is unknown.
  public var customer: CustomerID?
  /// The household it belongs to: its customer's, else that of the purchase it names.
  ///
  /// `nil` if neither is known, and for a report of another household that names one of its
  /// purchases.
  public var household: HouseholdNumber?
  /// The purchase it names; `nil` if it names none, or one of another product.
  public var named: NamedPurchase?
  /// The voter behind the report: its household, so that several customer ids of one household are
  /// one voter; without a household the report itself.
  public var voter: Voter

  /// Creates a report from its fields.
  public init(
    report: PriceReport, offers: OfferListIndex, customer: CustomerID?,
    household: HouseholdNumber?, named: NamedPurchase?, voter: Voter
  ) {
    self.report = report
    self.offers = offers
    self.customer = customer
    self.household = household
    self.named = named
    self.voter = voter
  }

  /// Its time: of the purchase it names, else when it was reported.
  public var time: Instant { named?.purchasedAt ?? report.reportedAt }
}

/// The households that placing and deciding read, with all evidence about them.
///
/// Households are whole: all their chains, their own reports and the reports that name one of their
/// purchases. The result for a household does not depend on the other households of its batch.
public struct HouseholdBatch: Sendable {
  /// The purchases; households are numbered from 0.
  public var book: PurchaseBook
  /// The number of households.
  public var households: Int
  /// The reports, by evidence id.
  public var reports: [HouseholdReport]
  /// The offers that all reports of the run name.
  public var offers: OfferLists
  /// The apps that sell each product id.
  public let apps: ProductApps

  /// Puts households together, and separates their products by app.
  public init(
    book: PurchaseBook, households: Int, reports: [HouseholdReport], offers: OfferLists,
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

/// The purchases that the reports of a batch name, and the reports that name each purchase.
struct NamedRows: Sendable {
  /// The purchase it names, by its position in the book, keyed by report; `nil` for none here.
  private(set) var purchase: [RowPosition?]
  /// By report: that purchase's chain; `nil` for none here, and for an excluded purchase.
  private(set) var chain: [ChainPosition?]
  /// Reports by the purchase they name, then evidence id.
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

  /// The reports that name a purchase, by evidence id.
  func reports(naming purchase: Int) -> ArraySlice<ReportPosition> {
    let range = Int(starts[purchase])..<Int(starts[purchase + 1])
    // Most purchases are named by no report: return early, without touching the array's reference
    // count.
    return range.isEmpty ? [] : naming[range]
  }
}
