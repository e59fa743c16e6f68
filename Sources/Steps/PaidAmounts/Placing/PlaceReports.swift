internal import CivilTime
public import PriceLearning
internal import PurchaseModel
internal import Purchases

extension HouseholdBatch {
  /// Places the reports of the batch: the join between merging and learning.
  ///
  /// A report that does not name its storefront is placed where its household was nearest in time.
  ///
  /// A charged price is set aside unless it names a purchase at the regular price, and so is a
  /// report of an id that several apps sell, if nothing tells the app.
  ///
  /// - Returns: One for each of ``reports``, in their order.
  public func placedReports() -> [PlacedReport] {
    let named = NamedRows(self)
    let places = HouseholdPlaces(self, named)
    return reports.enumerated().map { position, own in
      let told = own.report.storefront
      let inferred = told == nil ? own.household : nil
      return PlacedReport(
        evidenceID: own.report.evidenceID, time: own.time, price: own.report.price,
        voter: own.voter, productID: own.report.productID, currency: own.report.currency,
        offers: own.offers,
        place: told
          ?? inferred.flatMap { places.nearest(to: own.time, household: $0)?.storefront },
        isPlaceTold: told != nil,
        setAside: setAside(own.report, naming: named.purchase[position]))
    }
  }

  /// The verdict on a report that votes nowhere; `nil` for one that votes.
  private func setAside(_ report: PriceReport, naming row: RowPosition?) -> Verdict? {
    if report.meaning == .charged, !isRegular(row) { return .charged }
    return isOfUnknownApp(report) ? .noReference : nil
  }

  /// Whether a purchase is at the regular price, which no catalogue is needed to see.
  private func isRegular(_ row: RowPosition?) -> Bool {
    guard let row else { return false }
    return switch book.purchases[row.index].kind(in: Catalogue()) {
    case .regular, .oneTime: true
    case .trial, .intro, .promo, .offerCode: false
    }
  }
}
