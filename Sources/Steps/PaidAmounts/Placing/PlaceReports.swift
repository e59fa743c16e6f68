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
      let isCharge = own.report.isCharge
      guard !own.isOfOtherStore else { return Self.placed(ofOtherStore: own) }
      let statedPlace =
        own.report.hasOtherCurrencyThanPlace(at: own.time) ? nil : own.report.storefront
      // A charge is not of the phone, which may be signed in to another account.
      let recorded = own.named == nil || statedPlace == nil || isCharge ? nil : own.household
      let rival = recorded.flatMap { household in
        places.nearestRecord(to: own.time, household: household)?.storefront
      }
      let inferred = statedPlace == nil ? own.household : nil
      let first = own.household.flatMap { firsts[Int($0.rawValue)] } ?? .distantFuture
      let verdict = setAside(own, naming: named.purchase[position], named)
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
        isCharge: isCharge && verdict == nil, setAside: verdict)
    }
  }

  /// Places a report of another store: it has no storefront and no vote.
  private static func placed(ofOtherStore own: HouseholdReport) -> PlacedReport {
    PlacedReport(
      evidenceID: own.report.evidenceID, time: own.time, price: own.report.price,
      voter: own.voter, productID: own.report.productID, currency: own.report.currency,
      offers: own.offers, place: nil, hasOwnPlace: false, setAside: .otherStore)
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
  /// A report is not compared in five cases:
  ///
  /// 1. Its amount or currency is impossible.
  /// 2. Its transaction id belongs to a purchase of another product.
  /// 3. Its price is a charge without a vote: see ``setAside(charge:naming:_:)``.
  /// 4. Its price is an amount that the app states as charged, and its purchase is unknown or not
  ///    at the regular price.
  /// 5. Several apps sell its product id, and nothing shows the app.
  private func setAside(
    _ own: HouseholdReport, naming row: RowPosition?, _ named: NamedRows
  ) -> Verdict? {
    guard own.report.isPossible,
      offers[own.offers].allSatisfy({ own.report.currency.allows($0.price) })
    else { return .impossibleAmount }
    if namesOtherProduct(own) { return .otherProduct }
    if own.report.isCharge { return setAside(charge: own.report, naming: row, named) }
    if own.report.meaning == .charged, !isRegular(row) { return .charged }
    return isOfUnknownApp(own.report) ? .noReference : nil
  }

  /// Returns true if the report's transaction id belongs to a purchase of another product, in a
  /// chain of the report's household.
  ///
  /// False for the original id of a chain that began with the report's product, a trial of it
  /// included: some apps send this id with every purchase of the chain.
  func namesOtherProduct(_ own: HouseholdReport) -> Bool {
    guard own.named == nil, let id = own.report.transactionID, let household = own.household,
      let position = book.purchase(named: id), position < book.revenueCount
    else { return false }
    let chain = book.chains[book.chain(ofRow: position)]
    let isOfProduct =
      book.purchases[position].productID.symbol == own.report.productID.symbol
    return chain.household == household
      && !(isOfProduct && id.number == chain.originalTransactionID.number)
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
  func isRegular(_ row: RowPosition?) -> Bool {
    guard let row else { return false }
    return switch book.purchases[row.index].kind(in: Catalogue()) {
    case .regular, .oneTime: true
    case .trial, .intro, .promo, .offerCode: false
    }
  }
}
