internal import Amounts
internal import CivilTime
public import PriceLearning
internal import PurchaseModel
internal import Purchases

extension HouseholdBatch {
  /// Places the reports of the batch: the join between merging and learning.
  ///
  /// A report that does not name its storefront is placed where its household was nearest in time.
  ///
  /// A report that names a purchase has a rival place where the household's record nearest to the
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

  /// The verdict on a report that needs no other report; `nil` for one that is compared with
  /// others.
  ///
  /// An amount or currency that cannot be decides nothing. Nor does a report that names a purchase
  /// of another product, unless that purchase's subscription also was of its product: then it names
  /// the subscription, as apps do that send the original transaction id. A charged price is set
  /// aside unless it names a purchase at the regular price, and so is a report of an id that
  /// several apps sell, if nothing names the app.
  private func setAside(_ own: HouseholdReport, naming row: RowPosition?) -> Verdict? {
    let currency = own.report.currency
    guard currency.isKnown, currency.allows(own.report.price),
      offers[own.offers].allSatisfy({ currency.allows($0.price) })
    else { return .impossibleAmount }
    if namesOtherProduct(own) { return .otherProduct }
    if own.report.meaning == .charged, !isRegular(row) { return .charged }
    return isOfUnknownApp(own.report) ? .noReference : nil
  }

  /// Whether a report names a purchase in a chain without the report's product.
  private func namesOtherProduct(_ own: HouseholdReport) -> Bool {
    guard own.named == nil, let id = own.report.transactionID, let household = own.household,
      let position = book.purchase(named: id), position < book.revenueCount
    else { return false }
    let chain = book.chains[book.chain(ofRow: position)]
    return chain.household == household
      && !chain.rows.contains { book.purchases[$0].productID.symbol == own.report.productID.symbol }
  }

  /// The first purchase of each customer, the beginnings of subscriptions included.
  private func firstPurchases() -> [Instant?] {
    var firsts = [Instant?](repeating: nil, count: households)
    for chain in book.chains {
      guard let household = chain.household.map({ Int($0.rawValue) }) else { continue }
      firsts[household] = min(firsts[household] ?? chain.beganAt, chain.beganAt)
    }
    return firsts
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
