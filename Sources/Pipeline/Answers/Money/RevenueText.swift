internal import Amounts
package import Diagnostics
package import Pipeline
package import Warehouse

/// The summary at the end of `paidline run`.
extension RevenueSummary {
  /// Reads the summary from the warehouse of a pipeline.
  package static func read(
    _ definition: PipelineDefinition, withSums: Bool = true
  ) throws(RunFailure) -> RevenueSummary {
    try PublishedWarehouse(definition).read { try read($0, withSums: withSums) }
  }

  /// The net revenue of a line: its charges plus its refunds; `nil` if one of them is not known.
  ///
  /// The sum cannot overflow, because refunds are 0 or less.
  private static func net(_ line: Line) -> Milliunits? {
    guard let gross = line.gross, let refunds = line.refunds else { return nil }
    return try? gross.adding(refunds)
  }

  /// The revenue of the last twelve months as a table with totals, the percentage of known amounts,
  /// and the sums in the reporting currency.
  package var text: String {
    var table = TextTable([
      ("month", .left), ("product", .left), ("currency", .left), ("gross", .right),
      ("refunds", .right), ("net", .right), ("unresolved", .right),
    ])
    for line in RevenueMonths(lines).shown {
      let decimals = line.currency?.decimals ?? 2
      let amounts = [line.gross, line.refunds, Self.net(line)].map { amount in
        amount?.text(decimals: decimals) ?? "unknown"
      }
      table.add(
        [line.month, line.productID, line.currency?.code ?? "unknown"] + amounts
          + [String(line.unresolvedRows)])
    }
    return ([table.text, "", coverageLine] + (reporting?.lines ?? [])).joined(separator: "\n")
  }

  private var coverageLine: String {
    guard coverage.chargeable > 0 else {
      return "Coverage: no row needs an amount; all are free or excluded."
    }
    let unresolved = coverage.chargeable - coverage.known
    return "Coverage: \(Share.percent(coverage.known, coverage.chargeable))"
      + " of \(Count.text(coverage.chargeable, "chargeable row")) have a known amount"
      + " (\(Share.percent(coverage.exact, coverage.chargeable)) exact), \(unresolved) unresolved"
      + (asOf.map { "; as of \($0)." } ?? ".")
  }

  /// The summary as JSON; amounts are in thousandths of the currency's main unit.
  package var json: JSONText {
    .object([
      .init("as_of", .text(orNull: asOf)),
      .init("content_digest", .text(orNull: contentDigest)),
      .init(
        "coverage",
        .object([
          .init("chargeable_rows", .number(coverage.chargeable)),
          .init("known_rows", .number(coverage.known)),
          .init("exact_rows", .number(coverage.exact)),
        ])),
      .init("reporting", reporting?.json ?? .null),
      .init(
        "revenue",
        .list(
          lines.map { line in
            .object([
              .init("month", .text(line.month)), .init("product_id", .text(line.productID)),
              .init("currency", .text(orNull: line.currency?.code)),
              .init("gross_milli", .number(orNull: line.gross?.rawValue)),
              .init("refunds_milli", .number(orNull: line.refunds?.rawValue)),
              .init("net_milli", .number(orNull: Self.net(line)?.rawValue)),
              .init("unresolved_rows", .number(line.unresolvedRows)),
            ])
          })),
    ])
  }
}
