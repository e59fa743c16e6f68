internal import Amounts
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The gate `limits.coverage_floor`: too few of the amounts are known.
///
/// Judged are all rows that are not free by rule, as in `price_coverage_bp` of `audit_run`.
struct CoverageGate {
  /// The least share of known amounts, in millionths.
  let floorPerMillion: Int

  /// Refuses to publish facts of which too little is known.
  ///
  /// - Parameters:
  ///   - content: what would be published.
  ///   - warehousePath: where.
  /// - Throws: ``RunFailure`` with 65, which names the products and the way out.
  func check(_ content: WarehouseContent, warehousePath: String) throws(RunFailure) {
    var chargeable = 0
    var missing: [Series: Int] = [:]
    for (row, amount) in content.amounts.amounts.enumerated() where amount.status != .zeroByRule {
      chargeable += 1
      guard amount.paid == nil else { continue }
      let product = content.purchases.purchases[row].productID
      missing[Series(productID: product, currency: amount.currency), default: 0] += 1
    }
    let unknown = missing.values.reduce(0, +)
    guard (chargeable - unknown) * 1_000_000 < floorPerMillion * chargeable else { return }
    let lines = missing.map { series, rows in
      let product = content.sightings.symbols.text(series.productID.symbol)
      let currency = series.currency?.code ?? "unknown currency"
      return (
        rows: rows, text: "  \(OneLine.text(product)), \(currency): \(Count.text(rows, "row"))"
      )
    }
    .sorted { ($1.rows, $0.text) < ($0.rows, $1.text) }
    let more = lines.count > 5 ? "\n  and \(lines.count - 5) more" : ""
    throw RunFailure(
      .dataRefused,
      """
      the amounts of \(unknown) of \(chargeable) rows are not known, so price coverage is \
      \(percent(chargeable - unknown, chargeable)), and limits.coverage_floor asks for \
      \(percent(floorPerMillion, 1_000_000)):
      \(lines.prefix(5).map(\.text).joined(separator: "\n"))\(more)
      Add price reports or catalogue prices, lower the limit, or accept it once with \
      --accept-coverage. The rows of this kind that are published, in \(OneLine.text(warehousePath)):
        SELECT product_id, currency, COUNT(1) FROM fct_revenue WHERE paid_milli IS NULL \
      GROUP BY 1, 2 ORDER BY 3 DESC;
      Nothing was published.
      """)
  }

  private struct Series: Hashable {
    var productID: ProductID
    var currency: Currency?
  }

  private func percent(_ part: Int, _ whole: Int) -> String {
    RevenueSummary.percent(Int64(part), Int64(whole))
  }
}
