internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import PriceLearning
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The gates on facts, which are evaluated just before facts become visible.
///
/// It also finds faults that no gate checks: old rates, gaps in rates, placeholder ids, and
/// unexplained price rises.
struct FactGates: Sendable {
  private let definition: PipelineDefinition
  private let gatePolicy: GatePolicy
  /// The files that no earlier publication has checked, with their ids in state.db.
  let newFiles: [(id: Int64, name: String)]
  /// The product ids that several apps sell.
  private let sharedIDs: Set<String>
  private let doubtedUnits: [DoubtedUnit]
  private let hasListedPrices: Bool
  private let placeholderIDs: [Households.PlaceholderCustomerID]
  private let questions: [WarningThrottle.Found]
  private let reporting: ReportingCurrency?
  private let asOf: Instant
  let evaluated = EvaluatedGates()

  /// Collects the values to check that are not in the rows of facts.
  ///
  /// - Parameter newFiles: The ids of the files that no earlier publication has checked.
  init(
    _ facts: borrowing Reconstruction, definition: PipelineDefinition, gatePolicy: GatePolicy,
    newFiles: Set<Int64>
  ) {
    self.definition = definition
    self.gatePolicy = gatePolicy
    let symbols = facts.observations.symbols
    self.newFiles = facts.observations.files.filter { newFiles.contains($0.id) }
      .map { ($0.id, $0.name) }
    sharedIDs = Set(facts.bought.filter { $0.app != nil }.map { symbols.text($0.symbol) })
    doubtedUnits = facts.doubtedUnits
    hasListedPrices = facts.catalogue.hasPrices
    placeholderIDs = facts.placeholderIDs
    questions = facts.questions.map { question in
      WarningThrottle.Found(
        fault: "price_change \(symbols.text(question.productID.symbol)) "
          + "\(question.currency.code) \(question.from.text)",
        message: PriceQuestion.text(question, symbols: symbols), duration: .standing)
    }
    reporting = facts.reporting
    asOf = facts.asOf
  }

  /// Evaluates the gates on the written rows.
  ///
  /// - Throws: ``RunFailure`` with status 65 if the facts must not be published.
  func evaluate(_ sums: FactSums, _ units: PriceUnitSums) throws(RunFailure) -> [GateOutcome] {
    let faults = [oldRates, rateGap(from: sums.firstDay), placeholders].compactMap(\.self)
    return try evaluated.keep(
      gatePolicy.evaluate(findings(sums, units)), others: faults + questions)
  }

  private func findings(_ sums: FactSums, _ units: PriceUnitSums) -> [GateFinding] {
    let facts = ExaminedFacts(
      sums: sums, hasPlaceholderIDs: !placeholderIDs.isEmpty, hasListedPrices: hasListedPrices,
      reporting: reporting)
    var findings = UselessResultGate(
      pipelinePath: definition.path, listsPrices: !definition.patterns(of: .prices).isEmpty
    ).findings(facts)
    if gatePolicy.rules[.priceUnit] != .off {
      findings += PriceUnitGate(files: newFiles, isUnitNamed: definition.namesPriceUnit)
        .findings(units)
    }
    if gatePolicy.rules[.convertedAmounts] != .off {
      findings += ConvertedAmountGate(
        patterns: definition.patterns(of: .prices), files: newFiles
      ).findings(units.reports)
    }
    if gatePolicy.rules[.ambiguousProduct] != .off {
      var ambiguous: [String: Int] = [:]
      for (product, count) in units.all.products
      where product.bundleID == nil && sharedIDs.contains(product.productID) {
        ambiguous[product.productID] = count.reports
      }
      findings += [AmbiguousProductGate().finding(ambiguous)].compactMap(\.self)
    }
    if gatePolicy.rules[.unknownTransactions] != .off {
      findings += UnknownTransactionGate(
        patterns: definition.patterns(of: .prices), files: newFiles
      ).findings(units.reports)
    }
    if gatePolicy.rules[.unknownOwnership] != .off {
      findings += [UnknownOwnershipGate.finding(facts)].compactMap(\.self)
    }
    if gatePolicy.rules[.notSeen] != .off {
      findings += [NotSeenGate.finding(facts, pipelinePath: definition.path)].compactMap(\.self)
    }
    if gatePolicy.rules[.rebasedCurrency] != .off {
      findings += [RebasedCurrencyGate().finding(doubtedUnits)].compactMap(\.self)
    }
    if gatePolicy.rules[.coverageFloor] != .off {
      let gate = CoverageGate(floorPerMillion: gatePolicy.rules.coveragePerMillion)
      findings +=
        [gate.finding(facts, warehousePath: definition.warehousePath)].compactMap(\.self)
    }
    return findings
  }

