internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The report whose price decides a row; report and row have the same transaction id.
struct DecidingReport {
  /// The position of the report in the batch.
  var position: ReportPosition
  var price: ReportedPrice
  /// Whether another reported price for the row has as many voters as this report's price.
  var isContested: Bool
  /// Whether the report's currency differs from the currency of the subscription's earlier rows.
  var isElsewhere: Bool
}

extension PriceEvidence {
  /// `reported_with_purchase`: the price in a believed report with the purchase's transaction id.
  ///
  /// A report that states the charged amount is used too. The result is exact if the report was
  /// compared with a reference and other voters confirm the price. It is derived if the price is
  /// not confirmed, or if other evidence makes the price doubtful. For example, another price for
  /// the purchase has as many voters, or the report's currency differs from that of the
  /// subscription's earlier rows. Example: a report of 9.99 USD with the purchase's transaction id,
  /// in a month in which others report 9.99: 9.99, exact.
  func reportedWithPurchase(
    _ row: PricingContext, _ chainState: ChainPricingState, _ notes: inout DecisionNotes
  ) throws(AmountError) -> RuleOutcome {
    noteReports(row, &notes)
    guard !row.isUnitDoubted else { return .passed(.unitDoubted) }
    guard let decidingReport = row.decidingReport else { return .passed(reasonWithoutReport(row)) }
    guard !isRegularForOffer(decidingReport.price, row) else {
      return .passed(.offerAtRegularPrice)
    }
    let renewal = try renewal(row, chainState, at: decidingReport.price)
    guard renewal != .another else { return .passed(.renewalKeepsPrice) }
    guard renewal != .aboveKeptPrice else { return .passed(.firstRowsMissing) }
    guard !isOfLaterPrice(decidingReport.price, row) else { return .passed(.reportOfLaterPrice) }
    guard !contradictsOffer(decidingReport.price, row, chainState) else {
      return .passed(.offerKeepsPrice)
    }
    let reportVerdict = reportVerdict(decidingReport.position)
    let isExact =
      reportVerdict.verdict == .believed && reportVerdict.isConfirmed && renewal != .unknown
      && isSettled(decidingReport, row)
      && !mayKeepPriceFromBeforeLapse(decidingReport.price, row, chainState)
    var decision = try Decision.known(
      amount(of: decidingReport.price), row, isExact ? .exact : .derived)
    describe(&decision, by: decidingReport.price, row)
    return .decided(decision)
  }

  /// Whether no other evidence makes a confirmed price doubtful.
  func isSettled(_ decidingReport: DecidingReport, _ row: PricingContext) -> Bool {
    !decidingReport.isContested && !decidingReport.isElsewhere
      && !hasDoubtfulStorefront(decidingReport.position, row)
      && !hasStorefrontOfLateReport(decidingReport.price, row) && !isContested(row)
      && hasCertainStorefront(decidingReport.position, row) && !hasMovedByReportsOnly(row)
      && !mayHaveBegunSince(decidingReport.price, row)
      && isAgreed(decidingReport.price, row) && !mayBePromoCode(row) && isUsualCurrency(row)
      && !hasUnclearPeriod(row) && !hasSeveralPricesInSpell(decidingReport.price, row)
  }

  /// Returns true if the App Store's own table has the row's currency for its storefront.
  ///
  /// Also true if the storefront is unknown, or missing from the table. Example: three phones in
  /// Austria report US dollars, because their SDK reads the currency from the language settings →
  /// false; the amounts are then only derived.
  private func isUsualCurrency(_ row: PricingContext) -> Bool {
    guard let storefront = row.storefront,
      let usual = StorefrontCurrencies.usual(in: storefront, at: row.time)
    else { return true }
    return usual == row.currency
  }

  /// Returns true if nothing shows whether the product is sold by the year or by the month.
  private func hasUnclearPeriod(_ row: PricingContext) -> Bool {
    row.kind == .regular
      && timelines.unclearPeriods.contains(book.purchases[row.row].productID)
  }

  /// Returns true if a row may have been bought with an App Store promo code.
  ///
  /// Such a row is a one-time purchase, or the first row of a spell or of a product in its chain,
  /// on a day for which the catalogue lists promo codes.
  ///
  /// Example: codes from May 1 to May 31: a subscription that begins, or begins again, on May 10
  /// may be free; its renewal of June 10 was paid.
  func mayBePromoCode(_ row: PricingContext) -> Bool {
    guard let product = catalogue.products[book.purchases[row.row].productID],
      !product.promoCodes.isEmpty
    else { return false }
    let isFirst =
      row.kind == .oneTime
      || row.kind == .regular && isFirstOfSpellOrProduct(row)
    return isFirst && product.promoCodes.contains { $0.contains(row.time) }
  }

