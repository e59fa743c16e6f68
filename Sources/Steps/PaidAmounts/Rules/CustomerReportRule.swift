internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `customer_report`: the price that the same customer reported near the purchase.
  ///
  /// Uses the customer's nearest believed report at or before the purchase, else the first within
  /// 24 hours after it. If the customer has none, searches the chain's reports in the same way,
  /// then the household's. The rule does not apply if the price changed between report and
  /// purchase, or if the report belongs to another price list. Example: 9.99 reported in March
  /// decides a purchase in June if 9.99 is in force in both months.
  func customerReport(_ row: PricingContext, _ notes: inout DecisionNotes)
    throws(AmountError) -> RuleOutcome
  {
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let market = row.market else { return .passed(.noReportOfCustomer) }
    noteReports(row, market, &notes)
    guard let price = nearestPrice(row, market) else { return .passed(.noReportOfCustomer) }
    guard !isRegularForOffer(price, row) else { return .passed(.offerAtRegularPrice) }
    guard !hasBoundary(price, row, market) else { return .passed(.priceChangedSinceReport) }
    var decision = try Decision.known(amount(of: price), row, .derived)
    describe(&decision, by: price, row)
    return .decided(decision)
  }

  private func nearestPrice(_ row: PricingContext, _ market: MarketIndex) -> ReportedPrice? {
    for family in families(of: row, in: market) {
      let nearest = ownReports.nearest(
        to: row.time, family: family, chain: row.chain, customer: row.customer,
        household: row.household)
      if let nearest { return nearest }
    }
    return nil
  }

  /// Returns true if a report cannot show the price of the purchase.
  ///
  /// This is the case if one of these conditions holds:
  ///
  /// - A new interval or stretch of the price begins between the report and the purchase.
  /// - The currency was rebased between the report and the purchase.
  /// - The report and the purchase have different price lists.
  /// - The reported price contradicts the fetched price list.
  /// - Another price is in force at the purchase, three or more report it, and the first of them
  ///   after the report.
  private func hasBoundary(
    _ price: ReportedPrice, _ row: PricingContext, _ market: MarketIndex
  ) -> Bool {
    let time = reports[price.position.index].time
    let (first, last) = (min(time, row.time), max(time, row.time))
    guard rebasings(after: first, until: last, row).isEmpty else { return true }
    func changes(_ series: SeriesKey) -> Bool {
      prices.history.index(of: series, at: first) != prices.history.index(of: series, at: last)
    }
    if price.offer != nil {
      return contradictsListedOffer(price, row, market)
        || series(of: price, in: market).map(changes) ?? false
    }
    let reportLists = prices.lists(of: market, for: reportVerdict(price.position).place)
    let shared = row.lists.filter(reportLists.contains)
    return shared.isEmpty || contradictsList(price, market, in: shared)
      || shared.allSatisfy { isFollowed(price, by: SeriesKey(market, .regular, in: $0), row) }
      || shared.contains { list in
        prices.hasCatalogueDate(market, in: list, after: first, through: last)
          || changes(SeriesKey(market, .regular, in: list))
      }
  }

  /// Returns true if a series has another price at the purchase, which was first reported between
  /// the report and the purchase.
  ///
  /// Example: a date of the catalogue is on February 1. A phone shows the old price from its cache
  /// on the 3rd, others show the new one from March on, and the purchase is of May.
  private func isFollowed(
    _ price: ReportedPrice, by series: SeriesKey, _ row: PricingContext
  ) -> Bool {
    guard let interval = prices.history.interval(of: series, at: row.time), interval.isAgreed,
      interval.price != amount(of: price), let first = interval.firstReportedAt
    else { return false }
    return reports[price.position.index].time < first && first <= row.time
  }

  /// Returns true if an unconfirmed regular price of a report differs from the fetched price list.
  ///
  /// Such a price decides only the purchase with the report's transaction id.
  private func contradictsList(
    _ price: ReportedPrice, _ market: MarketIndex, in lists: [Storefront?]
  ) -> Bool {
    !reportVerdict(price.position).isConfirmed
      && lists.contains { list in
        let series = SeriesKey(market, .regular, in: list)
        guard
          let interval = prices.history.interval(
            of: series, at: reports[price.position.index].time)
        else { return false }
        return interval.isListed && interval.price != amount(of: price)
      }
  }

  /// Returns true if the fetched price list has the offer, but not at the reported price.
  private func contradictsListedOffer(
    _ price: ReportedPrice, _ row: PricingContext, _ market: MarketIndex
  ) -> Bool {
    let listed = seriesInForce(row, market).map { prices.history.intervals[$0] }
      .filter { $0.isListed && (row.kind != .intro || fits(row, $0)) }
    return !listed.isEmpty && listed.allSatisfy { $0.price != amount(of: price) }
  }

  /// Records the household's reported prices of the row's kind, for the command `explain`.
  private func noteReports(
    _ row: PricingContext, _ market: MarketIndex, _ notes: inout DecisionNotes
  ) {
    guard notes.areKept else { return }
    for family in families(of: row, in: market) {
      for price in ownReports.all(family: family, household: row.household) {
        notes.add(
          candidate(
            price.position, price,
            distance: reports[price.position.index].time.since(row.time)))
      }
    }
  }
}

extension RuleText {
  static let customerReport = RuleText(
    .customerReport,
    condition: "The same customer, else the chain or the household, has a believed report with a "
      + "price of the row's kind, product and currency. The nearest report at or before the "
      + "purchase is used, else the first within 24 hours after it. The price did not change "
      + "between report and purchase. A report is left out if within 30 days at least two others, and "
      + "more than report its price, report the price in force, unless its storefront has more "
      + "reports of its price. An introductory price is not used if it equals the regular "
      + "price while another introductory price is in force.",
    result: "Price × quantity; derived.",
    why: "What the customer's own phone showed near the purchase is what the customer paid.")
}
