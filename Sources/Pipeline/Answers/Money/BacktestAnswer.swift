package import Diagnostics
package import Pipeline
internal import Warehouse

/// The accuracy of the rules: their amounts compared with the prices that Apple signed.
package struct BacktestAnswer: Hashable {
  private let published: PublishedBacktest

  /// Reads the published backtest.
  ///
  /// - Throws: ``RunFailure`` if nothing has been published.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> BacktestAnswer {
    BacktestAnswer(
      published: try PublishedWarehouse(definition).read { try PublishedBacktest($0) })
  }

  /// Formats a percentage such as `97.2 %`; returns a hyphen if the whole is 0.
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
      rows: published.rules.map { score in
        [
          .text(score.rule), .text(score.status), .number(score.rows), .number(score.right),
          .text(Self.share(score.right, of: score.known)), .number(score.wrong),
          .number(score.boundsHold), .number(score.boundsMiss),
        ]
      })
  }

  /// One sentence per rule: `Amounts inferred by price_history were right in 97.2 % of 41310
  /// cases`.
  private var sentences: [String] {
    published.rules.filter { $0.known > 0 && $0.status != "zero_by_rule" }.map { score in
      "Amounts \(score.status) by \(score.rule) were right in "
        + "\(Self.share(score.right, of: score.known)) of \(Count.text(Int(score.known), "case"))."
    }
  }

  /// Formats the backtest as text; `withRows` adds the rows with a wrong amount or wrong bounds.
  package func text(withRows: Bool) -> String {
    guard published.signedRows > 0 else {
      return "No purchase has a signed price, so there is nothing to compare the rules with; list "
        + "signed transactions under inputs.signed."
    }
    let head =
      "Apple signed the price of \(Count.text(Int(published.signedRows), "row")); "
      + "\(Count.text(Int(published.chargeableRows), "chargeable row")) in all.\nWithout the signed "
      + "prices, the rules would decide the rows with a signed price as follows:"
    let sections = [ruleSection, published.currencies] + (withRows ? [published.wrongRows] : [])
    return ([([head] + sentences).joined(separator: "\n")] + sections.map(\.text))
      .joined(separator: "\n\n")
  }

  /// Formats the backtest as JSON; `withRows` adds the rows with a wrong amount or wrong bounds.
  package func json(withRows: Bool) -> JSONText {
    .object(
      [
        .init("chargeable_rows", .number(published.chargeableRows)),
        .init("signed_rows", .number(published.signedRows)), ruleSection.json,
        published.currencies.json,
      ] + (withRows ? [published.wrongRows.json] : []))
  }
}
