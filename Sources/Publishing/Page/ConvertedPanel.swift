internal import Amounts

/// Revenue of all currencies in the reporting currency.
enum ConvertedPanel {
  /// The panel; none where the pipeline names no reporting currency.
  static func panels(_ figures: ReportFigures, hasCharts: Bool) -> [PagePanel] {
    guard let converted = figures.converted, !converted.months.isEmpty else { return [] }
    let code = converted.currency.code
    let missing = converted.months.reduce(0) { $0 + $1.unconvertedRows }
    let hasChart = hasCharts && converted.months.contains { $0.grossMicros > 0 }
    return [
      PagePanel(
        heading: "All currencies, converted to \(code)",
        note: "By the European Central Bank's rate of the purchase day. "
          + (missing == 0
            ? "Every amount has a rate."
            : "\(FigureText.count(missing, "amount has", "amounts have")) no rate and "
              + "\(missing == 1 ? "is" : "are") left out."),
        chart: hasChart
          ? PageChart(
            kind: .revenue, caption: "All currencies in \(code), paid by month and product",
            decimals: converted.currency.decimals, unit: code) : nil,
        tables: [table(converted, isOpen: !hasChart)])
    ]
  }

  private static func table(_ converted: ConvertedFigures, isOpen: Bool) -> PageTable {
    let currency = converted.currency
    return PageTable(
      caption: "All currencies in \(currency.code) by month and product", isFolded: true,
      isOpen: isOpen,
      columns: [
        .text("Month", "period"), .text("Product", "product"), .number("Paid", "gross"),
        .number("Without refunded rows"), .number("Rows without a rate"),
        .number("Rows unresolved"), .text("Complete", "complete"),
      ],
      rows: converted.months.map { line in
        [
          .text(line.month), .foreign(line.productID),
          .amount(FigureText.rounded(micros: line.grossMicros, currency), currency),
          .amount(FigureText.rounded(micros: line.netMicros, currency), currency),
          .count(line.unconvertedRows), .count(line.unresolvedRows), .complete(line.isComplete),
        ]
      })
  }
}
