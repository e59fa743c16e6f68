internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The input of the rules for one revenue row: its storefront, currency and reports.
struct PricingContext {
  /// The position of the row in the purchase history.
  let row: Int
  /// The position of the chain in the purchase history.
  let chain: ChainPosition
  let customer: CustomerID?
  let household: HouseholdNumber?
  let kind: PeriodKind
  let time: Instant
  /// The number of units, at least 1.
  let quantity: Int64
  /// The promotional offer's id, and the offer code's reference name.
  ///
  /// Each is `nil` if it is missing, or if the row is neither a promotional offer nor an offer
  /// code.
  let offerIDs: (OfferID?, OfferID?)
  let coveredPeriod: Period?
  /// The instalment that the row pays; `nil` if the row pays for a whole period.
  let instalment: Instalment?
  /// The report that decides the row: it has the row's transaction id and a price of its kind.
  ///
  /// The report is believed, or states the charged amount. `nil` if there is no such report.
  let decidingReport: DecidingReport?
  /// What the charges of the row state.
  let charge: RowCharge
  let storefront: Storefront?
  let storefrontSource: StorefrontSource
  let currency: Currency?
  /// The market of the row: its product in its currency, or the row's instalment of the product.
  ///
  /// `nil` if the product has no price in the currency, or the currency is unknown.
  let market: MarketIndex?
  /// The price lists that may apply to the row; empty if ``market`` is `nil`.
  ///
  /// `nil` stands for the common list: that of all storefronts without their own list.
  let lists: [Storefront?]
  /// Whether the row follows another row of its subscription, without a lapse between them.
  ///
  /// Such a row keeps the storefront and currency of the row before it, unless other evidence is
  /// stronger.
  let isRunning: Bool
  /// Whether the storefront or currency that the row keeps was proven at an earlier row of the
  /// subscription.
  let isStorefrontProven: Bool
  /// Whether the subscription changed to the currency of another storefront before this row.
  ///
  /// Changes before the subscription's last lapse are ignored.
  let hasMoved: Bool
  /// Whether the row's storefront is disputed, and other evidence does not settle the dispute.
  ///
  /// A report of the purchase and the household's nearest export record then show different
  /// storefronts. Storefront and currency are unknown.
  let isContested: Bool
  /// Whether the unit of the storefront's prices is doubtful at the row's time.
  let isUnitDoubted: Bool

  var presentOfferIDs: [OfferID] { [offerIDs.0, offerIDs.1].compactMap(\.self) }
}

extension PriceEvidence {
  /// Collects the storefront, currency and reports of a row.
  func pricingContext(at row: Int, chain: ChainPosition, _ chainState: ChainPricingState)
    -> PricingContext
  {
    let purchase = book.purchases[row]
    let running = purchase.isSubscription ? chainState.running : nil
    let kind = timelines.rows[row].kind
    let offerIDs =
      kind == .promo || kind == .offerCode
      ? (purchase.promotionalOfferID, purchase.offerCodeRefName) : (nil, nil)
    let named = reportsOfPurchase(of: row, running: running)
    let decidingReport =
      named.isEmpty
      ? nil
      : decidingReport(
        of: row, named: named, kind: kind, offerIDs: offerIDs, running: running?.currency)
    let charge = charge(of: row)
    let instalment = timelines.rows[row].instalment
    let household = book.chains[chain.index].household
    let dispute =
      charge.decidingCharge == nil
      ? placeDispute(
        over: row, chain: chain, named: named, decidingReport: decidingReport,
        household: household, running: running) : .none
    if let view = disputed(
      row, chain: chain, kind: kind, offerIDs: offerIDs, dispute, running: running)
    {
      return view
    }
    let stated =
      signedPrice(ofRow: row)?.currency ?? charge.decidingCharge?.currency
      ?? namedCurrency(row, named: named, decidingReport: decidingReport)
    let statedCurrency = stated ?? running?.currency
    let place = place(
      of: row, chain: chain, household: household, named: named, decidingReport: decidingReport,
      charge: charge.decidingCharge, running: running, currency: statedCurrency)
    let currency = currency(
      of: row, household: household, stated: stated, storefront: place.storefront, running: running)
    let market = currency.flatMap { prices.markets.index(purchase.productID, $0, instalment) }
    return PricingContext(
      row: row, chain: chain, customer: book.chains[chain.index].customer, household: household,
      kind: kind, time: purchase.purchasedAt, quantity: Int64(max(1, purchase.quantity)),
      offerIDs: offerIDs, coveredPeriod: timelines.rows[row].coveredPeriod,
      instalment: instalment, decidingReport: decidingReport, charge: charge,
      storefront: place.storefront, storefrontSource: place.source, currency: currency,
      market: market, lists: market.map { prices.lists(of: $0, for: place.storefront) } ?? [],
      isRunning: running != nil,
      isStorefrontProven: running.map { $0.isProven && $0.currency == currency } ?? false,
      hasMoved: running?.hasMoved ?? false, isContested: false,
      isUnitDoubted: isUnitDoubted(place.storefront, currency, at: purchase.purchasedAt))
  }

