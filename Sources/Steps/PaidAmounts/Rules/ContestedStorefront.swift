internal import Amounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The result of comparing the storefronts that a report and an export record show for a purchase.
///
/// The record is the household's export record nearest to the purchase.
enum StorefrontDispute: Hashable {
  /// There is no dispute: the storefronts are equal, their prices do not differ, or the report or
  /// the record is missing.
  case none
  /// An earlier row or other evidence confirms this storefront.
  case settled(Storefront)
  /// The evidence supports both storefronts.
  case open
}

extension PriceEvidence {
  /// Settles the storefront of a purchase if its report and the nearest export record of the
  /// household show different storefronts.
  ///
  /// If accounts of two countries use one device, the device may show the storefront of either
  /// account. The storefront is settled in this order:
  ///
  /// 1. An earlier row of the subscription has a storefront, without a lapse since then: this
  ///    storefront is used.
  /// 2. The nearest moments of the purchase's own account before and after the purchase name one of
  ///    the two storefronts: that storefront is used. If there are moments on one side only, the
  ///    two nearest must name it. See ``AccountNeighbors/agreed``.
  /// 3. Otherwise the storefront remains disputed.
  ///
  /// Example: a report has 9.99 EUR in Germany. The receipt of that minute and the account's
  /// receipts of March and May are from the United States → United States.
  func dispute(
    over row: Int, chain: ChainPosition, named: ArraySlice<ReportPosition>,
    household: HouseholdNumber?, kept: Storefront?
  ) -> StorefrontDispute {
    guard let household, !named.isEmpty,
      let position = nearestReport(
        row, named, where: { reportVerdict($0).verdict == .contestedPlace }),
      let stated = report(position).storefront
    else { return .none }
    let time = book.purchases[row].purchasedAt
    guard let record = places.nearestRecord(to: time, household: household),
      record.storefront != stated
    else { return .none }
    if let kept { return .settled(kept) }
    let agreed = accountNeighbors(
      of: chain, around: time, reportedAt: report(position).reportedAt
    ).agreed
    guard let agreed, [stated, record.storefront].contains(agreed) else { return .open }
    return .settled(agreed)
  }

  /// Creates the input of the rules for a row with a disputed storefront; `nil` without a dispute.
  func disputed(
    _ row: Int, chain: ChainPosition, kind: PeriodKind, offerIDs: (OfferID?, OfferID?),
    _ dispute: StorefrontDispute, running: SubscriptionStorefront?
  ) -> PricingContext? {
    let purchase = book.purchases[row]
    var (storefront, currency): (Storefront?, Currency?)
    switch dispute {
    case .none: return nil
    case .open: break
    case .settled(let place):
      let kept = running?.storefront == place ? running?.currency : nil
      storefront = place
      currency = kept ?? prices.currencies.currency(of: place, at: purchase.purchasedAt)
    }
    let instalment = timelines.rows[row].instalment
    let market = currency.flatMap { prices.markets.index(purchase.productID, $0, instalment) }
    return PricingContext(
      row: row, chain: chain, customer: book.chains[chain.index].customer,
      household: book.chains[chain.index].household, kind: kind, time: purchase.purchasedAt,
      quantity: Int64(max(1, purchase.quantity)), offerIDs: offerIDs,
      coveredPeriod: timelines.rows[row].coveredPeriod, instalment: instalment,
      decidingReport: nil, charge: .none, storefront: storefront,
      storefrontSource: storefront == nil ? .unknown : .inferred, currency: currency,
      market: market, lists: market.map { prices.lists(of: $0, for: storefront) } ?? [],
      isRunning: running != nil,
      isStorefrontProven: running.map { $0.isProven && $0.currency == currency } ?? false,
      hasMoved: running?.hasMoved ?? false,
      isContested: storefront == nil,
      isUnitDoubted: isUnitDoubted(storefront, currency, at: purchase.purchasedAt))
  }
}
