public import Amounts
internal import CivilTime
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
    result.reports = ledger.judged
    result.intervals = history.intervals
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
    var memory = ChainMemory(groups: groups.count)
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
    if courses.rows[row].followsLapse { memory.noteLapse() }
    let view = look(at: row, chain: chain)
    let list = listPrice(view)
    for rule in Self.rules {
      guard case .decided(let decision) = try apply(rule, view, list, &memory, policy) else {
        continue
      }
      let amount = amount(view, list, rule, decision)
      note(amount, view, &memory)
      return amount
    }
    preconditionFailure("the last rule decides every row")
  }

  /// The rules in the order in which they are tried.
  static let rules = PriceRule.allCases

  /// Asks one rule.
  func apply(
    _ rule: PriceRule, _ row: RowUnderDecision, _ listPrice: Milliunits?,
    _ memory: inout ChainMemory, _ policy: RenewalPolicy
  ) throws(AmountError) -> RuleOutcome {
    switch rule {
    case .conflict: conflict(row)
    case .freeTrial: freeTrial(row)
    case .freeOffer: freeOffer(row)
    case .reportedWithPurchase: try reportedWithPurchase(row)
    case .sameOffer: try sameOffer(row, memory)
    case .previousRenewal: try previousRenewal(row, &memory, policy)
    case .customerReport: try customerReport(row)
    case .priceHistory: try priceHistory(row)
    case .catalogueOffer: try catalogueOffer(row)
    case .cataloguePrice: try cataloguePrice(row)
    case .unresolved: .decided(try unresolved(row, listPrice: listPrice))
    }
  }

  /// The regular price of one unit in force: by the reports, else by the catalogue.
  func listPrice(_ row: RowUnderDecision) -> Milliunits? {
    guard let group = row.group else { return nil }
    if let interval = history.interval(of: .regular(group), at: row.time) {
      return history.intervals[interval].price
    }
    return groups.listPrice(group, at: row.time)?.price
  }

  /// Puts a row's amount together.
  func amount(
    _ row: RowUnderDecision, _ listPrice: Milliunits?, _ rule: PriceRule, _ decision: Decision
  ) -> PaidAmount {
    PaidAmount(
      currency: row.currency, storefront: row.storefront, storefrontSource: row.storefrontSource,
      paymentMode: paymentMode(row, decision.mode), listPrice: listPrice, paid: decision.paid,
      low: decision.low, high: decision.high, status: decision.status, rule: rule,
      evidence: decision.evidence, evidenceCount: decision.evidenceCount, basis: decision.basis)
  }

  /// How a row was paid: as its flags say, else as the deciding price, else as its length and its
  /// neighbours show.
  private func paymentMode(_ row: RowUnderDecision, _ told: RowPaymentMode?) -> RowPaymentMode {
    if book.purchases[row.row].isTrialPeriod == true || row.kind == .trial { return .freeTrial }
    guard row.kind.isOffer else { return .standard }
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
  private func note(_ amount: PaidAmount, _ row: RowUnderDecision, _ memory: inout ChainMemory) {
    guard let paid = amount.paid, amount.status != .zeroByRule, let group = row.group else {
      return
    }
    let priced = PricedRow(
      row: row.row, time: row.time, unitPrice: Milliunits(paid.rawValue / row.quantity),
      amount: amount)
    if row.kind == .regular {
      memory.note(priced, regular: group)
    } else if row.kind.isOffer, let period = courses.rows[row.row].offerPeriod {
      memory.note(priced, offer: group, period: period)
    }
  }

  /// The open questions by product, currency and day.
  private func questions(_ parts: [[ChainMemory.RiseKey: ChainMemory.Rise]])
    -> [PriceChangeQuestion]
  {
    var questions: [ChainMemory.RiseKey: ChainMemory.Rise] = [:]
    for part in parts { questions.merge(part) { $0.together(with: $1) } }
    return questions.sorted { ($0.key.group, $0.key.from) < ($1.key.group, $1.key.from) }
      .map { key, rise in
        // What everybody paid just before, rather than what some kept from longer ago.
        let before = priceInForce(key.group, at: key.from - 1)?.price
        return PriceChangeQuestion(
          productID: groups.product(key.group), currency: groups.currency(key.group),
          from: Instant(milliseconds: key.from).day, oldPrice: before ?? rise.oldPrice,
          newPrice: rise.newPrice, rows: rise.rows)
      }
  }
}
