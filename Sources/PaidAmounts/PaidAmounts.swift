public import Amounts
internal import CivilTime
internal import Parallel
internal import PriceLearning
public import PurchaseModel
public import Purchases

/// Says for every revenue row what was paid, and why (RULES section 3).
///
/// The result depends on the arguments alone: not on the order in which anything was read, nor on
/// how many threads work.
///
/// - Throws: ``AmountError/overflow`` when a price times a quantity does not fit, which prices and
///   quantities within the readers' limits never cause.
public func paidAmounts(
  book: PurchaseBook, courses: PurchaseCourses, set: SightingSet, catalogue: Catalogue,
  policy: RenewalPolicy, workers: Int = 1
) throws(AmountError) -> PaidAmountBook {
  let evidence = PriceEvidence(
    book: book, courses: courses, set: set, catalogue: catalogue, workers: workers)
  return try evidence.paidAmounts(policy: policy, workers: workers)
}

extension PriceEvidence {
  /// Decides every revenue row.
  ///
  /// - Throws: ``AmountError/overflow``; see ``paidAmounts(book:courses:set:catalogue:policy:workers:)``.
  public func paidAmounts(policy: RenewalPolicy, workers: Int = 1) throws(AmountError)
    -> PaidAmountBook
  {
    let parts = book.chainParts(workers: workers)
    let decided = try inParallel(parts.count, workers: workers) { part throws(AmountError) in
      try decide(chains: parts[part], policy: policy)
    }
    var result = PaidAmountBook()
    result.amounts = joined(decided.map { $0.amounts[...] }, workers: workers)
    precondition(result.amounts.count == book.revenueCount, "every revenue row is in one chain")
    result.reports = placement.entries.indices.map { position in
      let entry = placement.entries[position]
      return JudgedReport(
        report: entry.report, purchase: entry.purchase, household: entry.household,
        time: entry.time, judgement: prices.judgements[position])
    }
    result.intervals = prices.history.intervals
    result.apart = prices.apart
    result.questions = questions(decided.map(\.questions))
    return result
  }

  /// The amounts of some chains and what only the catalogue can settle about them.
  private struct DecidedChains: Sendable {
    var amounts: [PaidAmount] = []
    var questions: [ChainMemory.RiseKey: ChainMemory.Rise] = [:]
  }

  /// Decides the rows of some chains.
  private func decide(chains: Range<Int>, policy: RenewalPolicy) throws(AmountError)
    -> DecidedChains
  {
    var memory = ChainMemory(markets: prices.markets.count)
    var decided = DecidedChains()
    for chain in chains {
      memory.beginChain()
      for row in book.chains[chain].rows {
        decided.amounts.append(
          try decide(row: row, chain: Int32(chain), policy: policy, memory: &memory))
      }
    }
    decided.questions = memory.questions
    return decided
  }

  /// Decides the next row of a chain.
  func decide(
    row: Int, chain: Int32, policy: RenewalPolicy, memory: inout ChainMemory
  ) throws(AmountError) -> PaidAmount {
    memory.begin(row: book.purchases[row], courses.rows[row])
    let isSubscription = book.purchases[row].isSubscription
    let view = look(at: row, chain: chain, running: isSubscription ? memory.running : nil)
    var notes = DecisionNotes(areKept: false)
    for rule in PriceRule.allCases {
      guard case .decided(let decision) = try apply(rule, view, &memory, policy, &notes) else {
        continue
      }
      let amount = amount(view, rule, decision)
      note(amount, view, decision, &memory)
      if isSubscription {
        memory.note(running: RunningPlace(storefront: view.storefront, currency: view.currency))
      }
      return amount
    }
    preconditionFailure("the last rule decides every row")
  }

  /// Asks one rule.
  func apply(
    _ rule: PriceRule, _ row: RowUnderDecision, _ memory: inout ChainMemory,
    _ policy: RenewalPolicy, _ notes: inout DecisionNotes
  ) throws(AmountError) -> RuleOutcome {
    switch rule {
    case .conflict: conflict(row)
    case .signedPrice: signedPrice(row)
    case .freeTrial: freeTrial(row)
    case .freeOffer: freeOffer(row)
    case .reportedWithPurchase: try reportedWithPurchase(row, &notes)
    case .sameOffer: try sameOffer(row, memory, &notes)
    case .previousRenewal: try previousRenewal(row, &memory, policy, &notes)
    case .customerReport: try customerReport(row, &notes)
    case .priceHistory: try priceHistory(row, &notes)
    case .catalogueOffer: try catalogueOffer(row, &notes)
    case .cataloguePrice: try cataloguePrice(row, &notes)
    case .unresolved: .decided(try unresolved(row))
    }
  }

