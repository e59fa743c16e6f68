internal import Amounts
internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
internal import Warehouse

/// Deciding: the last step of a night, and its output.
extension Night {
  /// Decides the wanted households.
  mutating func finish(
    _ lesson: Lesson, wanted: HouseholdSet, alone: Set<ReportPosition>,
    audited: HouseholdSet
  ) throws(RunFailure) -> Reconstruction {
    let (settings, book) = (reader.settings, lesson.prices)
    var context = DecidingContext(
      prices: book, products: products, catalogue: catalogue, policy: settings.renewalPolicy,
      asOf: asOf, reporting: settings.reporting?.currency, symbols: set.symbols)
    context.hidden = lesson.hidden
    let facts = FactStore(memory: memory)
    let written = try FactContext(
      runID: run, set: set, catalogue: catalogue, products: products,
      customerKey: settings.customerKey)
    let deciding = DecidingPass(
      facts: facts, context: context, written: written, keepsPurchases: true)
    let batches = try batches(wanted, alone, withSandbox: true)
    try deciding.decide(batches, workers: reader.workers)
    let writer = facts.writer(written)
    try writer.add(
      book.history.intervals, reported: Set(reports.placed.lazy.map(\.productID)))
    try writer.finish()
    var result = deciding.result
    result.units.setAll(reports)
    var (scope, ids) = scope(wanted, alone, audited)
    let published = try warehouse.tally(ofChains: scope.chains, ids: ids)
    scope.purchases = published.purchases.union(result.purchases.lazy.map(\.rawValue))
    scope.customers = published.customers
    let questions = update(result, wanted: wanted)
    let (tally, totals) = sums(result.tally, facts.totals, without: published)
    return Reconstruction(
      sightings: set, catalogue: catalogue, facts: facts, tally: tally,
      units: result.units,
      questions: PriceChangeQuestion.all(questions.map(\.question), prices: book),
      nobodies: chains.households.nobodies, reporting: settings.reporting?.currency, asOf: asOf,
      reported: Set(reports.placed.lazy.map(\.productID)), scope: scope, totals: totals,
      index: nextIndex(lesson, questions, tally, totals))
  }

  /// The chains and reports that the facts replace, and all transaction ids of the chains.
  private func scope(
    _ wanted: HouseholdSet, _ alone: Set<ReportPosition>, _ audited: HouseholdSet
  ) -> (scope: FactScope, ids: [String]) {
    var (scope, ids) = (FactScope(), [String]())
    for chain in loaded.chains.values {
      guard let number = chains.positions[chain.unit.key] else { continue }
      let household = chains.household(ofChain: number)
      guard household.map(wanted.contains) ?? true else { continue }
      ids += chain.claims.map { $0.id.number.text(in: set.symbols) }
      guard let household else { continue }
      let id = chain.unit.originalTransactionID.number.text(in: set.symbols)
      scope.chains.append(id)
      if audited.contains(household) { scope.audited.insert(id) }
    }
    scope.auditedReports = Set(
      reports.all.indices.filter { reports.households[$0].map(audited.contains) ?? false }
        .map { reports.placed[$0].evidenceID })
    scope.reports =
      reports.all.indices.filter {
        reports.households[$0].map(wanted.contains) ?? alone.contains(ReportPosition($0))
      }.map { reports.placed[$0].evidenceID } + reports.dropped.map(\.evidenceID)
    return (scope, ids)
  }

  /// Notes the decisions about the chains, and the questions of all.
  private mutating func update(_ result: DecidingPass.Result, wanted: HouseholdSet)
    -> [PublishedIndex.Question]
  {
    var decided: Set<ChainKey> = []
    for chain in loaded.chains.keys {
      guard let number = chains.positions[chain], let household = chains.household(ofChain: number),
        wanted.contains(household)
      else { continue }
      decided.insert(chain)
      chains.setNextChange(result.nextChanges[chain], of: number)
    }
    return index.questions.filter { !decided.contains($0.chain) } + result.questions
  }

  /// The sums over all rows, after the published ones of the scope are replaced.
  private func sums(_ found: FactTally, _ totals: FactTotals, without old: PublishedTally)
    -> (FactTally, FactTotals)
  {
    var (tally, all) = (index.tally, index.totals)
    all.remove(old.totals)
    all.add(totals)
    tally.revenue -= old.totals.revenue
    tally.purchases -= old.totals.revenue + old.excluded.values.reduce(0, +)
    tally.chargeable -= old.totals.chargeable
    for (reason, count) in old.excluded {
      if let reason = ExclusionReason(rawValue: reason) {
        tally.excluded[reason, default: 0] -= count
      }
    }
    for (series, count) in old.missing {
      guard let product = set.symbols.symbol(series.productID) else { continue }
      let key = FactTally.Series(
        productID: ProductID(product), currency: series.currency.flatMap { Currency($0) })
      tally.missing[key, default: 0] -= count
    }
    if let reporting = reader.settings.reporting?.currency {
      for (code, count) in old.unconverted {
        guard let currency = Currency(code),
          !reporting.rates.connects(currency, with: reporting.currency)
        else { continue }
        tally.unconverted[currency, default: 0] -= count
      }
    }
    tally.add(found)
    tally.excluded = tally.excluded.filter { $0.value != 0 }
    tally.missing = tally.missing.filter { $0.value != 0 }
    tally.unconverted = tally.unconverted.filter { $0.value != 0 }
    return (tally, all)
  }

  private func nextIndex(
    _ lesson: Lesson, _ questions: [PublishedIndex.Question], _ tally: FactTally,
    _ totals: FactTotals
  ) -> PublishedIndex {
    var next = PublishedIndex()
    next.settings = index.settings
    next.origin = PublishedIndex.Origin(run: run, removals: index.origin.removals)
    next.files = readings
    next.asOf = asOf
    next.chains = chains.chains
    next.customers = chains.customers
    next.claims = chains.claims
    next.winners = index.winners
    next.placed = reports.placed
    next.reports = reports.all
    next.unsignedOpinions = reports.unsignedOpinions
    next.offers = reports.offers
    next.storefronts = storefronts
    next.nobodies = chains.households.nobodies
    next.products = products
    next.isSigned = isSigned
    next.votes = votes
    next.prices = PublishedPrices(lesson.prices)
    next.unsignedPrices = PublishedPrices(lesson.unsigned)
    next.questions = questions
    next.tally = tally
    next.totals = totals
    return next
  }
}
