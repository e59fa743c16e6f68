internal import Amounts
internal import CivilTime
public import PriceLearning
internal import PurchaseModel
internal import Purchases

extension HouseholdBatch {
  /// Assigns a storefront to each report of the batch: the join between merging and learning.
  ///
  /// A report without a storefront has that of its household nearest in time.
  ///
  /// A report with a transaction id has a rival storefront if the household's record nearest to the
  /// purchase, within 31 days, is of another storefront.
  ///
  /// - Returns: The placed report of each of ``reports``, in their order.
  public func placedReports() -> [PlacedReport] {
    let named = NamedRows(self)
    let places = HouseholdPlaces(self, named)
    let firsts = firstPurchases()
    return reports.enumerated().map { position, own in
      let told = own.report.storefront
      let recorded = own.named == nil || told == nil ? nil : own.household
      let rival = recorded.flatMap { household in
        places.nearestRecord(to: own.time, household: household)?.storefront
      }
      let inferred = told == nil ? own.household : nil
      let first = own.household.flatMap { firsts[Int($0.rawValue)] } ?? .distantFuture
      return PlacedReport(
        evidenceID: own.report.evidenceID, time: own.time, price: own.report.price,
        voter: own.voter, productID: own.report.productID, currency: own.report.currency,
        offers: own.offers,
        place: told
          ?? inferred.flatMap { places.nearest(to: own.time, household: $0)?.storefront },
        isPlaceTold: told != nil, rivalPlace: rival == told ? nil : rival,
        isLongBefore: own.named == nil && first.since(own.time) > SaleTimes.longestBefore,
        setAside: setAside(own, naming: named.purchase[position]))
    }
  }

  /// The verdict on a report that needs no comparison with others; `nil` for all others.
  ///
  /// Set aside are: an impossible amount or currency; a transaction id of a purchase of another
  /// product; a charge unless it belongs to a purchase at the regular price; and a product id that
  /// several apps sell, without evidence of the app. A transaction id of another product is
  /// accepted if that subscription has also had the report's product: some apps send the original
  /// transaction id.
  private func setAside(_ own: HouseholdReport, naming row: RowPosition?) -> Verdict? {
    let currency = own.report.currency
    guard currency.isKnown, currency.allows(own.report.price),
      offers[own.offers].allSatisfy({ currency.allows($0.price) })
    else { return .impossibleAmount }
    if namesOtherProduct(own) { return .otherProduct }
    if own.report.meaning == .charged, !isRegular(row) { return .charged }
    return isOfUnknownApp(own.report) ? .noReference : nil
  }

  /// Whether the report's transaction id belongs to a chain without the report's product.
  private func namesOtherProduct(_ own: HouseholdReport) -> Bool {
    guard own.named == nil, let id = own.report.transactionID, let household = own.household,
      let position = book.purchase(named: id), position < book.revenueCount
    else { return false }
    let chain = book.chains[book.chain(ofRow: position)]
    return chain.household == household
      && !chain.rows.contains { book.purchases[$0].productID.symbol == own.report.productID.symbol }
  }

  /// The first purchase of each customer, including the beginnings of subscriptions.
  private func firstPurchases() -> [Instant?] {
    var firsts = [Instant?](repeating: nil, count: households)
    for chain in book.chains {
      guard let household = chain.household.map({ Int($0.rawValue) }) else { continue }
      firsts[household] = min(firsts[household] ?? chain.beganAt, chain.beganAt)
    }
    return firsts
  }

  /// Whether a purchase is at the regular price, which needs no catalogue.
  private func isRegular(_ row: RowPosition?) -> Bool {
    guard let row else { return false }
    return switch book.purchases[row.index].kind(in: Catalogue()) {
    case .regular, .oneTime: true
    case .trial, .intro, .promo, .offerCode: false
    }
  }
}
