internal import Amounts
package import Diagnostics
internal import GRDB
package import Pipeline

/// The summary at the end of `paidline run`: money by month, product and currency, and its
/// coverage.
package struct RevenueSummary: Hashable {
  /// One month of one product in one currency.
  struct Line: Hashable {
    /// `2021-08`, by the day on which money moved; of unresolved rows the purchase day.
    var month: String
    var productID: String
    /// `nil` if not even the currency of the rows is known.
    var currency: Currency?
    /// The charges, in milliunits.
    var gross: Milliunits
    /// The refunds, in milliunits; never positive.
    var refunds: Milliunits
    /// The rows whose amount is not known.
    var unresolvedRows: Int64
  }

  /// The number of rows, and of those with a known and with an exact price.
  struct Coverage: Hashable {
    /// Rows that are not free by the receipt's own flags.
    var chargeable: Int64
    /// Those with a known amount.
    var known: Int64
    /// Those reported with the purchase.
    var exact: Int64
  }

  /// The lines, by month, product and currency.
  var lines: [Line] = []
  /// The coverage of all rows.
  var coverage = Coverage(chargeable: 0, known: 0, exact: 0)
  /// The sums over all currencies; `nil` if the pipeline names no reporting currency.
  var reporting: ReportingSummary?
  /// The moment the facts are told for.
  var asOf: String?
  /// The facts' `content_digest`.
  var contentDigest: String?

  /// Reads the summary from the warehouse of a pipeline.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> RevenueSummary {
    try WarehouseReader(definition).read { db in
      var summary = RevenueSummary()
      for row in try Row.fetchAll(db, sql: linesQuery) {
        let code: String? = row[2]
        summary.lines.append(
          Line(
            month: row[0], productID: row[1], currency: code.flatMap { Currency($0) },
            gross: Milliunits(row[3]), refunds: Milliunits(row[4]), unresolvedRows: row[5]))
      }
      if let row = try Row.fetchOne(db, sql: coverageQuery) {
        summary.coverage = Coverage(chargeable: row[0], known: row[1], exact: row[2])
      }
      summary.reporting = try ReportingSummary.read(db)
      if let row = try Row.fetchOne(
        db, sql: "SELECT as_of, content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1")
      {
        summary.asOf = row[0]
        summary.contentDigest = row[1]
      }
      return summary
    }
  }

  private static let linesQuery = """
    SELECT month, product_id, currency, SUM(gross), SUM(refunds), SUM(unresolved)
    FROM (
      SELECT substr(entry.entry_date, 1, 7) AS month, revenue.product_id AS product_id,
        entry.currency AS currency,
        SUM(CASE entry.entry_kind WHEN 'charge' THEN entry.amount_milli ELSE 0 END) AS gross,
        SUM(CASE entry.entry_kind WHEN 'refund' THEN entry.amount_milli ELSE 0 END) AS refunds,
        0 AS unresolved
      FROM fct_revenue_entry AS entry JOIN fct_revenue AS revenue USING (purchase_key)
      WHERE entry.entry_kind IN ('charge', 'refund')
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT substr(purchased_date, 1, 7), product_id, currency, 0, 0, count(1)
      FROM fct_revenue WHERE paid_milli IS NULL
      GROUP BY 1, 2, 3
    )
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """

  private static let coverageQuery = """
    SELECT COALESCE(SUM(price_status <> 'zero_by_rule'), 0),
      COALESCE(SUM(price_status <> 'zero_by_rule' AND paid_milli IS NOT NULL), 0),
      COALESCE(SUM(price_status = 'exact'), 0)
    FROM fct_revenue
    """

  /// Refunds are 0 or less, so the sum cannot leave the range of its parts.
  private static func net(_ line: Line) -> Milliunits {
    (try? line.gross.adding(line.refunds)) ?? line.gross
  }

  /// The table and a line about coverage.
  package var text: String {
    var table = TextTable([
      ("month", .left), ("product", .left), ("currency", .left), ("gross", .right),
      ("refunds", .right), ("net", .right), ("unresolved", .right),
    ])
    for line in lines {
      let decimals = line.currency?.decimals ?? 2
      table.add([
        line.month, line.productID, line.currency?.code ?? "unknown",
        line.gross.text(decimals: decimals), line.refunds.text(decimals: decimals),
        Self.net(line).text(decimals: decimals), String(line.unresolvedRows),
      ])
    }
    return ([table.text, "", coverageLine] + (reporting?.lines ?? [])).joined(separator: "\n")
  }

  private var coverageLine: String {
    guard coverage.chargeable > 0 else { return "Coverage: no row was to be paid for." }
    let unresolved = coverage.chargeable - coverage.known
    return "Coverage: the amount is known for \(Share.percent(coverage.known, coverage.chargeable))"
      + " of \(Count.text(coverage.chargeable, "row")) to be paid for"
      + " (\(Share.percent(coverage.exact, coverage.chargeable)) exact), \(unresolved) unresolved"
      + (asOf.map { "; as of \($0)." } ?? ".")
  }

  /// The same for machines; amounts in thousandths of the currency's main unit.
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
              .init("gross_milli", .number(line.gross.rawValue)),
              .init("refunds_milli", .number(line.refunds.rawValue)),
              .init("net_milli", .number(Self.net(line).rawValue)),
              .init("unresolved_rows", .number(line.unresolvedRows)),
            ])
          })),
    ])
  }
}
