internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Decisions about late reports: reports made more than a day after the purchase with their
/// transaction id.
///
/// Some apps report every transaction that StoreKit delivers: renewals at the next launch, and old
/// purchases after a restore. Such a report shows the price and the storefront of the day on which
/// it was made, not of the day of the purchase.
extension PriceEvidence {
  /// The reports with a purchase's transaction id that may decide its storefront and price.
  ///
  /// A late report is left out if evidence shows another currency for the subscription's earlier
  /// rows. The phone was then signed in to another account. Example: a subscription in Hungary has
  /// a report in US dollars one week after a renewal → the renewal stays in forint.
  func reportsOfPurchase(of row: Int, running: SubscriptionStorefront?) -> ArraySlice<
    ReportPosition
  > {
    let all = named.reports(naming: row)
    guard !all.isEmpty, let running, running.isStated, let currency = running.currency else {
      return all
    }
    let time = book.purchases[row].purchasedAt
    let isElsewhere = { (position: ReportPosition) in
      self.reports[position.index].isLate && self.report(position).currency != currency
        && (running.storefront.map { self.prices.currencies.currency(of: $0, at: time) == currency }
          ?? true)
    }
    return all.contains(where: isElsewhere) ? all.filter { !isElsewhere($0) }[...] : all
  }

  /// Whether evidence near the time of a row proves the row's storefront.
  ///
  /// Such evidence is a signed storefront, a report made within a day of the purchase, or a record
  /// of the chain within 31 days.
  func provesStorefront(_ row: PricingContext) -> Bool {
    switch row.storefrontSource {
    case .signed: return true
    case .export: return places.ownRecord(of: row.chain, near: row.time) == row.storefront
    case .priceReport, .inferred, .unknown:
      return named.reports(naming: row.row).contains { position in
        !reports[position.index].isLate && report(position).currency == row.currency
          && report(position).storefront.map { $0 == row.storefront } ?? true
      }
    }
  }

  /// Whether a signed transaction, a report or a record of the chain shows the storefront of a row.
  ///
  /// Also true if a report with the row's transaction id has the row's currency.
  func isStorefrontStated(_ row: PricingContext) -> Bool {
    switch row.storefrontSource {
    case .signed, .export, .priceReport: true
    case .inferred, .unknown:
      named.reports(naming: row.row).contains { report($0).currency == row.currency }
    }
  }

  /// Whether a late report is the only evidence of the row's storefront.
  ///
  /// False if the report was made within a day of the purchase. Otherwise the first condition that
  /// holds decides:
  ///
  /// 1. The subscription has moved (``PricingContext/hasMoved``): true.
  /// 2. An earlier row proves the storefront, or a record of the chain shows it within 31 days:
  ///    false.
  /// 3. The reported price was no longer in force when the report was made: false. The report then
  ///    shows the price and storefront of the day of the purchase.
  /// 4. Otherwise: true.
  func hasStorefrontOfLateReport(_ price: ReportedPrice, _ row: PricingContext) -> Bool {
    let report = reports[price.position.index]
    guard report.isLate else { return false }
    if row.hasMoved { return true }
    guard !row.isStorefrontProven, places.ownRecord(of: row.chain, near: row.time) != row.storefront
    else { return false }
    let now = row.market.flatMap { series(of: price, in: $0) }.flatMap {
      prices.history.interval(of: $0, at: report.report.reportedAt)
    }
    return now.map { $0.price == amount(of: price) } ?? true
  }

  /// Whether a report with the row's transaction id has the verdict ``Verdict/contestedPlace``.
  ///
  /// The household's export record nearest to the purchase then shows another storefront. The two
  /// storefronts have different prices or currencies.
  func isContested(_ row: PricingContext) -> Bool {
    named.reports(naming: row.row).contains { reportVerdict($0).verdict == .contestedPlace }
  }

  /// Whether a late report shows the price of the day on which it was made, not the price in force
  /// at the purchase.
  ///
  /// Example: 9.99 USD until June, 12.99 since. A report of 12.99, made in August, has the
  /// transaction id of a purchase in May → true.
  func isOfLaterPrice(_ price: ReportedPrice, _ row: PricingContext) -> Bool {
    guard let series = row.market.flatMap({ series(of: price, in: $0) }) else { return false }
    return prices.history.isReplayed(
      amount(of: price), of: series, by: reports[price.position.index])
  }

  /// Whether a report's price may have begun between the purchase and the report.
  ///
  /// A learned price begins at the first purchase whose report shows it. That report may be made up
  /// to a day after the purchase, so the price may have begun up to a day later.
  ///
  /// Example: a price falls from 5.99 to 3.99 EUR at midnight. A phone reports a purchase of 20:00
  /// four hours later, at 3.99 → true.
  func mayHaveBegunSince(_ price: ReportedPrice, _ row: PricingContext) -> Bool {
    let report = reports[price.position.index]
    guard report.report.reportedAt.since(report.time) > .hours(1),
      let series = row.market.flatMap({ series(of: price, in: $0) }),
      let interval = prices.history.interval(of: series, at: report.time), !interval.isListed,
      let from = interval.from, report.time.since(from) <= OwnReports.grace
    else { return false }
    return series.kind != .regular
      || !prices.hasCatalogueDate(
        series.market, in: series.storefront, after: from.advanced(by: Milliseconds(-1)),
        through: from)
  }

  /// Returns true if a late report names a row after a lapse, and the product had a lower price
  /// since the subscription began.
  ///
  /// Only a missing row or the auto-renewal status shows the lapse. If the customer never left, the
  /// subscription may keep its price, and an app that reports renewals sends the list price.
  ///
  /// Example: a week costs 3.99 from April on, and 4.99 from May on. Auto-renewal is seen off, and
  /// two days are missing before May 19. The app reports this row at 4.99 on May 21 → true.
  func mayKeepPriceFromBeforeLapse(
    _ price: ReportedPrice, _ row: PricingContext, _ chainState: ChainPricingState
  ) -> Bool {
    guard row.kind == .regular, !chainState.isFirstSpell, reports[price.position.index].isLate,
      let market = row.market
    else { return false }
    let began = book.purchases[book.chains[row.chain.index].rows.lowerBound].purchasedAt
    return row.lists.contains { list in
      prices.regularPrices(market, in: list, from: began, through: row.time).contains {
        $0.price < amount(of: price)
      }
    }
  }
}

extension PriceHistory {
  /// Whether a late report's price was in force when the report was made, but not at its purchase.
  ///
  /// A report is late if it was made more than a day after its purchase.
  func isReplayed(_ price: Milliunits, of series: SeriesKey, by report: HouseholdReport) -> Bool {
    guard report.isLate, let then = interval(of: series, at: report.time), then.price != price
    else { return false }
    return interval(of: series, at: report.report.reportedAt)?.price == price
  }
}