  /// Returns a finding for customer ids that many Apple accounts share; `nil` if there are none.
  private var placeholders: WarningThrottle.Found? {
    guard let largest = placeholderIDs.map(\.accounts).max() else { return nil }
    let ids =
      placeholderIDs.count == 1
      ? "1 customer id is shared by \(largest) Apple accounts"
      : "\(placeholderIDs.count) customer ids are shared by up to \(largest) Apple accounts each"
    return WarningThrottle.Found(
      fault: "nobodies",
      message: """
        \(ids). An id that more than \(Households.mostAccounts) accounts share is a placeholder or \
        a shared sign-in, and is treated as missing. If such an id belongs to one customer, correct \
        the records of the other accounts in the exports. \(DocsPage.inputs.reference)
        """, duration: .standing)
  }

  /// Returns a finding about exchange rates that are too old for the newest purchases.
  ///
  /// `nil` if they are recent enough.
  private var oldRates: WarningThrottle.Found? {
    guard let newest = reporting?.rates.newestDay else { return nil }
    let last = newest.advanced(by: ExchangeRates.oldestRate)
    guard asOf.day > last else { return nil }
    return WarningThrottle.Found(
      fault: "old_rates",
      message: """
        the exchange rates end on \(newest.text), and a rate is used for at most \
        \(Count.text(ExchangeRates.oldestRate, "day")): amounts in other currencies after \
        \(last.text) stay NULL in the reporting currency; replace eurofxref-hist.csv by a newer one. \
        \(DocsPage.inputs.reference)
        """, duration: .standing)
  }

  /// Returns a finding about days without a usable rate in the owner's file of rates.
  ///
  /// `nil` if each day has a usable rate.
  ///
  /// - Parameter first: The day of the first purchase.
  private func rateGap(from first: CivilDay?) -> WarningThrottle.Found? {
    guard let reporting, let first else { return nil }
    let wanted = reporting.currency
    let gaps = reporting.rates.gaps(to: wanted, from: first, through: asOf.day)
    guard let gap = gaps.first else { return nil }
    let code = gap.currency.code
    let amounts = gap.currency == wanted ? "other currencies" : code
    let onDays =
      wanted == ExchangeRates.base || gap.currency == wanted
      ? "" : ", on a day for which there is a rate of \(wanted.code)"
    let codes = Set(gaps.dropFirst().map(\.currency.code)).sorted().joined(separator: ", ")
    let others =
      gaps.count == 1 ? "" : " Not listed: \(Count.text(gaps.count - 1, "later gap")) in \(codes)."
    return WarningThrottle.Found(
      fault: "rate_gap",
      message: """
        inputs.more_rates has no usable rate of \(code) from \(gap.firstDay.text) to \
        \(gap.lastDay.text): amounts in \(amounts) of these days stay NULL in the reporting \
        currency, because a rate is used for at most \(ExchangeRates.oldestRate) days. Add a rate \
        for each week\(onDays).\(others) \(DocsPage.inputs.reference)
        """, duration: .standing)
  }
}
