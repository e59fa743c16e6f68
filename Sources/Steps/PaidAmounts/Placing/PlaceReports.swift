internal import CivilTime
public import PriceLearning
internal import PurchaseModel
internal import Purchases

extension HouseholdBatch {
  /// Places the reports of the batch: the join between merging and learning.
  ///
  /// A report that does not name its storefront is placed where its household was nearest in time.
  ///
  /// - Returns: One for each of ``reports``, in their order.
  public func placedReports() -> [PlacedReport] {
    let places = HouseholdPlaces(self, NamedRows(self))
    return reports.map { own in
      let told = own.report.storefront
      let inferred = told == nil ? own.household : nil
      return PlacedReport(
        evidenceID: own.report.evidenceID, time: own.time, price: own.report.price,
        voter: own.voter, productID: own.report.productID, currency: own.report.currency,
        offers: own.offers,
        place: told
          ?? inferred.flatMap { places.nearest(to: own.time, household: $0)?.storefront },
        isPlaceTold: told != nil)
    }
  }
}
