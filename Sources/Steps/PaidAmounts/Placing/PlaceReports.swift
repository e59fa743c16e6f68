internal import Amounts
public import CivilTime
public import PriceLearning
public import PurchaseModel
internal import Purchases

extension HouseholdBatch {
  /// Assigns a storefront to each report of the batch, before prices are learned.
  ///
  /// If a report has no storefront, the household's other reports and its export records are
  /// searched, and the storefront of the nearest one in time is used.
  ///
  /// A report with a storefront and a known purchase may also get a rival storefront. This is the
  /// storefront of the household's export record nearest to the purchase, if it differs and the
  /// record is within 31 days.
  ///
  /// - Parameter periods: The periods of products, which show the instalments among the purchases.
  /// - Returns: The placed reports, in the order of ``reports``.
  public func placedReports(periods: [ProductID: Period]) -> [PlacedReport] {
    let named = NamedRows(self)
    let places = HouseholdStorefronts(self, named)
    let firsts = firstPurchases()
    return reports.enumerated().map { position, own in
      let statedPlace = own.report.storefront
      let recorded = own.named == nil || statedPlace == nil ? nil : own.household
      let rival = recorded.flatMap { household in
        places.nearestRecord(to: own.time, household: household)?.storefront
      }
      let inferred = statedPlace == nil ? own.household : nil
      let first = own.household.flatMap { firsts[Int($0.rawValue)] } ?? .distantFuture
      return PlacedReport(
        evidenceID: own.report.evidenceID, time: own.time, price: own.report.price,
        voter: own.voter, productID: own.report.productID, currency: own.report.currency,
        offers: own.offers,
        place: statedPlace
          ?? inferred.flatMap { places.nearest(to: own.time, household: $0)?.storefront },
        hasOwnPlace: statedPlace != nil, rivalPlace: rival == statedPlace ? nil : rival,
        isLongBefore: own.named == nil && first.since(own.time) > SaleTimes.longestBefore,
        isLate: own.isLate, isAsked: own.isAsked,
        instalment: instalment(named.purchase[position], periods),
        setAside: setAside(own, naming: named.purchase[position]))
    }
  }

  /// The instalment that a purchase pays; `nil` if it pays for a whole period.
  private func instalment(_ row: RowPosition?, _ periods: [ProductID: Period]) -> Instalment? {
    guard let row, row.index < book.revenueCount else { return nil }
    let purchase = book.purchases[row.index]
    return Purchases.instalment(
      of: purchase, kind: purchase.kind(in: Catalogue()), period: periods[purchase.productID])
  }

  /// Returns the verdict on a report that is not compared with others; `nil` for all other reports.
  ///
  /// A report is not compared in four cases:
  ///
  /// 1. Its amount or currency is impossible.
  /// 2. Its transaction id belongs to a purchase of another product. The id is accepted if the
  ///    same subscription has also had the report's product: some apps send the original
  ///    transaction id.
  /// 3. Its price is a charge, and its purchase is unknown or not at the regular price.
  /// 4. Several apps sell its product id, and nothing shows the app.
  private func setAside(_ own: HouseholdReport, naming row: RowPosition?) -> Verdict? {
    let currency = own.report.currency
    guard currency.isKnown, currency.allows(own.report.price),
      offers[own.offers].allSatisfy({ currency.allows($0.price) })
    else { return .impossibleAmount }
    if namesOtherProduct(own) { return .otherProduct }
    if own.report.meaning == .charged, !isRegular(row) { return .charged }
    return isOfUnknownApp(own.report) ? .noReference : nil
  }

  /// Returns true if the report's transaction id belongs to a chain that never had the report's
  /// product.
  private func namesOtherProduct(_ own: HouseholdReport) -> Bool {
    guard own.named == nil, let id = own.report.transactionID, let household = own.household,
      let position = book.purchase(named: id), position < book.revenueCount
    else { return false }
    let chain = book.chains[book.chain(ofRow: position)]
    return chain.household == household
      && !chain.rows.contains { book.purchases[$0].productID.symbol == own.report.productID.symbol }
  }

  /// The beginning of each household's first chain; `nil` for a household without a chain.
  private func firstPurchases() -> [Instant?] {
    var firsts = [Instant?](repeating: nil, count: households)
    for chain in book.chains {
      guard let household = chain.household.map({ Int($0.rawValue) }) else { continue }
      firsts[household] = min(firsts[household] ?? chain.beganAt, chain.beganAt)
    }
    return firsts
  }

  /// Returns true if a purchase is at the regular price according to its own flags; the catalogue
  /// is not used.
  private func isRegular(_ row: RowPosition?) -> Bool {
    guard let row else { return false }
    return switch book.purchases[row.index].kind(in: Catalogue()) {
    case .regular, .oneTime: true
    case .trial, .intro, .promo, .offerCode: false
    }
  }
}