  /// Finds out whether the storefront of a row is disputed, and settles it if possible.
  ///
  /// The storefront of a signed transaction is never disputed.
  private func placeDispute(
    over row: Int, chain: ChainPosition, named: ArraySlice<ReportPosition>,
    decidingReport: DecidingReport?, household: HouseholdNumber?,
    running: SubscriptionStorefront?
  ) -> StorefrontDispute {
    let kept = running?.storefront
    guard signedPrice(ofRow: row) == nil, book.purchases[row].signed?.storefront == nil else {
      return .none
    }
    if decidingReport == nil {
      let dispute = dispute(
        over: row, chain: chain, named: named, household: household, kept: kept)
      if dispute != .none { return dispute }
    }
    let overruled = overruledPlace(of: row, chain: chain, report: decidingReport?.position)
    if let overruled, kept == nil || kept == overruled { return .settled(overruled) }
    guard kept == nil, named.isEmpty, signedPlace(ofSpellOf: row, chain: chain) == nil else {
      return .none
    }
    // A running subscription stays where it was bought, known or not.
    let isUnknown =
      running?.isContested == true
      || isOfUnknownCountry(row, chain: chain, household: household)
    return isUnknown ? .open : .none
  }

  /// Returns true if the unit of prices is doubtful at the storefront and time of a purchase.
  func isUnitDoubted(_ place: Storefront?, _ currency: Currency?, at time: Instant) -> Bool {
    currency.map { prices.isUnitDoubted(place, $0, at: time) } ?? false
  }

  func report(_ position: ReportPosition) -> PriceReport {
    reports[position.index].report
  }

  func reportVerdict(_ position: ReportPosition) -> ReportVerdict { reportVerdicts[position.index] }

  /// Finds the storefront of a row.
  ///
  /// Uses the first storefront that is known:
  ///
  /// 1. The storefront in the signed transaction.
  /// 2. The storefront of a charge of the row, if its currency is used there; else of a report with
  ///    the row's transaction id.
  /// 3. The storefront of the row before it in the subscription; else the first one that Apple
  ///    signed for a later row of the spell.
  /// 4. The storefront of the nearest report or export record of the chain or household. If the
  ///    row's currency is known and this storefront has another currency, the storefront is
  ///    unknown.
  private func place(
    of row: Int, chain: ChainPosition, household: HouseholdNumber?,
    named: ArraySlice<ReportPosition>,
    decidingReport: DecidingReport?, charge: DecidingCharge?, running: SubscriptionStorefront?,
    currency: Currency?
  ) -> (storefront: Storefront?, source: StorefrontSource) {
    if let signed = book.purchases[row].signed?.storefront { return (signed, .signed) }
    if let stated = charge?.storefront { return (stated, .priceReport) }
    let isOtherCurrency = { (position: ReportPosition) in
      charge.map { $0.currency != self.report(position).currency } ?? false
    }
    if let position = decidingReport?.position, !isOtherCurrency(position),
      let stated = report(position).storefront
    {
      return (stated, .priceReport)
    }
    let time = book.purchases[row].purchasedAt
    let nearest = nearestReport(row, named) {
      report($0).storefront != nil && reportVerdict($0).verdict != .contestedPlace
        && !isOtherCurrency($0) && !report($0).hasOtherCurrencyThanPlace(at: time)
    }
    if let stated = nearest.flatMap({ report($0).storefront }) { return (stated, .priceReport) }
    if let running, let kept = running.storefront,
      charge.map({ $0.currency == running.currency }) ?? true
    {
      return (kept, .inferred)
    }
    if let later = signedPlace(ofSpellOf: row, chain: chain) { return (later, .inferred) }
    guard let found = places.nearest(to: time, chain: chain, household: household) else {
      return (nil, .unknown)
    }
    if let currency, prices.currencies.currency(of: found.storefront, at: time) != currency {
      return (nil, .unknown)
    }
    let isExport = found.report == nil && found.chain == chain
    return (found.storefront, isExport ? .export : .inferred)
  }