  /// The regular price of one unit in force: by the reports, else by the catalogue.
  private func listPrice(_ row: RowUnderDecision) -> Milliunits? {
    guard let market = row.market else { return nil }
    let listed = row.lists.compactMap { list in
      prices.history.interval(of: SeriesKey(market, .regular, in: list), at: row.time)?.price
        ?? prices.listPrice(market, in: list, at: row.time)?.price
    }
    return listed.first.flatMap { first in listed.allSatisfy { $0 == first } ? first : nil }
  }

  /// Puts a row's amount together.
  func amount(_ row: RowUnderDecision, _ rule: PriceRule, _ decision: Decision) -> PaidAmount {
    PaidAmount(
      currency: row.currency, storefront: row.storefront, storefrontSource: row.storefrontSource,
      paymentMode: paymentMode(row, decision.mode), listPrice: listPrice(row), paid: decision.paid,
      low: decision.low, high: decision.high, status: decision.status, rule: rule,
      evidence: decision.evidence,
      evidenceCount: decision.interval.map { prices.history.intervals[$0].voters }
        ?? (decision.evidence == nil ? 0 : 1),
      basis: decision.basis)
  }

  /// How a row was paid: as its flags say, else as the deciding price, else as its length and its
  /// neighbours show.
  private func paymentMode(_ row: RowUnderDecision, _ told: RowPaymentMode?) -> RowPaymentMode {
    if book.purchases[row.row].isTrialPeriod == true || row.kind == .trial { return .freeTrial }
    guard row.kind.isOffer else { return .standard }
    if let signed = book.purchases[row.row].signed?.paymentMode { return RowPaymentMode(signed) }
    if let told { return told }
    guard let covered = row.coveredPeriod else { return .unknown }
    let usual = courses.productPeriods[book.purchases[row.row].productID]
    if let usual, covered > usual, !covered.isAsLong(as: usual) { return .payUpFront }
    // What is paid up front is one row (RULES section 2). A promotional offer may be used again, so
    // it must also be no longer than the product's period.
    let isOnePeriod = row.kind == .intro || usual.map(covered.isAsLong) ?? false
    return isOnePeriod && hasPaidNeighbour(row) ? .payAsYouGo : .unknown
  }

  /// Whether the row's offer period holds another paid row of the same product and length.
  private func hasPaidNeighbour(_ row: RowUnderDecision) -> Bool {
    guard let period = courses.rows[row.row].offerPeriod else { return false }
    let product = book.purchases[row.row].productID
    return courses.offerPeriods[Int(period)].rows.contains { other in
      other != row.row && book.purchases[other].productID == product
        && book.purchases[other].isTrialPeriod != true
        && courses.rows[other].coveredPeriod == row.coveredPeriod
    }
  }

  /// Remembers a row whose price later rows of the chain may take.
  private func note(
    _ amount: PaidAmount, _ row: RowUnderDecision, _ decision: Decision,
    _ memory: inout ChainMemory
  ) {
    guard let paid = amount.paid, amount.status != .zeroByRule, let market = row.market else {
      return
    }
    let priced = PricedRow(
      row: row.row, time: row.time, unitPrice: Milliunits(paid.rawValue / row.quantity),
      amount: amount, interval: decision.interval)
    if row.kind == .regular {
      memory.note(priced, regular: market)
    } else if row.kind.isOffer, let period = courses.rows[row.row].offerPeriod {
      memory.note(priced, offer: market, period: period)
    }
  }

  /// The open questions by product, currency, storefront and day.
  private func questions(_ parts: [[ChainMemory.RiseKey: ChainMemory.Rise]])
    -> [PriceChangeQuestion]
  {
    var questions: [ChainMemory.RiseKey: ChainMemory.Rise] = [:]
    for part in parts { questions.merge(part) { $0.together(with: $1) } }
    return questions.sorted {
      ($0.key.market, $0.key.list?.rawValue ?? 0, $0.key.from)
        < ($1.key.market, $1.key.list?.rawValue ?? 0, $1.key.from)
    }.map { key, rise in
      // What everybody paid just before, rather than what some kept from longer ago.
      let before = priceInForce(
        key.market, in: key.list, at: key.from.advanced(by: Milliseconds(-1)))
      return PriceChangeQuestion(
        productID: prices.markets.product(key.market),
        currency: prices.markets.currency(key.market), storefront: key.list, from: key.from.day,
        oldPrice: before?.price ?? rise.oldPrice, newPrice: rise.newPrice, rows: rise.rows)
    }
  }
}
