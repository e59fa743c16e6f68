internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `apple_report`: the price of a row, if its cell in Apple's reports has only one price.
  ///
  /// Does not decide a row whose amount is exact without this rule. The command `paidline reconcile
  /// --rows` lists rows with an exact amount that Apple's reports contradict.
  ///
  /// Example: from May 9 to 11 Apple made five charges for `plus` in Germany without an offer, all
  /// of 4.99 EUR. If there are at most five revenue rows of these days for this product, storefront
  /// and offer, each is 4.99 EUR.
  ///
  /// If the row's storefront is uncertain, its cell is uncertain too. The rule then decides only
  /// two kinds of rows, with the status inferred: rows that would be unresolved, and rows whose
  /// expected price Apple charged in no storefront of the currency.
  func appleReport(_ row: PricingContext, _ chainState: ChainPricingState, _ policy: RenewalPolicy)
    throws(AmountError) -> RuleOutcome
  {
    guard let cells, let cell = appleCell(row) else { return .passed(.noProofByReports) }
    let isSubscription = book.purchases[row.row].isSubscription
    let lateDays = latePaymentDays(row)
    if lateDays != nil { chainState.laterCharges.note(row.chain) }
    guard let proof = cells.proof(in: cell, isSubscription: isSubscription, lateDays: lateDays)
    else {
      guard lateDays == nil else { return .passed(.chargedLate) }
      return try settledPrice(row, cell, chainState, policy)
    }
    if lateDays != nil, case .between = proof { return .passed(.chargedLate) }
    guard case .price(let price, let isChecked) = proof else { return .passed(.applesPricesDiffer) }
    guard isStorefrontCertain(row) else {
      if let usual = try amountOtherwise(row, chainState, policy) {
        guard isSubscription, row.quantity == 1, usual != price,
          isOnlyPrice(price, inCurrencyOf: cell, lateDays),
          lateDays != nil || !mayBeLate(usual, row, in: cell, chainState)
        else { return .passed(.storefrontNotSure) }
      }
      return .decided(try Decision.known(price, row, .inferred))
    }
    var notes = DecisionNotes(areKept: false)
    for outcome in [
      try reportedCharge(row, &notes), try reportedWithPurchase(row, chainState, &notes),
    ] {
      if case .decided(let decision) = outcome, decision.status == .exact {
        return .passed(.exactWithoutReports)
      }
    }
    if isSubscription, row.quantity == 1, lateDays == nil,
      let usual = try amountOtherwise(row, chainState, policy),
      usual != price, mayBeLate(usual, row, in: cell, chainState)
    {
      return .passed(.mayBeLate)
    }
    let isProven = isChecked || isKnown(price, row)
    // If a report was edited, a second report would show it. One-time purchases have no second
    // report.
    if !isProven, !isSubscription, try !isOpenOtherwise(row, chainState, policy) {
      return .passed(.priceNotKnown)
    }
    return .decided(try Decision.known(price, row, isProven ? .proven : .inferred))
  }

  /// The developer's proceeds of a row, whatever rule decided its amount.
  ///
  /// `nil` if the amount is unknown or 0, or if Apple's reports do not have exactly one value of
  /// proceeds at the row's price, on its day and the days beside it.
  func appleProceeds(_ row: PricingContext, _ decision: Decision) throws(AmountError)
    -> SalesReportTotals.Proceeds?
  {
    guard let cells, let paid = decision.paid, paid > .zero, paid.rawValue % row.quantity == 0,
      let cell = appleCell(row), decision.currency ?? cell.currency == cell.currency,
      let proceeds = cells.proceeds(in: cell, at: Milliunits(paid.rawValue / row.quantity))
    else { return nil }
    return SalesReportTotals.Proceeds(
      amount: try proceeds.amount.multiplied(by: row.quantity), currency: proceeds.currency)
  }

  /// Decides by the price in Apple's Finance Detail report.
  ///
  /// This applies only if the rules after `apple_report` leave the amount unresolved.
  private func settledPrice(
    _ row: PricingContext, _ cell: SalesReportTotals.Cell, _ chainState: ChainPricingState,
    _ policy: RenewalPolicy
  ) throws(AmountError) -> RuleOutcome {
    guard row.kind == .regular || row.kind == .oneTime,
      let price = cells?.settledPrice(in: cell), try isOpenOtherwise(row, chainState, policy)
    else { return .passed(.noProofByReports) }
    return .decided(try Decision.known(price, row, .inferred))
  }

  /// Returns true if all charges of a subscription have the given price, in every storefront of the
  /// cell's currency.
  ///
  /// The charges of all days on which Apple may have charged the row are compared.
  private func isOnlyPrice(
    _ price: Milliunits, inCurrencyOf cell: SalesReportTotals.Cell, _ lateDays: Int64?
  ) -> Bool {
    var all = cell
    all.storefront = nil
    guard
      case .price(price, _) = cells?.proof(in: all, isSubscription: true, lateDays: lateDays)
    else { return false }
    return true
  }

  /// The number of days by which Apple's charge may be later than the row, because of a grace
  /// period, billing retry or gap near it; `nil` without such evidence.
  private func latePaymentDays(_ row: PricingContext) -> Int64? {
    book.latePaymentDays(
      ofRow: row.row, in: book.chains[row.chain.index], timelines.rows[row.row])
  }

  /// Returns true if Apple's reports show that no customer paid a price at the time of a row.
  ///
  /// Apple must have charged the price on none of the days on which the row may have been charged.
  /// If the row's storefront is uncertain, this must be so in all storefronts of the currency.
  /// Example: in a sale Apple charged 6.99 EUR on May 10. From June 9 to 11 Apple charged only 9.99
  /// and 8.99 EUR: a renewal of June 10 is not 6.99.
  func isPaidByNobody(_ price: Milliunits, _ row: PricingContext, _ chainState: ChainPricingState)
    -> Bool
  {
    guard !chainState.isWithoutAppleReports, let cells, var cell = appleCell(row) else {
      return false
    }
    if !isStorefrontCertain(row) { cell.storefront = nil }
    let isSubscription = book.purchases[row.row].isSubscription
    if let lateDays = latePaymentDays(row) {
      chainState.laterCharges.note(row.chain)
      return cells.isUncharged(
        price, in: cell, isSubscription: isSubscription, lateDays: lateDays)
    }
    return cells.isUncharged(price, in: cell, isSubscription: isSubscription)
      && !mayBeLate(price, row, in: cell, chainState)
  }

  /// Returns true if Apple may have charged the price for the row 2 to 16 days after the day of its
  /// cell.
  ///
  /// See ``SalesReportTotals/mayBeLate(_:in:seenDays:)``. Also records that the chain depends on
  /// Apple's reports of later days.
  private func mayBeLate(
    _ price: Milliunits, _ row: PricingContext, in cell: SalesReportTotals.Cell,
    _ chainState: ChainPricingState
  ) -> Bool {
    chainState.laterCharges.note(row.chain)
    let purchase = book.purchases[row.row]
    let seenDays = purchase.firstSeenAt.map {
      LatePayment.daysToCharge(purchasedAt: purchase.purchasedAt, firstSeenAt: $0)
    }
    return cells?.mayBeLate(price, in: cell, seenDays: seenDays) ?? false
  }

  /// Returns true if a series or the catalogue has the price, at any time.
  private func isKnown(_ price: Milliunits, _ row: PricingContext) -> Bool {
    guard let currency = row.currency else { return false }
    if let market = row.market, prices.history.contains(price, in: market) { return true }
    guard let product = catalogue.products[book.purchases[row.row].productID] else { return false }
    return product.prices.contains { $0.currency == currency && $0.price == price }
      || product.offers.contains { $0.currency == currency && $0.price == price }
      || product.introductory.contains { $0.currency == currency && $0.price == price }
  }

  /// Returns true if evidence near the row's time shows its storefront.
  private func isStorefrontCertain(_ row: PricingContext) -> Bool {
    switch row.storefrontSource {
    case .signed, .priceReport: true
    case .export, .inferred:
      row.storefront.map {
        places.isSure(of: $0, at: row.time, chain: row.chain, household: row.household)
      } ?? false
    case .unknown: false
    }
  }

  /// Returns true if the rules after `apple_report` leave the amount unresolved.
  private func isOpenOtherwise(
    _ row: PricingContext, _ chainState: ChainPricingState, _ policy: RenewalPolicy
  ) throws(AmountError) -> Bool {
    try amountOtherwise(row, chainState, policy) == nil
  }

  /// The amount that the rules after `apple_report` find without Apple's reports.
  ///
  /// `nil` if they leave the amount unresolved.
  private func amountOtherwise(
    _ row: PricingContext, _ chainState: ChainPricingState, _ policy: RenewalPolicy
  ) throws(AmountError) -> Milliunits? {
    try decision(after: .appleReport, row, chainState, policy).decision.paid
  }

  /// Narrows the bounds of an unresolved amount to the prices that Apple charged in the row's cell.
  ///
  /// Returns the decision unchanged if the bounds and these prices do not overlap.
  func narrowed(_ decision: Decision, _ row: PricingContext) throws(AmountError) -> Decision {
    guard let cells, let cell = appleCell(row), latePaymentDays(row) == nil,
      case .between(let least, let most) = cells.proof(
        in: cell, isSubscription: book.purchases[row.row].isSubscription)
    else { return decision }
    var narrower = decision
    narrower.low = max(decision.low, try least.multiplied(by: row.quantity))
    let high = try most.multiplied(by: row.quantity)
    narrower.high = decision.high.map { min($0, high) } ?? high
    return narrower.high.map { narrower.low <= $0 } ?? true ? narrower : decision
  }

  /// The cell of a row in Apple's reports; `nil` for a free row, or if the currency is unknown.
  ///
  /// If several cells may contain the row, it is the first cell with units on the cell's day, the
  /// day before or the day after.
  private func appleCell(_ row: PricingContext) -> SalesReportTotals.Cell? {
    guard let cells, row.kind != .trial, book.purchases[row.row].isTrialPeriod != true,
      let currency = row.currency
    else { return nil }
    let possible = possibleCells(ofRow: row.row, (row.storefront, currency))
    return possible.first(where: cells.hasUnits) ?? possible.first
  }

  /// The cells of Apple's reports that may contain a row.
  ///
  /// An offer code has two cells, one with its name and one with its id: a report may have either
  /// of them. An offer with neither name nor id has no cell.
  private func possibleCells(
    ofRow row: Int, _ place: (storefront: Storefront?, currency: Currency)
  ) -> [SalesReportTotals.Cell] {
    let purchase = book.purchases[row]
    let offers: [SalesReportTotals.Offer]
    switch timelines.rows[row].kind {
    case .regular, .oneTime: offers = [.none]
    case .trial, .intro: offers = [.introductory]
    case .promo, .offerCode:
      let id = timelines.rows[row].offerID
      let other = purchase.promotionalOfferID == id ? nil : purchase.promotionalOfferID
      offers = [id, other].compactMap { $0.map { .named($0) } }
    }
    return offers.map { offer in
      SalesReportTotals.Cell(
        day: CivilDay(pacific: purchase.purchasedAt), productID: purchase.productID,
        storefront: place.storefront, currency: place.currency, offer: offer)
    }
  }

  /// Lists the revenue rows of each chain, each with its cell in Apple's reports.
  ///
  /// A row of an offer code may be listed twice, because a report may have its name or its id. A
  /// row with an unknown currency is left out.
  ///
  /// - Returns: The rows with their cells, in the order of the chains.
  public func chainCells(_ amounts: PaidAmountResults) -> [ChainCells] {
    book.chains.map { chain in
      var rows: [CellRow] = []
      for row in chain.rows {
        let amount = amounts.amounts[row]
        guard let currency = amount.currency else { continue }
        let units = amount.status == .zeroByRule ? 0 : Int64(max(1, book.purchases[row].quantity))
        for cell in possibleCells(ofRow: row, (amount.storefront, currency)) {
          rows.append(CellRow(cell, units: units))
        }
      }
      return ChainCells(chain: chain.originalTransactionID, rows: rows)
    }
  }
}

