internal import PriceLearning
public import PurchaseModel
public import Purchases

extension HouseholdBatch {
  /// All households of a set of sightings that is held in memory.
  ///
  /// - Parameters:
  ///   - book: The purchases that ``mergeSightings(_:bundleIDs:catalogue:)`` merged from the
  ///     sightings.
  ///   - set: The sightings, whose reports are joined.
  public init(_ book: PurchaseBook, _ set: SightingSet) {
    var offers = OfferLists()
    var households = book.households
    var reports: [HouseholdReport] = []
    for report in set.reports {
      let position = report.transactionID.flatMap(book.purchase(named:))
      let purchase = position.map { book.purchases[$0] }
      if purchase?.isSandbox == true { continue }
      let named = purchase.flatMap { $0.productID == report.productID ? $0 : nil }
      let customer = report.customer.flatMap { households.isNobody($0) ? nil : $0 }
      let household =
        customer.flatMap { households.household(ofReporter: $0) }
        ?? named.flatMap { book.household(of: $0.originalTransactionID) }
      let list = offers.index(of: Array(set.offers[report.offers]))
      var report = report
      report.offers = offers.range(of: list)
      reports.append(
        HouseholdReport(
          report: report, offers: list,
          customer: customer, household: household, named: named.map(NamedPurchase.init),
          voter: Voter(household.map { Int64($0.rawValue) } ?? -1 - Int64(reports.count))))
    }
    self.init(book: book, households: households.count, reports: reports, offers: offers)
  }
}
