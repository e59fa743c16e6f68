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
internal import StateStore
internal import TemporaryFiles
internal import Warehouse

/// The last step of an incremental run: decides amounts.
extension IncrementalRun {
  /// Decides the given households, and the given reports without a household.
  mutating func finish(
    _ priceBooks: LearnedPrices, in context: DecidingContext, wanted: HouseholdSet,
    unassigned: Set<ReportPosition>, audited: HouseholdSet
  ) throws(RunFailure) -> Reconstruction {
    let (settings, book) = (reader.settings, priceBooks.prices)
    let facts = FactStore(memory: memory)
    let written = try FactContext(
      runID: run, set: set, catalogue: catalogue, products: products,
      customerKey: settings.customerKey)
    let deciding = DecidingPass(
      facts: facts, context: context, written: written, keepsPurchases: true)
    let batches = try batches(wanted, unassigned, withSandbox: true)
    try deciding.decide(batches)
    let writer = facts.writer(written)
    try writer.add(
      book.history.intervals, reported: Set(reports.placed.lazy.map(\.productID)))
    try writer.finish()
    let result = deciding.result
    var (scope, ids) = scope(wanted, unassigned, audited)
    let published = try warehouse.keys(ofChains: scope.chains, ids: ids)
    scope.purchases = published.purchases.union(result.purchases.lazy.map(\.rawValue))
    scope.customers = published.customers
    let questions = update(result, wanted: wanted)
    let bought = index.sums.bought.union(result.bought)
    return Reconstruction(
      observations: set, catalogue: catalogue, facts: facts, bought: bought,
      uncorrected: result.uncorrected,
      questions: PriceChangeQuestion.all(questions.map(\.question), prices: book),
      doubtedUnits: book.doubtedUnits, placeholderIDs: chains.households.placeholderIDs,
      reporting: settings.reporting?.currency, asOf: asOf,
      reported: Set(reports.placed.lazy.map(\.productID)), scope: scope,
      appleReports: cells?.appleReports,
      nextRunRows: nextRunRows(priceBooks, questions, bought))
  }

  /// Determines the published rows that the new facts replace, and all transaction ids of the
  /// decided chains.
  private func scope(
    _ wanted: HouseholdSet, _ unassigned: Set<ReportPosition>, _ audited: HouseholdSet
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
        reports.households[$0].map(wanted.contains) ?? unassigned.contains(ReportPosition($0))
      }.map { reports.placed[$0].evidenceID } + reports.dropped.map(\.evidenceID)
    return (scope, ids)
  }

  /// Stores the results of the decided chains, and updates the list of unexplained price rises.
  ///
  /// The results are the time of each chain's next change without new data, and whether its amounts
  /// depend on Apple's charges after the row's day.
  ///
  /// - Returns: The unexplained price rises of all chains, decided and not decided.
  private mutating func update(_ result: DecidingPass.Result, wanted: HouseholdSet)
    -> [PublishedSums.Question]
  {
    var decided: Set<ChainKey> = []
    for chain in loaded.chains.keys {
      guard let number = chains.positions[chain], let household = chains.household(ofChain: number),
        wanted.contains(household)
      else { continue }
      decided.insert(chain)
      chains.note(result, of: number)
    }
    return index.sums.questions.filter { !decided.contains($0.chain) } + result.questions
  }

  /// Collects the rows that are kept for the next run.
  private func nextRunRows(
    _ priceBooks: LearnedPrices, _ questions: [PublishedSums.Question], _ bought: Set<ProductID>
  ) -> IncrementalStateRows {
    var sums = index.sums
    sums.asOf = asOf
    sums.isSigned = isSigned
    sums.storefronts = storefronts
    sums.products = products
    sums.prices = PublishedPrices(priceBooks.prices)
    sums.unsignedPrices = priceBooks.backtestPrices.map { PublishedPrices($0) }
    sums.questions = questions
    sums.bought = bought
    sums.cellDigests = cells?.digests
    let counted = cells?.counted ?? []
    let keys = loaded.chains.keys.sorted()
    let links = links(keys)
    let claims = keys.filter { chains.isChanged[chains.positions[$0]?.index ?? 0] }
      .map { (chain: $0, ids: loaded.chains[$0]?.claims.map(\.id) ?? []) }
    let reports = reports.changed.sorted().map {
      (placed: self.reports.placed[$0.index], known: self.reports.all[$0.index])
    }
    let votes = votes.filter { loaded.chains[$0.chain] != nil }
    let (dropped, offers) = (self.reports.dropped.map(\.evidenceID), self.reports.offers)
    return IncrementalStateRows(sums) { (writer) throws(RunFailure) in
      for link in links { try writer.put(link) }
      for (chain, ids) in claims {
        for id in ids { try writer.put(id, of: chain) }
      }
      for id in dropped { try writer.drop(report: id) }
      for (placed, known) in reports {
        try writer.put(placed, offers: offers[placed.offers], known)
      }
      for key in keys { try writer.dropVotes(of: key) }
      for vote in votes { try writer.put(vote: vote.placed, of: vote.chain) }
      for (chain, rows) in counted { try writer.put(rows, of: chain) }
    }
  }

  /// The rows of the table `link` for the chains with the given keys.
  private func links(_ keys: [ChainKey]) -> [ChainLink] {
    keys.compactMap { key in
      guard let position = chains.positions[key] else { return nil }
      var link = chains.chains[position.index]
      link.customers = chains.customers(of: position)
      return link
    }
  }
}
