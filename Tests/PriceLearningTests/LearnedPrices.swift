import Amounts
import CivilTime
import PriceLearning
import PurchaseModel
import TestSupport

/// The result of learning from the reports of a test.
///
/// A report is placed at its own time and storefront; its customer is the voter.
struct LearnedPrices {
  let built: BuiltStore
  let placed: [PlacedReport]
  let offers: OfferLists
  let book: PriceBook

  /// Learns from a store's reports; `place` can change how each report is placed.
  init(_ store: StoreBuilder, place: (inout PlacedReport) -> Void = { _ in }) {
    let built = store.build()
    var voters: [CustomerID: Voter] = [:]
    var offers = OfferLists()
    var placed: [PlacedReport] = []
    for (index, report) in built.observations.reports.enumerated() {
      var voter = Voter(Int64(1000 + index))
      if let customer = report.customer {
        voter = voters[customer] ?? Voter(Int64(voters.count))
        voters[customer] = voter
      }
      var entry = PlacedReport(
        evidenceID: report.evidenceID, time: report.reportedAt, price: report.price, voter: voter,
        productID: report.productID, currency: report.currency,
        offers: offers.index(of: Array(built.observations.offers[report.offers])),
        place: report.storefront, hasOwnPlace: report.storefront != nil)
      place(&entry)
      placed.append(entry)
    }
    self.built = built
    self.placed = placed
    self.offers = offers
    book = learnPrices(from: placed, offers: offers, catalogue: built.catalogue)
  }
}