  /// Returns true for the first row of a spell, and for a row of another product than the row
  /// before.
  private func isFirstOfSpellOrProduct(_ row: PricingContext) -> Bool {
    book.chains[row.chain.index].rows.lowerBound == row.row
      || timelines.rows[row.row].followsLapse
      || book.purchases[row.row - 1].productID != book.purchases[row.row].productID
  }

  /// Returns true if a promotional offer was applied within a running spell, and had several prices
  /// since the spell began.
  ///
  /// The customer may have accepted the offer at an earlier price.
  private func hasSeveralPricesInSpell(_ price: ReportedPrice, _ row: PricingContext) -> Bool {
    guard row.kind == .promo, !isFirstOfSpellOrProduct(row),
      let series = row.market.flatMap({ self.series(of: price, in: $0) })
    else { return false }
    let rows = book.chains[row.chain.index].rows
    let first = (rows.lowerBound...row.row).last {
      $0 == rows.lowerBound || timelines.rows[$0].followsLapse
    }
    let began = first.map { book.purchases[$0].purchasedAt } ?? row.time
    let known = prices.history.intervals(of: series).filter {
      ($0.from ?? .distantPast) <= row.time && ($0.to ?? .distantFuture) > began
    }
    return Set(known.map(\.price)).count > 1
  }

