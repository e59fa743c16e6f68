internal import Amounts
internal import Warehouse

/// Revenue by currency, day and product, in tables.
enum RevenueSection {
  static func make(_ figures: PageFigures) -> PageSection {
    let shown = figures.currencies.filter { !$0.months.isEmpty }
    var section = PageSection(
      id: "currencies", title: "Revenue by currency, day and product", short: "Currencies",
      paragraphs: [
        "What customers paid, in the currency in which they paid. Where amounts are not known, the "
          + "true sum lies between the bounds At least and At most. Without refunded rows: "
          + "purchases that were refunded later are subtracted, on their day of purchase."
      ],
      panels: [PagePanel(tables: [totals(figures)])] + ConvertedPanel.panels(figures)
        + shown.map(panel))
    let left = figures.currencies.filter { $0.months.isEmpty }
    if !left.isEmpty {
      let names = left.map { $0.currency?.code ?? "unknown" }.joined(separator: ", ")
      section.paragraphs.append(
        "Currencies with fewer purchases are not shown by day: \(names). The view revenue_daily "
          + "has all currencies.")
    }
    return section
  }

  private static func totals(_ figures: PageFigures) -> PageTable {
    PageTable(
      caption: "Revenue by currency, all time. Amounts of different currencies are never added.",
      columns: [
        .text("Currency"), .number("Paid"), .number("At least"), .number("At most"),
        .number("Refunds"), .number("Rows unresolved"),
      ],
      rows: figures.currencies.map { line in
        [
          .currency(line.currency), .amount(line.total.gross, line.currency),
          .amount(line.total.low, line.currency),
          .amount(line.total.high, line.currency, unknown: "no bound known"),
          .amount(line.refunds, line.currency), .count(line.total.unresolvedRows),
        ]
      },
      whenEmpty: "Nothing has been bought yet.")
  }

  private static func panel(_ line: CurrencyFigures) -> PagePanel {
    let name = line.currency?.code ?? "Unknown currency"
    let paid = FigureText.amount(line.total.gross, line.currency)
    var note = "Paid \(paid)"
    if line.total.unresolvedRows > 0 {
      note = "Known amounts \(paid)"
      let high =
        line.total.high.map { "at most \(FigureText.amount($0, line.currency))" }
        ?? "no upper bound known"
      note +=
        "; with \(FigureText.count(line.total.unresolvedRows, "unresolved row", "unresolved rows"))"
        + " at least \(FigureText.amount(line.total.low, line.currency)), \(high)"
    }
    return PagePanel(
      heading: name, note: note + ".",
      tables: [
        table(
          line.days, line.currency, period: "Day",
          caption: "\(name) by day and product"
            + (line.daysFrom.map { " from \($0) on; earlier days are in revenue_daily" } ?? "")),
        table(
          line.months, line.currency, period: "Month", caption: "\(name) by month and product"),
      ])
  }

  private static func table(
    _ lines: [RevenueFigures], _ currency: Currency?, period: String, caption: String
  ) -> PageTable {
    PageTable(
      caption: caption, isFolded: true,
      columns: [
        .text(period), .text("Product"), .number("Paid"),
        .number("At least"), .number("At most"),
        .number("Without refunded rows"), .number("Rows unresolved"),
        .text("Complete"),
      ],
      rows: lines.map { line in
        [
          .text(line.period), .foreign(line.productID), .amount(line.gross, currency),
          .amount(line.low, currency),
          .amount(line.high, currency, unknown: "no bound known"), .amount(line.net, currency),
          .count(line.unresolvedRows), .complete(line.isComplete),
        ]
      }, isByTime: true)
  }
}
