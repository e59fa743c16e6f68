public import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// Decides the amount paid for every revenue row of the batch, and records the reasons.
  ///
  /// The result for a household depends neither on the other households of the batch nor on the
  /// order of reading. Example: a customer subscribes on May 1 at 9.99 USD. On May 5 the price
  /// rises to 12.99, but existing subscribers keep their price → the renewal of June 1 is 9.99.
  ///
  /// - Returns: The amounts by row, and the price rises that the catalogue must explain.
  /// - Throws: ``AmountError/overflow`` if a price times a quantity overflows. Values within the
  ///   readers' limits never cause this.
  public func paidAmounts(policy: RenewalPolicy) throws(AmountError) -> PaidAmountResults {
    var chainState = ChainPricingState(markets: prices.markets.count)
    var result = PaidAmountResults()
    result.amounts.reserveCapacity(book.revenueCount)
    for chain in book.chains.indices {
      chainState.beginChain()
      for row in book.chains[chain].rows {
        result.amounts.append(
          try decide(
            row: row, chain: ChainPosition(chain), policy: policy, chainState: &chainState,
            into: &result))
      }
    }
    result.unexplainedRises = chainState.unexplainedRises
    result.onLaterCharges = chainState.laterCharges.chains
    return result
  }

  /// Tries the rules on the next row of a chain, and records the row's price for later rows.
  func decide(
    row: Int, chain: ChainPosition, policy: RenewalPolicy, chainState: inout ChainPricingState,
    into result: inout PaidAmountResults
  ) throws(AmountError) -> PaidAmount {
    begin(row, chain: chain, &chainState)
    let view = pricingContext(at: row, chain: chain, chainState)
    var notes = DecisionNotes(areKept: false)
    for rule in PriceRule.allCases {
      guard case .decided(let decision) = try apply(rule, view, &chainState, policy, &notes) else {
        continue
      }
      let amount = try amount(view, rule, decision)
      if rule == .ownerCorrection {
        let other = try self.decision(after: rule, view, chainState, policy)
        result.corrected.append(
          CorrectedRow(row: row, without: try self.amount(view, other.rule, other.decision)))
      }
      var otherwise: PricedRow?
      if rule == .appleReport, view.kind == .regular {
        let other = try self.decision(after: rule, view, chainState, policy)
        otherwise = pricedRow(
          view, try self.amount(view, other.rule, other.decision), other.decision)
        if let basis = other.decision.basis { otherwise?.row = basis.index }
      }
      note(amount, view, decision, otherwise: otherwise, &chainState)
      if book.purchases[row].isSubscription {
        let before = chainState.running ?? SubscriptionStorefront()
        chainState.note(
          running: before.next(
            view.storefront, amount.currency, isProven: provesStorefront(view),
            isStated: isStorefrontStated(view), isContested: view.isContested))
      }
      return amount
    }
    preconditionFailure("no rule decides this row")
  }

  /// Decides the amount with the rules that come after a given rule.
  ///
  /// If the given rule is `apple_report`, earlier rows have the prices that they would have
  /// without Apple's reports.
  func decision(
    after rule: PriceRule, _ row: PricingContext, _ chainState: ChainPricingState,
    _ policy: RenewalPolicy
  ) throws(AmountError) -> (rule: PriceRule, decision: Decision) {
    var chainState = chainState
    if rule == .appleReport { chainState.isWithoutAppleReports = true }
    var notes = DecisionNotes(areKept: false)
    for next in PriceRule.allCases.drop(while: { $0 != rule }).dropFirst() {
      if case .decided(let decision) = try apply(next, row, &chainState, policy, &notes) {
        return (next, decision)
      }
    }
    preconditionFailure("no rule decides this row")
  }

  func apply(
    _ rule: PriceRule, _ row: PricingContext, _ chainState: inout ChainPricingState,
    _ policy: RenewalPolicy, _ notes: inout DecisionNotes
  ) throws(AmountError) -> RuleOutcome {
    if row.isUnitDoubted, rule.dependsOnUnit { return .passed(.unitDoubted) }
    return switch rule {
    case .conflict: conflict(row)
    case .signedPrice: signedPrice(row)
    case .appleReport: try appleReport(row, chainState, policy)
    case .ownerCorrection: ownerCorrection(row)
    case .freeTrial: freeTrial(row)
    case .freeOffer: freeOffer(row)
    case .reportedCharge: try reportedCharge(row, &notes)
    case .reportedWithPurchase: try reportedWithPurchase(row, chainState, &notes)
    case .sameOffer: try sameOffer(row, chainState, &notes)
    case .previousRenewal: try previousRenewal(row, &chainState, policy, &notes)
    case .customerReport: try customerReport(row, &notes)
    case .priceHistory: try priceHistory(row, &notes)
    case .servicePrice: try servicePrice(row)
    case .catalogueOffer: try catalogueOffer(row, &notes)
    case .cataloguePrice: try cataloguePrice(row, &notes)
    case .unresolved: .decided(try narrowed(try unresolved(row), row))
    }
  }

  /// The regular price in force for one unit, from reports or else from the catalogue.
  ///
  /// `nil` if the price is unknown, if the possible price lists have different prices, or if a
  /// price change near the row's time has no exact date.
  private func listPrice(_ row: PricingContext) -> Milliunits? {
    guard let market = row.market, !row.isUnitDoubted,
      !row.lists.contains(where: { prices.change(market, in: $0, around: row.time) != nil })
    else { return nil }
    let listed = row.lists.compactMap { list in
      prices.history.interval(of: SeriesKey(market, .regular, in: list), at: row.time)?.price
        ?? prices.listPrice(market, in: list, at: row.time)?.price
    }
    return listed.first.flatMap { first in listed.allSatisfy { $0 == first } ? first : nil }
  }

  /// Creates the amount of a row from a rule's decision.
  func amount(_ row: PricingContext, _ rule: PriceRule, _ decision: Decision)
    throws(AmountError) -> PaidAmount
  {
    PaidAmount(
      currency: decision.currency ?? row.currency, storefront: row.storefront,
      storefrontSource: row.storefrontSource,
      paymentMode: paymentMode(row, decision.mode), listPrice: listPrice(row), paid: decision.paid,
      low: decision.low, high: decision.high, status: decision.status, rule: rule,
      evidence: decision.evidence, interval: decision.interval,
      basis: decision.basis, proceeds: try appleProceeds(row, decision))
  }

  /// Determines the payment mode of a row.
  ///
  /// Uses the row's flags and signed transaction, else the deciding price. If neither shows the
  /// mode, uses the length of the row's period and the other rows of its offer period.
  private func paymentMode(_ row: PricingContext, _ stated: RowPaymentMode?) -> RowPaymentMode {
    if book.purchases[row.row].isTrialPeriod == true || row.kind == .trial { return .freeTrial }
    guard row.kind.isOffer else { return .standard }
    if let signed = book.purchases[row.row].signed?.paymentMode { return RowPaymentMode(signed) }
    if let stated { return stated }
    guard let covered = row.coveredPeriod else { return .unknown }
    let usual = timelines.productPeriods[book.purchases[row.row].productID]
    if let usual, covered > usual, !covered.isAsLong(as: usual) { return .payUpFront }
    // An offer that is paid up front has one row for its whole period. A promotional offer can be
    // used repeatedly, so its row must also be no longer than the product's period.
    let isOnePeriod = row.kind == .intro || usual.map(covered.isAsLong) ?? false
    return isOnePeriod && hasPaidNeighbor(row) ? .payAsYouGo : .unknown
  }

  /// Whether the row's offer period contains another paid row of the same product and length.
  private func hasPaidNeighbor(_ row: PricingContext) -> Bool {
    guard let period = timelines.rows[row.row].offerPeriod else { return false }
    let product = book.purchases[row.row].productID
    return timelines.offerPeriods[Int(period)].rows.contains { other in
      other != row.row && book.purchases[other].productID == product
        && book.purchases[other].isTrialPeriod != true
        && timelines.rows[other].coveredPeriod == row.coveredPeriod
    }
  }

  /// Returns true if an unconfirmed report with the row's transaction id decided the price, and the
  /// fetched price list has another price.
  ///
  /// Later renewals then do not repeat the reported price.
  private func contradictsList(
    _ priced: PricedRow, _ rule: PriceRule, _ row: PricingContext
  ) -> Bool {
    guard rule == .reportedWithPurchase, row.lists.count == 1,
      let decidingReport = row.decidingReport,
      let market = row.market,
      !reportVerdict(decidingReport.position).isConfirmed,
      let interval = prices.history.interval(
        of: SeriesKey(market, .regular, in: row.lists[0]), at: row.time)
    else { return false }
    return interval.isListed && interval.price != priced.unitPrice
  }

  /// Returns true if `apple_report` decided a row's price, or if the row repeats a price that
  /// `apple_report` decided.
  private func isFromAppleReports(_ priced: PricedRow, _ before: PricedRow?) -> Bool {
    switch priced.amount.rule {
    case .appleReport: true
    case .previousRenewal:
      before.map { $0.isFromAppleReports && $0.unitPrice == priced.unitPrice } ?? false
    default: false
    }
  }

  /// Returns the row with its price per unit.
  ///
  /// `nil` if the amount is unknown, or if its status is ``PriceStatus/zeroByRule``.
  private func pricedRow(_ row: PricingContext, _ amount: PaidAmount, _ decision: Decision)
    -> PricedRow?
  {
    guard let paid = amount.paid, amount.status != .zeroByRule else { return nil }
    return PricedRow(
      row: row.row, time: row.time, unitPrice: Milliunits(paid.rawValue / row.quantity),
      amount: amount, interval: decision.interval)
  }

  /// Records the row's price, which later rows of the chain may use.
  ///
  /// Does not record a regular price that contradicts the fetched price list: see
  /// ``contradictsList(_:_:_:)``. If the currency of the row is unknown, an owner's correction may
  /// state the currency. The price is then recorded in the market of the stated currency.
  private func note(
    _ amount: PaidAmount, _ row: PricingContext, _ decision: Decision,
    otherwise: PricedRow?, _ chainState: inout ChainPricingState
  ) {
    guard var priced = pricedRow(row, amount, decision), let currency = amount.currency else {
      return
    }
    let product = book.purchases[row.row].productID
    let market = row.market ?? prices.markets.index(product, currency, row.instalment)
    if row.kind == .regular {
      priced.isFromAppleReports = isFromAppleReports(priced, chainState.regularRow(market: market))
      guard !contradictsList(priced, amount.rule, row),
        !mayBeIntroductory(row.row, in: book.chains[row.chain.index])
      else { return }
      chainState.note(priced, otherwise: otherwise, regular: market)
    } else if row.kind.isOffer, let period = timelines.rows[row.row].offerPeriod {
      chainState.note(priced, offer: market, period: period)
    }
  }
}