  /// Whether the reported price of an offer is in force, and other voters or the fetched price list
  /// confirm this price.
  ///
  /// Three more conditions must hold: the price had begun and not ended at the time of the report,
  /// an introductory offer is as long as the row, and a pay-as-you-go offer does not cost more than
  /// the regular price. Always true for a regular
  /// price, which is checked elsewhere.
  private func isAgreed(_ price: ReportedPrice, _ row: PricingContext) -> Bool {
    guard price.offer != nil else { return true }
    guard let offer = price.offer.map({ offers[$0] }), let interval = offerInForce(price, row),
      interval.isListed || isWithin(interval, price),
      row.kind != .intro
        || fits(
          row, mode: offer.paymentMode,
          length: OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period)),
      offer.paymentMode != .payAsYouGo || amount(of: price) <= report(price.position).price
    else { return false }
    return interval.price == amount(of: price) && (interval.isAgreed || interval.isListed)
  }

  /// Whether other reports show that an offer's price had begun and had not ended at a report.
  ///
  /// The first report of a price after another one may be of the wrong time, and so may the last
  /// one before another price.
  private func isWithin(_ interval: PriceInterval, _ price: ReportedPrice) -> Bool {
    let report = reports[price.position.index]
    return (interval.from == nil || interval.firstReport != report.report.evidenceID)
      && (interval.to == nil || interval.endsAtCatalogueDate
        || interval.lastReportedAt > report.time)
  }

  /// Returns true if a report's introductory price equals its regular price, but another
  /// introductory price is in force.
  ///
  /// Then the app sends the regular price in both fields.
  func isRegularForOffer(_ price: ReportedPrice, _ row: PricingContext) -> Bool {
    guard let offer = price.offer, offers[offer].offerID == nil,
      amount(of: price) == report(price.position).price,
      let interval = offerInForce(price, row)
    else { return false }
    return interval.price != amount(of: price)
  }

  /// The interval of the offer's price that is in force at the time of the report; `nil` if there
  /// is none.
  private func offerInForce(_ price: ReportedPrice, _ row: PricingContext) -> PriceInterval? {
    row.market.flatMap { series(of: price, in: $0) }.flatMap {
      prices.history.interval(of: $0, at: reports[price.position.index].time)
    }
  }

  /// Returns true if a report has no known storefront, and its household reports another currency
  /// around the time of the row.
  private func hasDoubtfulStorefront(_ position: ReportPosition, _ row: PricingContext) -> Bool {
    guard reportVerdict(position).place == nil, let household = row.household else { return false }
    return currencies.isContradicted(position, at: row.time, household: household)
  }

  /// Whether a household alternates between two storefronts, or was in a country with another
  /// currency within 180 days of a purchase.
  ///
  /// For the second condition, evidence of the row's own chain is ignored. Alternation is ignored
  /// if the row follows another row of its subscription without a lapse.
  func isOfTwoCountries(_ row: PricingContext) -> Bool {
    guard let household = row.household, let currency = row.currency else { return false }
    if places.alternates(household), !row.isRunning { return true }
    return places.contains(household: household, without: row.chain, around: row.time) {
      storefront in
      storefront != row.storefront
        && prices.currencies.currency(of: storefront, at: row.time) != currency
    }
  }

  /// Whether only reports show that a running subscription has moved to another currency.
  ///
  /// No record of the chain within 31 days of the purchase then shows the new storefront. The App
  /// Store does not move a running subscription to another country, but the customer's device may
  /// be signed in to another account. Example: a subscription of the United States is reported in
  /// Spain, in euros, since its fourth month → each amount since then is derived.
  private func hasMovedByReportsOnly(_ row: PricingContext) -> Bool {
    row.hasMoved && places.ownRecord(of: row.chain, near: row.time) != row.storefront
  }

  /// Adds a report to a decision: the report's id, the payment mode, and the price in force at the
  /// time of the report, if it equals the reported price.
  func describe(_ decision: inout Decision, by price: ReportedPrice, _ row: PricingContext) {
    let report = reports[price.position.index]
    decision.evidence = report.report.evidenceID
    decision.mode = mode(of: price).map(RowPaymentMode.init)
    guard let series = row.market.flatMap({ self.series(of: price, in: $0) }),
      let index = prices.history.index(of: series, at: report.time),
      prices.history.intervals[index].price == amount(of: price)
    else { return }
    decision.interval = index
  }

  /// Finds the report that decides a row; `nil` if no report with its transaction id has a price of
  /// the row's kind.
  ///
  /// Uses the price with the most voters, and of its reports the report nearest to the purchase. If
  /// two prices have equally many voters, the report nearest to the purchase decides, then the
  /// earlier report, then the report with the smaller evidence id.
  func decidingReport(
    of row: Int, named: ArraySlice<ReportPosition>, kind: PeriodKind,
    offerIDs: (OfferID?, OfferID?),
    running: Currency?
  ) -> DecidingReport? {
    let all = named.compactMap { position -> Claim? in
      guard isEvidence(position), isOfLength(position, of: row),
        let price = price(in: position, kind: kind, offerIDs: offerIDs)
      else { return nil }
      return Claim(
        currency: report(position).currency, amount: amount(of: price),
        voter: reports[position.index].voter, nearness: nearness(position, row),
        price: price)
    }.sorted { ($0.currency, $0.amount, $0.voter) < ($1.currency, $1.amount, $1.voter) }
    let claims = atListPrice(all, row)
    guard !claims.isEmpty else { return nil }
    let (best, isContested) = Self.strongest(claims)
    return DecidingReport(
      position: best.price.position, price: best.price, isContested: isContested,
      isElsewhere: running.map { $0 != best.currency } ?? false)
  }

  /// Of several prices of a purchase with a quantity above 1, keeps those at the price in force.
  ///
  /// The others may be totals. Keeps all if none is at the price in force.
  private func atListPrice(_ claims: [Claim], _ row: Int) -> [Claim] {
    guard book.purchases[row].quantity > 1,
      claims.contains(where: { !$0.isSamePrice(as: claims[0]) })
    else { return claims }
    let fitting = claims.filter { claim in
      guard claim.price.offer == nil,
        let market = prices.markets.index(book.purchases[row].productID, claim.currency)
      else { return false }
      return prices.lists(of: market, for: reportVerdict(claim.price.position).place).contains {
        prices.priceInForce(market, in: $0, at: book.purchases[row].purchasedAt)?.price
          == claim.amount
      }
    }
    return fitting.isEmpty ? claims : fitting
  }

  /// Returns true if a report may decide the amount of the purchase with its transaction id.
  ///
  /// The report must be believed, or must state an amount that was charged, or only its storefront
  /// is wrong. A charge has a rule of its own, `reported_charge`.
  private func isEvidence(_ position: ReportPosition) -> Bool {
    !report(position).isCharge
      && (reportVerdict(position).isBelieved
        || [.charged, .wrongPlace].contains(reportVerdict(position).verdict))
  }

  /// Returns true if a report's price pays for as much as a row: for the same instalment, or for a
  /// whole period.
  ///
  /// Example: a phone shows 89.99 USD for a year of which the row pays one month → false.
  func isOfLength(_ position: ReportPosition, of row: Int) -> Bool {
    timelines.rows[row].kind != .regular
      || reportVerdict(position).instalment == timelines.rows[row].instalment
  }

  private struct Claim {
    var currency: Currency
    var amount: Milliunits
    var voter: Voter
    var nearness: (Int64, Int64, ReportPosition)
    var price: ReportedPrice

    func isSamePrice(as other: Claim) -> Bool {
      currency == other.currency && amount == other.amount
    }
  }

  /// The claim with the most voters, and whether a different price has equally many voters.
  ///
  /// Two prices of a single voter do not contest each other, because the voter corrected the
  /// report.
  private static func strongest(_ claims: [Claim]) -> (best: Claim, isContested: Bool) {
    var best = (voters: 0, claim: claims[0])
    var isContested = false
    var start = 0
    while start < claims.count {
      var end = start
      var voters = 0
      var nearest = claims[start]
      while end < claims.count, claims[end].isSamePrice(as: claims[start]) {
        if end == start || claims[end].voter != claims[end - 1].voter { voters += 1 }
        if claims[end].nearness < nearest.nearness { nearest = claims[end] }
        end += 1
      }
      if voters > best.voters {
        best = (voters, nearest)
        isContested = false
      } else if voters == best.voters {
        // If one voter corrects its own report, the price is not contested.
        let isSameVoter = voters == 1 && best.claim.voter == nearest.voter
        isContested = isContested || !isSameVoter
        if nearest.nearness < best.claim.nearness { best = (voters, nearest) }
      }
      start = end
    }
    return (best.claim, isContested)
  }

  private func reasonWithoutReport(_ row: PricingContext) -> PassReason {
    if row.isContested { return .placeContested }
    let named = named.reports(naming: row.row).filter { !report($0).isCharge }
    guard !named.isEmpty else { return .noReportNamesIt }
    let believed = named.count(where: isEvidence)
    guard believed == 0 || named.contains(where: { isEvidence($0) && isOfLength($0, of: row.row) })
    else { return .reportOfOtherLength }
    return believed == 0
      ? .namingReportsNotBelieved(count: named.count) : .namingReportsLackPrice(count: believed)
  }

  /// Records every report with the row's transaction id, and its price of the row's kind, for the
  /// command `explain`.
  private func noteReports(_ row: PricingContext, _ notes: inout DecisionNotes) {
    guard notes.areKept else { return }
    for position in named.reports(naming: row.row) where !report(position).isCharge {
      notes.add(
        candidate(
          position, price(in: position, kind: row.kind, offerIDs: row.offerIDs),
          distance: report(position).reportedAt.since(row.time)))
    }
  }
}

