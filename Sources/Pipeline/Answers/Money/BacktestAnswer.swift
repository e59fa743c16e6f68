package import Diagnostics
internal import GRDB
package import Pipeline

/// The accuracy of the rules on rows with a price that Apple signed: their amounts against Apple's.
package struct BacktestAnswer: Hashable {
  /// Rows whose amount could cost something.
  private var chargeableRows: Int64
  /// Those with a signed price.
  private var signedRows: Int64
  /// The scores of each rule.
  private var rules: [RuleScore]
  private var currencies: FactSection
  private var wrongRows: FactSection

  /// The score of one rule and status.
  private struct RuleScore: Hashable {
    var rule: String
    var status: String
    var rows: Int64
    var right: Int64
    var wrong: Int64
    var boundsHold: Int64
    var boundsMiss: Int64

    /// The number of rows for which the rule names an amount.
    var known: Int64 { right + wrong }
  }

  /// Reads the published backtest.
  ///
  /// - Throws: ``RunFailure`` if nothing is published yet.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> BacktestAnswer {
    try WarehouseReader(definition).read { try BacktestAnswer($0) }
  }

  private init(_ db: Database) throws {
    chargeableRows =
      try Int64.fetchOne(
        db, sql: "SELECT count(1) FROM fct_revenue WHERE price_status <> 'zero_by_rule'") ?? 0
    signedRows = try Int64.fetchOne(db, sql: "SELECT count(1) FROM audit_backtest") ?? 0
    rules = try Row.fetchAll(
      db,
      sql: """
        SELECT b.rule, b.status, SUM(b.rows), SUM(b.right_rows), SUM(b.wrong_rows),
          SUM(b.bounds_hold_rows), SUM(b.bounds_miss_rows)
        FROM backtest_by_rule AS b GROUP BY b.rule, b.status ORDER BY 3 DESC, 1, 2
        """
    ).map {
      RuleScore(
        rule: $0[0], status: $0[1], rows: $0[2], right: $0[3], wrong: $0[4], boundsHold: $0[5],
        boundsMiss: $0[6])
    }
    currencies = try FactSection(
      "currencies", title: "Money where the rules name an amount, by currency",
      sql: """
        SELECT currency, SUM(right_rows + wrong_rows) AS rows, SUM(wrong_rows) AS wrong_rows,
          SUM(rule_milli) AS rule_milli, SUM(error_milli) AS error_milli
        FROM backtest_by_rule GROUP BY currency
        HAVING SUM(right_rows + wrong_rows) > 0 ORDER BY currency
        """, arguments: [], on: db)
    wrongRows = try FactSection(
      "rows", title: "Rows that the rules get wrong",
      sql: """
        SELECT r.transaction_id, r.purchased_at, r.product_id, r.currency, b.signed_milli,
          b.rule_milli, b.low_milli, b.high_milli, b.rule, b.status, b.verdict
        FROM audit_backtest AS b JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
        WHERE b.verdict IN ('wrong', 'bounds_miss') ORDER BY r.purchased_at, r.purchase_key
        """, arguments: [], on: db)
  }

  /// The share of a part, `97.2 %`; a hyphen if the whole is 0.
  private static func share(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? Share.percent(part, whole) : "-"
  }

  private var ruleSection: FactSection {
    FactSection(
      "rules", title: "By rule",
      columns: [
        "rule", "status", "rows", "right_rows", "right_share", "wrong_rows", "bounds_hold_rows",
        "bounds_miss_rows",
      ],
      rows: rules.map { score in
        [
          .text(score.rule), .text(score.status), .number(score.rows), .number(score.right),
          .text(Self.share(score.right, of: score.known)), .number(score.wrong),
          .number(score.boundsHold), .number(score.boundsMiss),
        ]
      })
  }

  /// One sentence a rule: `Amounts inferred by price_history were right in 97.2 % of 41310 cases`.
  private var sentences: [String] {
    rules.filter { $0.known > 0 && $0.status != "zero_by_rule" }.map { score in
      "Amounts \(score.status) by \(score.rule) were right in "
        + "\(Self.share(score.right, of: score.known)) of \(Count.text(Int(score.known), "case"))."
    }
  }

  /// The backtest for people.
  package func text(withRows: Bool) -> String {
    guard signedRows > 0 else {
      return "No purchase has a signed price, so there is nothing to compare the rules with; list "
        + "signed transactions under inputs.signed."
    }
    let head =
      "Apple signed the price of \(Count.text(Int(signedRows), "row")); "
      + "\(chargeableRows) rows can have cost something.\n"
      + "What the rules say of them when all signed prices are hidden:"
    let sections = [ruleSection, currencies] + (withRows ? [wrongRows] : [])
    return ([([head] + sentences).joined(separator: "\n")] + sections.map(\.text))
      .joined(separator: "\n\n")
  }

  /// The backtest for machines.
  package func json(withRows: Bool) -> JSONText {
    .object(
      [
        .init("chargeable_rows", .number(chargeableRows)),
        .init("signed_rows", .number(signedRows)), ruleSection.json, currencies.json,
      ] + (withRows ? [wrongRows.json] : []))
  }
}
