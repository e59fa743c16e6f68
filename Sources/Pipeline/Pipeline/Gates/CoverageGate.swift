internal import Diagnostics
internal import Warehouse

/// The gate `coverage_floor`: too few amounts are known.
///
/// It checks the percentage of known amounts among all rows that are not free by rule, like
/// `price_coverage_bp` of `audit_run`. The gate is off unless the pipeline states its `share`.
struct CoverageGate: Hashable {
  /// The smallest accepted ratio of known amounts, in millionths: 990,000 for 99 %.
  let floorPerMillion: Int

  /// Returns a finding if too few amounts are known; else `nil`.
  func finding(_ facts: ExaminedFacts, warehousePath: String) -> GateFinding? {
    let (chargeable, unknown) = (facts.sums.chargeable, facts.sums.unknown)
    guard (chargeable - unknown) * 1_000_000 < floorPerMillion * chargeable else { return nil }
    let lines = facts.sums.counts(named: FactSums.missing).map { key, rows in
      let product = OneLine.text(key.productID ?? "")
      let currency = key.currency ?? "unknown currency"
      return (rows: rows, text: "  \(product), \(currency): \(Count.text(rows, "row"))")
    }
    .sorted { ($1.rows, $0.text) < ($0.rows, $1.text) }
    let more = lines.count > 5 ? ["  and \(lines.count - 5) more"] : []
    let found = Share.percent(chargeable - unknown, chargeable)
    let floor = Share.percent(floorPerMillion, 1_000_000)
    var finding = GateFinding(
      .coverageFloor,
      [GateFinding.Item(subject: "amounts", found: found, expected: "at least \(floor)")],
      message: """
        the \(chargeable == 1 ? "amount" : "amounts") of \(unknown) of \
        \(Count.text(chargeable, "row")) \(chargeable == 1 ? "is" : "are") not known, so price \
        coverage is \(found), and gates.coverage_floor requires \(floor):
        \((lines.prefix(5).map(\.text) + more).joined(separator: "\n"))
        """)
    finding.remedy =
      "Add price reports or catalogue prices, or lower the share of gates.coverage_floor."
    finding.query = GateQuery(database: warehousePath, sql: FactQuery.unknownAmounts)
    finding.page = .inputs
    finding.duration = .standing
    return finding
  }
}