extension RuleText {
  static let reportedWithPurchase = RuleText(
    .reportedWithPurchase,
    condition:
      "A believed report has one of the purchase's transaction ids and the same product, and "
      + "states the price for this kind of row (regular, introductory or offer), or the amount that "
      + "was charged for the row. If there are several, the price with the most voters is used, and "
      + "of its reports the one nearest in time to the purchase.",
    result:
      "Price × quantity; exact. The status is derived in these cases: (1) the report could "
      + "not be compared with any price; (2) too few other voters report the same price in "
      + "the storefront around the time of the report, or another price may be in force already; "
      + "(3) equally many other voters report another price for the purchase; (4) the report is "
      + "in another currency than the running subscription, or only reports show that the subscription moved to another "
      + "currency; (5) the household's phones show storefronts of two currencies or price lists, "
      + "unless the household moved once and the phones show the row's storefront before and after "
      + "the purchase and on two other days within 90 days; (6) only a report "
      + "made more than a day after the purchase shows the purchase's storefront, and the "
      + "reported price is still in force; (7) an introductory offer is not as long as the "
      + "row; (8) an offer that is paid for each period costs more than the regular price; "
      + "(9) the catalogue has App Store promo codes for the product at that time, and the "
      + "row is a one-time purchase, or the first of a spell or of a product; (10) the App Store's list of "
      + "currencies has another currency for the storefront at that time; (11) the exports have rows "
      + "of a month and of a year of the product, and the catalogue does not tell its period; "
      + "(12) a promotional offer within a running spell had several prices since the spell began; "
      + "(13) the report was made more than a day after a regular row that follows a lapse, and "
      + "the product had a lower price since the subscription began; "
      + "(14) the report was made more than an hour after the purchase, and the first report of its "
      + "price is of a purchase at most a day earlier: the price may have begun since. "
      + "Five kinds of reports are not used: (1) a report whose storefront is not that of the record around "
      + "the purchase; the row is then unresolved, unless an earlier row or the household's "
      + "other reports and records settle the storefront; (2) an introductory price that "
      + "equals the regular price; (3) a report of a renewal at a higher price than its "
      + "subscriber pays, or of a renewal whose subscriber may keep a lower price from before the "
      + "first known row; (4) a report made more than a day after the purchase, if it is in "
      + "another currency than the running subscription, if its price came into force later, "
      + "or if the offer began at another price; (5) a report with the price of a whole period "
      + "for a row that pays an instalment, which is less than half of the period.",
    why:
      "The app read the price when the customer bought. A single report can be wrong or forged; "
      + "a price that other voters report too is what the App Store charged.")
}
