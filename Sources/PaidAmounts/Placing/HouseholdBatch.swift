public import CivilTime
public import PriceLearning
public import PurchaseModel
public import Purchases

/// The purchase that a report names, where it is of the report's product.
public struct NamedPurchase: Hashable, BitwiseCopyable, Sendable {
  /// Its key.
  public var key: PurchaseKey
  /// When it was bought.
  public var purchasedAt: Instant
  /// Whether it is out of revenue.
  public var isExcluded: Bool

  /// Describes a purchase.
  public init(_ purchase: Purchase) {
    key = purchase.key
    purchasedAt = purchase.purchasedAt
    isExcluded = purchase.exclusion != nil
  }

  /// Describes a purchase that stands elsewhere.
  public init(key: PurchaseKey, purchasedAt: Instant, isExcluded: Bool) {
    self.key = key
    self.purchasedAt = purchasedAt
    self.isExcluded = isExcluded
  }
}

/// A report as its households see it.
public struct HouseholdReport: Sendable {
  /// What the app said; its offers are those of the batch.
  public var report: PriceReport
  /// The number of its offers among ``HouseholdBatch/offers``.
  public var offers: OfferListIndex
  /// The customer who reports; `nil` where the id is nobody's.
  public var customer: CustomerID?
  /// The household it belongs to: its customer's, else that of the purchase it names.
  ///
  /// `nil` for a report of another household that only names a purchase of this one, and for
  /// nobody's.
  public var household: HouseholdNumber?
  /// The purchase it names; `nil` where it names none, or one of another product.
  public var named: NamedPurchase?
  /// Whoever stands behind it (RULES section 3, "Voter"): its household, whose members and former
  /// ids are one; without one the report itself.
  public var voter: Voter

  /// Describes a report.
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

/// Everything that is known of some households: what placing and deciding read.
///
/// Households are whole: all their chains, their own reports and the reports that name one of their
/// purchases. What comes out for a household does not depend on which others are in its batch.
public struct HouseholdBatch: Sendable {
  /// The purchases; households are numbered from 0.
  public var book: PurchaseBook
  /// How many households there are.
  public var households: Int
  /// The reports, by evidence id.
  public var reports: [HouseholdReport]
  /// The offers that all reports of the run name.
  public var offers: OfferLists

  /// Puts households together.
  public init(
    book: PurchaseBook, households: Int, reports: [HouseholdReport], offers: OfferLists
  ) {
    self.book = book
    self.households = households
    self.reports = reports
    self.offers = offers
  }
}

/// Where the reports of a batch belong among its purchases.
struct NamedRows: Sendable {
  /// By report: the purchase it names, by its position in the book; -1 for none here.
  private(set) var purchase: [Int32]
  /// By report: that purchase's chain; -1 for none here, and for an excluded purchase.
  private(set) var chain: [Int32]
  /// Reports by the purchase they name, then evidence id.
  private var naming: [Int32] = []
  private var starts: [Int32]

  init(_ batch: HouseholdBatch) {
    let book = batch.book
    purchase = Array(repeating: -1, count: batch.reports.count)
    chain = purchase
    starts = Array(repeating: 0, count: book.purchases.count + 1)
    for (index, report) in batch.reports.enumerated() {
      guard let key = report.named?.key, let id = report.report.transactionID,
        let position = book.purchase(named: id), book.purchases[position].key == key
      else { continue }
      purchase[index] = Int32(position)
      starts[position + 1] += 1
      if position < book.revenueCount { chain[index] = Int32(book.chain(ofRow: position)) }
    }
    for position in 0..<book.purchases.count { starts[position + 1] += starts[position] }
    var next = starts
    naming = Array(repeating: 0, count: Int(starts[book.purchases.count]))
    for (index, position) in purchase.enumerated() where position >= 0 {
      naming[Int(next[Int(position)])] = Int32(index)
      next[Int(position)] += 1
    }
  }

  /// The reports that name a purchase, by evidence id.
  func reports(naming purchase: Int) -> ArraySlice<Int32> {
    let range = Int(starts[purchase])..<Int(starts[purchase + 1])
    // Most purchases are named by none; who only looks need not count a reference then.
    return range.isEmpty ? [] : naming[range]
  }
}
