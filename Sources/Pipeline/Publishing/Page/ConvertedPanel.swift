internal import Amounts
internal import Warehouse

/// Revenue of all currencies in the reporting currency.
enum ConvertedPanel {
  /// Creates the panel of converted revenue; empty if the pipeline has no reporting currency.
  static func panels(_ figures: PageFigures) -> [PagePanel] {
    guard let converted = figures.converted, !converted.months.isEmpty else { return [] }
    let code = converted.currency.code
    let missing = converted.months.reduce(0) { $0 + $1.unconvertedRows }
    return [
      PagePanel(
        heading: "All currencies, converted to \(code)",
        note: "By the exchange rate of the purchase day. "
          + (missing == 0
            ? "Every amount has a rate."
            : "\(FigureText.count(missing, "amount has", "amounts have")) no rate and "
              + "\(missing == 1 ? "is" : "are") not included."),
        tables: [table(converted)])
    ]
  }

  private static func table(_ converted: ConvertedFigures) -> PageTable {
    let currency = converted.currency
    return PageTable(
      caption: "All currencies in \(currency.code) by month and product", isFolded: true,
      columns: [
        .text("Month"), .text("Product"), .number("Paid"),
        .number("Without refunded rows"), .number("Rows without a rate"),
        .number("Rows unresolved"), .text("Complete"),
      ],
      rows: converted.months.map { line in
        [
          .text(line.month), .foreign(line.productID),
          .amount(FigureText.rounded(micros: line.grossMicros, currency), currency),
          .amount(FigureText.rounded(micros: line.netMicros, currency), currency),
          .count(line.unconvertedRows), .count(line.unresolvedRows), .complete(line.isComplete),
        ]
      }, isByTime: true)
  }
}
