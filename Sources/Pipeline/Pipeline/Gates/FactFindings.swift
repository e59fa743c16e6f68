internal import Diagnostics
internal import ExchangeRates
internal import ExportReading
internal import PriceLearning
internal import PurchaseModel
internal import Warehouse

/// The findings of the gates on facts, from the sums over the rows and from some other values.
struct FactFindings: Sendable {
  let definition: PipelineDefinition
  let gatePolicy: GatePolicy
  /// The files that no earlier publication has checked, with their ids.
  let newFiles: [(id: Int64, name: String)]
  let doubtedUnits: [DoubtedUnit]
  /// Whether the catalogue has any price.
  let hasListedPrices: Bool
  /// Whether there are placeholder customer ids, which many Apple accounts share.
  let hasPlaceholderIDs: Bool
  /// The reporting currency and its rates; `nil` if the pipeline has none.
  let reporting: ReportingCurrency?

  /// Returns the findings of all gates that are not off.
  ///
  /// - Parameter ambiguous: The number of reports without an app, for each product id that several
  ///   apps sell.
  func all(_ sums: FactSums, _ units: PriceUnitSums, ambiguous: [String: Int]) -> [GateFinding] {
    let rules = gatePolicy.rules
    let facts = ExaminedFacts(
      sums: sums, hasPlaceholderIDs: hasPlaceholderIDs, hasListedPrices: hasListedPrices,
      reporting: reporting)
    let prices = definition.patterns(of: .prices)
    var findings = UselessResultGate(pipelinePath: definition.path, listsPrices: !prices.isEmpty)
      .findings(facts)
    if rules[.priceUnit] != .off {
      findings += PriceUnitGate(files: newFiles, isUnitNamed: definition.namesPriceUnit) {
        definition.fieldMapping(of: $0, kind: .prices).namesUnit
      }.findings(units)
    }
    if rules[.convertedAmounts] != .off {
      findings += ConvertedAmountGate(patterns: prices, files: newFiles).findings(units.reports)
    }
    if rules[.ambiguousProduct] != .off {
      findings += [AmbiguousProductGate().finding(ambiguous)].compactMap(\.self)
    }
    for gate in [ReportShareGate.unknownTransactions, .storefrontCurrency]
    where rules[gate.gate] != .off {
      findings += gate.findings(newFiles, of: prices, units.reports)
    }
    if rules[.unknownOwnership] != .off {
      findings += [UnknownOwnershipGate.finding(facts)].compactMap(\.self)
    }
    if rules[.notSeen] != .off {
      let isOfExportsAlone =
        !definition.patterns(of: .exports).isEmpty
        && [.receipts, .signed].allSatisfy { definition.patterns(of: $0).isEmpty }
      findings += [
        NotSeenGate.finding(
          facts, pipelinePath: definition.path, isOfExportsAlone: isOfExportsAlone)
      ].compactMap(\.self)
    }
    if rules[.rebasedCurrency] != .off {
      findings += [RebasedCurrencyGate().finding(doubtedUnits)].compactMap(\.self)
    }
    if rules[.coverageFloor] != .off {
      let gate = CoverageGate(floorPerMillion: rules.coveragePerMillion)
      findings +=
        [gate.finding(facts, warehousePath: definition.warehousePath)].compactMap(\.self)
    }
    return findings
  }
}
