internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The gates on facts, which are evaluated just before facts become visible.
///
/// It also finds faults that no gate checks: old rates, gaps in rates, placeholder ids, receipts
/// that were passed on, and unexplained price rises.
package struct FactGates: Sendable {
  private let findings: FactFindings
  /// The product ids that several apps sell.
  private let sharedIDs: Set<String>
  private let placeholderIDs: [Households.PlaceholderCustomerID]
  private let passedOnCount: Int
  /// The product ids of the catalogue's lines that are ignored, because they lack an app.
  private let ignoredLines: [String]
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
    let symbols = facts.observations.symbols
    let catalogue = facts.catalogue
    findings = FactFindings(
      definition: definition, gatePolicy: gatePolicy,
      newFiles: facts.observations.files.filter { newFiles.contains($0.id) }
        .map { ($0.id, $0.name) },
      doubtedUnits: facts.doubtedUnits, hasListedPrices: facts.catalogue.hasPrices,
      hasPlaceholderIDs: !facts.placeholderIDs.isEmpty, reporting: facts.reporting)
    sharedIDs = Set(facts.bought.filter { $0.app != nil }.map { symbols.text($0.symbol) })
    placeholderIDs = facts.placeholderIDs
    passedOnCount = facts.passedOnCount
    ignoredLines = facts.ignoredLines.map { symbols.text($0.symbol) }
    questions = facts.questions.map { question in
      WarningThrottle.Found(
        fault: "price_change \(symbols.text(question.productID.symbol)) "
          + "\(question.currency.code) \(question.from.text)",
        message: PriceQuestion.text(
          question, symbols: symbols, catalogue: catalogue, pipeline: definition.path),
        duration: .standing)
    }
    reporting = facts.reporting
    asOf = facts.asOf
  }

  /// The files that no earlier publication has checked, with their ids in state.db.
  var newFiles: [(id: Int64, name: String)] { findings.newFiles }

  /// Evaluates the gates on the written rows.
  ///
  /// - Throws: ``RunFailure`` with status 65 if the facts must not be published.
  func evaluate(_ sums: FactSums, _ units: PriceUnitSums) throws(RunFailure) -> [GateOutcome] {
    let faults = [
      oldRates, rateGap(from: sums.firstDay), placeholders, passedOn, linesWithoutApp,
      sandboxByLength(sums),
    ].compactMap(\.self)
    var ambiguous: [String: Int] = [:]
    for (product, count) in units.all.products
    where product.bundleID == nil && sharedIDs.contains(product.productID) {
      ambiguous[product.productID] = count.reports
    }
    return try evaluated.keep(
      findings.gatePolicy.evaluate(findings.all(sums, units, ambiguous: ambiguous)),
      others: faults + questions)
  }

  /// Returns a finding for customer ids that many Apple accounts share; `nil` if there are none.
  private var placeholders: WarningThrottle.Found? {
    guard let largest = placeholderIDs.map(\.accounts).max() else { return nil }
    let ids =
      placeholderIDs.count == 1
      ? "1 customer id is shared by \(largest) Apple accounts"
      : "\(placeholderIDs.count) customer ids are shared by up to \(largest) Apple accounts each"
    return WarningThrottle.Found(
      fault: "placeholder_ids",
      message: """
        \(ids). An id that more than \(Households.mostAccounts) accounts share is a placeholder or \
        a shared sign-in, and is treated as missing. If such an id belongs to one customer, correct \
        the records of the other accounts in the exports. \(DocsPage.inputs.reference)
        """, duration: .standing)
  }

  /// The fault of catalogue lines that are ignored, because they lack an app.
  package static let linesWithoutApp = "lines_without_app"

  /// Returns a finding for catalogue lines that are ignored; `nil` if there are none.
  private var linesWithoutApp: WarningThrottle.Found? {
    guard !ignoredLines.isEmpty else { return nil }
    return WarningThrottle.Found(
      fault: Self.linesWithoutApp,
      message: """
        the catalogue's lines of \(ignoredLines.map(OneLine.text).joined(separator: ", ")) are not \
        used: several apps sell the id, and the lines have no bundle_id. (A price change still \
        counts for an app whose price rises within 30 days after it.) Add the product once for \
        each app, with its bundle_id. \(DocsPage.inputs.reference)
        """, duration: .standing)
  }

  /// Returns a finding for test purchases whose environment no response names; `nil` if there are
  /// none.
  private func sandboxByLength(_ sums: FactSums) -> WarningThrottle.Found? {
    let count = sums[ExclusionReason.sandboxByLength.rawValue]
    guard count > 0 else { return nil }
    return WarningThrottle.Found(
      fault: "sandbox_by_length",
      message: """
        \(Count.text(count, "purchase")) in subscriptions that renew within a day are test \
        purchases (excluded_purchase, reason sandbox_by_length), although no response names the \
        environment. Export each response with its environment, or leave test purchases out. \
        \(DocsPage.inputs.reference)
        """, duration: .standing)
  }

  /// Returns a finding for receipts that were passed on; `nil` if there are none.
  private var passedOn: WarningThrottle.Found? {
    guard passedOnCount > 0 else { return nil }
    return WarningThrottle.Found(
      fault: "passed_on",
      message: """
        the receipts of \(Count.text(passedOnCount, "Apple account")) came with more than \
        \(Households.mostIDs) customer ids, or with more than \(Households.mostAccounts) that have \
        purchases of other accounts: they were probably passed on. No customer id and no \
        storefront in these records is used. Let the server accept a receipt for one customer only. \
        \(DocsPage.inputs.reference)
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