extension RuleText {
  static let appleReport = RuleText(
    .appleReport,
    condition:
      "Apple's reports have one price for all units of the product, storefront, currency and "
      + "offer, on the Pacific day of the purchase and the days beside it. The facts have no "
      + "more rows there than Apple has units, and the Sales and Subscriber reports agree. If a "
      + "gap, grace period or billing retry is near the row, the payment may be late, and all this "
      + "holds for every day on which Apple may have charged, the last being that of the first "
      + "snapshot that shows the row. Otherwise Apple did not charge "
      + "for the row 2 to 16 days later. Such a charge is possible if Apple then charged "
      + "the amount that the rules after this one find, and has more units than the facts have "
      + "rows, around the purchase or around that charge. Only one app sells the product id. No "
      + "believed report makes the amount exact. In three cases this rule decides only if the "
      + "rules after it leave the amount unresolved: (1) only Finance Detail has the price; (2) "
      + "the row is a one-time purchase at a price that neither other reports nor the catalogue "
      + "show; (3) the storefront is known only from evidence of another time (the customer's "
      + "nearest evidence before and after the purchase disagrees, or one of the two is missing "
      + "and the other is more than 31 days away). In case 3 it also decides if Apple has no "
      + "other price in any storefront of the currency at that time.",
    result:
      "That price × quantity, proven; but inferred if the storefront is known only from "
      + "another time, or if only one of Apple's reports has the price and neither other "
      + "reports nor the catalogue show it. If Apple's reports have several prices and no other "
      + "rule decides, they narrow the bounds of the amount.",
    why: "If Apple sold at only one price, every customer paid it.")
}