  /// The first storefront in a signed transaction of a row's spell from this row on.
  private func signedPlace(ofSpellOf row: Int, chain: ChainPosition) -> Storefront? {
    guard let spell = timelines.rows[row].spellNumber else { return nil }
    for later in book.chains[chain.index].rows where later >= row {
      guard let number = timelines.rows[later].spellNumber else { continue }
      guard number == spell else { return nil }
      if let signed = book.purchases[later].signed?.storefront { return signed }
    }
    return nil
  }

  /// The currency in a report with the row's transaction id; `nil` if no such report is usable.
  ///
  /// A deciding report is always used. Without a deciding report, ``nearestReport(_:_:where:)``
  /// selects one of the reports with a known currency. Reports with a mismatched currency or a
  /// contested storefront are left out.
  private func namedCurrency(
    _ row: Int, named: ArraySlice<ReportPosition>, decidingReport: DecidingReport?
  ) -> Currency? {
    if let decidingReport { return report(decidingReport.position).currency }
    return nearestReport(row, named) {
      ![.currencyMismatch, .contestedPlace, .contestedCharge].contains(reportVerdict($0).verdict)
        && report($0).currency.isKnown
    }.map { report($0).currency }
  }

  /// The currency of a row; `nil` if unknown.
  ///
  /// Uses the first currency that is known:
  ///
  /// 1. The currency of the signed price, of a charge or of a report of the purchase (`stated`).
  /// 2. The currency of the row's storefront at the time of the purchase.
  /// 3. The currency of the subscription's earlier rows (`running`).
  /// 4. The currency of the household's report nearest in time.
  private func currency(
    of row: Int, household: HouseholdNumber?, stated: Currency?, storefront: Storefront?,
    running: SubscriptionStorefront?
  ) -> Currency? {
    if let stated { return stated }
    let time = book.purchases[row].purchasedAt
    if let storefront { return prices.currencies.currency(of: storefront, at: time) }
    if let kept = running?.currency { return kept }
    let nearest = household.flatMap { currencies.nearest(to: time, household: $0) }
    // The service's own record of the purchase is nearer than another purchase of the customer.
    guard let booked = book.purchases[row].service?.charged?.currency else { return nearest }
    return booked == nearest ? nearest : nil
  }

  /// The best of the given reports for which `isCandidate` is true; `nil` if there is none.
  ///
  /// Prefers believed reports, then the report nearest to the purchase, then the earlier report,
  /// then the report with the smaller evidence id.
  func nearestReport(
    _ row: Int, _ named: ArraySlice<ReportPosition>, where isCandidate: (ReportPosition) -> Bool
  ) -> ReportPosition? {
    named.filter(isCandidate).min {
      let left = reportVerdict($0).verdict.isBelieved ? 0 : 1
      let right = reportVerdict($1).verdict.isBelieved ? 0 : 1
      return left != right ? left < right : nearness($0, row) < nearness($1, row)
    }
  }

  /// The sort key of a report: its distance from the purchase in milliseconds, its time, its
  /// position.
  func nearness(_ position: ReportPosition, _ row: Int) -> (Int64, Int64, ReportPosition) {
    let reportedAt = report(position).reportedAt
    let distance = reportedAt.since(book.purchases[row].purchasedAt).magnitude.rawValue
    return (distance, reportedAt.milliseconds, position)
  }
}
