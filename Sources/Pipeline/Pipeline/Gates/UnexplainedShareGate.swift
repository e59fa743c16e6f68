internal import Amounts
internal import Diagnostics
internal import Reconciling
internal import Warehouse

/// The gate `unexplained_share`: too much of the difference from Apple's reports is unexplained.
///
/// For each currency it divides the sum of the absolute differences with the cause `unexplained` by
/// the sum of the amounts in Apple's reports.
struct UnexplainedShareGate: Hashable {
  /// The largest accepted ratio of unexplained money, in millionths: 10,000 for 1 %.
  let perMillion: Int

  /// Returns a finding if too much money is unexplained; else `nil`.
  func finding(_ result: Reconciliation, warehousePath: String) -> GateFinding? {
    var sums: [String: (apple: Int64, unexplained: Int64)] = [:]
    for (cell, causes) in result.sums {
      let currency = cell.currency?.code ?? "unknown currency"
      for (cause, sum) in causes {
        sums[currency, default: (0, 0)].apple += max(0, sum.appleMilli)
        if cause == .unexplained {
          sums[currency, default: (0, 0)].unexplained += abs(sum.difference)
        }
      }
    }
    let over = sums.filter { _, sum in
      let (allowed, least) = (sum.apple / 1_000_000 * Int64(perMillion), sum.unexplained)
      return least > 0 && least > allowed + sum.apple % 1_000_000 * Int64(perMillion) / 1_000_000
    }
    .sorted { $0.key < $1.key }
    guard !over.isEmpty else { return nil }
    let limit = "at most " + Share.percent(Int64(perMillion), 1_000_000)
    let items = over.map { currency, sum in
      GateFinding.Item(
        subject: currency,
        found: sum.apple > 0 ? Share.percent(sum.unexplained, sum.apple) : "all of it",
        expected: limit)
    }
    var finding = GateFinding(
      .unexplainedShare, items,
      message: "the facts and Apple's reports have different charges, for no known cause: "
        + items.map { "\($0.subject) \($0.found) of the money in Apple's reports" }
        .joined(separator: ", ")
        + "; gates.unexplained_share allows \(limit)")
    finding.remedy = "List the rows with paidline reconcile --rows."
    finding.query = GateQuery(database: warehousePath, sql: FactQuery.unexplained)
    finding.page = .books
    finding.duration = .standing
    return finding
  }
}
