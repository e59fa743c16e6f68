internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// Checks facts before publication: evaluates the gates, and finds faults that no gate checks.
struct FactGates {
  let definition: PipelineDefinition
  let gatePolicy: GatePolicy
  /// The ids in state.db of the files that no earlier publication has checked.
  let newFiles: Set<Int64>

  func findings(_ facts: borrowing Reconstruction) -> [GateFinding] {
    var findings = UselessResultGate(
      pipelinePath: definition.path, listsPrices: !definition.patterns(of: .prices).isEmpty
    ).findings(facts.examined)
    if gatePolicy.rules[.priceUnit] != .off {
      findings += PriceUnitGate(files: newFiles, isUnitNamed: definition.namesPriceUnit)
        .findings(facts)
    }
    if gatePolicy.rules[.ambiguousProduct] != .off {
      findings += [AmbiguousProductGate().finding(facts)].compactMap(\.self)
    }
    if gatePolicy.rules[.rebasedCurrency] != .off {
      findings += [RebasedCurrencyGate().finding(facts.doubtedUnits)].compactMap(\.self)
    }
    if gatePolicy.rules[.coverageFloor] != .off {
      let gate = CoverageGate(floorPerMillion: gatePolicy.rules.coveragePerMillion)
      findings +=
        [gate.finding(facts.examined, warehousePath: definition.warehousePath)].compactMap(\.self)
    }
    return findings
  }

  /// Finds the faults that no gate checks: old rates, gaps in rates, placeholder ids, and
  /// unexplained price rises.
  func faults(_ facts: borrowing Reconstruction) -> [WarningThrottle.Found] {
    let symbols = facts.observations.symbols
    let questions = facts.questions.map { question in
      WarningThrottle.Found(
        fault: "price_change \(symbols.text(question.productID.symbol)) "
          + "\(question.currency.code) \(question.from.text)",
        message: PriceQuestion.text(question, symbols: symbols), duration: .standing)
    }
    return [oldRates(facts), rateGap(facts), placeholderIDs(facts)].compactMap(\.self) + questions
  }

  /// Returns a finding for customer ids that many Apple accounts share; `nil` if there are none.
  private func placeholderIDs(_ facts: borrowing Reconstruction) -> WarningThrottle.Found? {
    let placeholderIDs = facts.placeholderIDs
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
  private func oldRates(_ facts: borrowing Reconstruction) -> WarningThrottle.Found? {
    guard let newest = facts.reporting?.rates.newestDay else { return nil }
    let last = newest.advanced(by: ExchangeRates.oldestRate)
    guard facts.asOf.day > last else { return nil }
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
  private func rateGap(_ facts: borrowing Reconstruction) -> WarningThrottle.Found? {
    guard let reporting = facts.reporting,
      let first = (facts.totals ?? facts.facts.totals).firstPurchaseAt
    else { return nil }
    let wanted = reporting.currency
    let gaps = reporting.rates.gaps(to: wanted, from: first.day, through: facts.asOf.day)
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
