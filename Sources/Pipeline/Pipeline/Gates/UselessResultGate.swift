internal import Amounts
internal import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import Purchases
internal import Warehouse

/// The gate `useless_result`: facts that are correct but useless.
///
/// Example: no purchase has a customer. The usual reason is a single missing setting, which the
/// message states.
struct UselessResultGate {
  /// The pipeline file, for messages.
  let pipelinePath: String
  /// Whether the pipeline lists files under `inputs.prices`.
  let listsPrices: Bool

  /// Returns one finding for each reason that makes the facts useless.
  func findings(_ facts: ExaminedFacts) -> [GateFinding] {
    if let nothing = allExcluded(facts) { return [nothing] }
    guard facts.sums.revenue > 0 else { return [] }
    return [noCustomer(facts), noAmount(facts), noRate(facts)].compactMap(\.self)
  }

  /// Returns a finding if every purchase is excluded from revenue.
  private func allExcluded(_ facts: ExaminedFacts) -> GateFinding? {
    guard facts.sums.revenue == 0, facts.sums.purchases > 0 else { return nil }
    let counts = ExclusionReason.allCases.map { (reason: $0, rows: facts.sums[$0.rawValue]) }
      .filter { $0.rows > 0 }
    let reasons = counts.map { "\($0.rows) \($0.reason.rawValue)" }.joined(separator: ", ")
    let advice =
      counts.contains { $0.reason == .foreignBundle }
      ? "; see bundle_ids of \(OneLine.text(pipelinePath))" : ""
    return finding(
      "revenue", found: "0 of \(Count.text(facts.sums.purchases, "purchase"))",
      expected: "purchases that are revenue",
      "every purchase is excluded from revenue (\(reasons)), so the facts are empty\(advice).",
      .gates)
  }

  /// Returns a finding if no fact has a customer.
  ///
  /// Without customer ids, offer eligibility and customer histories are not available.
  private func noCustomer(_ facts: ExaminedFacts) -> GateFinding? {
    guard !facts.sums.namesCustomer else { return nil }
    let count = facts.sums.revenue
    let advice =
      !facts.hasPlaceholderIDs
      ? "if your records have it under another key, name this key in the entry of their files in "
        + "\(OneLine.text(pipelinePath)), such as {files: …, keys: {customer_id: user_id}}"
      : "the ids in the records are each shared by many Apple accounts"
    return finding(
      "customers", found: "known for 0 of \(Count.text(count, "purchase"))",
      expected: "a customer_id in the records",
      "no purchase has a usable customer id, so offer eligibility and customer histories are not "
        + "available: \(advice).", .inputs)
  }

  /// Returns a finding if no chargeable row has a known amount.
  private func noAmount(_ facts: ExaminedFacts) -> GateFinding? {
    let chargeable = facts.sums.chargeable
    guard chargeable > 0, facts.sums.unknown == chargeable else { return nil }
    return finding(
      "amounts", found: "0 of \(Count.text(chargeable, "amount")) known",
      expected: "price reports or catalogue prices",
      "0 of \(Count.text(chargeable, "chargeable amount")) known: \(missingPrices(facts)).",
      .inputs)
  }

  /// Returns the reason why no amount is known, and the remedy.
  private func missingPrices(_ facts: ExaminedFacts) -> String {
    guard !facts.sums.hasReports else {
      return "price reports were read, but none decides an amount; the table price_evidence has "
        + "the verdict on each report"
    }
    let list = facts.hasListedPrices ? "" : ", and the catalogue lists no price"
    let input = "inputs.prices of \(OneLine.text(pipelinePath))"
    return "no price report was read\(list); "
      + (listsPrices
        ? "no record of the files under \(input) is used; `paidline status` shows why: refused, "
          + "held or forgotten files, or rejects" : "list the app's price reports under \(input)")
  }

  /// Returns a finding for purchases in a currency without a rate to the reporting currency.
  private func noRate(_ facts: ExaminedFacts) -> GateFinding? {
    guard let reporting = facts.reporting else { return nil }
    let rows = facts.unconverted
    guard !rows.isEmpty else { return nil }
    let codes = rows.keys.sorted().joined(separator: ", ")
    let count = rows.values.reduce(0, +)
    return finding(
      "rates \(codes)", found: "\(Count.text(count, "amount")) without a rate",
      expected: "rates from \(codes) to \(reporting.currency.code)",
      "there is no rate from \(codes) to \(reporting.currency.code), so that \(Count.text(count, "amount")) "
        + "\(count == 1 ? "stays" : "stay") NULL in the reporting currency: name the European "
        + "Central Bank's eurofxref-hist.csv under inputs.rates, or, for currencies that the bank "
        + "does not quote, a file with your own rates under inputs.more_rates.",
      .inputs)
  }

  private func finding(
    _ subject: String, found: String, expected: String, _ message: String, _ page: DocsPage
  ) -> GateFinding {
    var finding = GateFinding(
      .uselessResult,
      [GateFinding.Item(subject: subject, found: found, expected: expected)], message: message)
    finding.duration = .standing
    finding.page = page
    return finding
  }
}
