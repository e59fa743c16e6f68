internal import Amounts
internal import Diagnostics
internal import Pipeline
internal import Warehouse

extension ReportingSummary {
  private var net: Micros { Micros(gross.rawValue + refunds.rawValue) }

  /// One line about the revenue in the reporting currency, and one about the estimated proceeds.
  ///
  /// Each line has the number of rows that its sums do not include. Sums are rounded to the
  /// decimals of the currency. The second line is missing if there is no estimate.
  var lines: [String] {
    var line =
      "In \(currency.code): gross \(text(gross)), refunds \(text(refunds)), net "
      + "\(text(net))."
    if unconvertedRows > 0 {
      line +=
        " Not included: \(Count.text(unconvertedRows, "row")) without a rate "
        + "(\(unconvertedCurrencies.joined(separator: ", ")))."
    }
    guard let netProceedsEstimate else { return [line] }
    var estimate =
      "Estimated proceeds, without refunded rows: \(text(netProceedsEstimate)) \(currency.code)"
    if unestimatedRows > 0 {
      estimate += "; \(Count.text(unestimatedRows, "row")) without an estimate"
    }
    return [line, estimate + "."]
  }

  private func text(_ amount: Micros) -> String { Money.whole(amount, currency) }

  var json: JSONText {
    .object([
      .init("currency", .text(currency.code)),
      .init("gross_micros", .number(gross.rawValue)),
      .init("refunds_micros", .number(refunds.rawValue)),
      .init("net_micros", .number(net.rawValue)),
      .init("unconverted_rows", .number(unconvertedRows)),
      .init("unconverted_currencies", .list(unconvertedCurrencies.map(JSONText.text))),
      .init("net_proceeds_estimate_micros", .number(orNull: netProceedsEstimate?.rawValue)),
      .init("unestimated_rows", .number(unestimatedRows)),
    ])
  }
}
