internal import Amounts

/// Revenue by day and product, a panel for each currency.
enum RevenueSection {
  static func make(_ figures: ReportFigures, hasCharts: Bool) -> PageSection {
    let shown = figures.currencies.filter { !$0.months.isEmpty }
    var section = PageSection(
      id: "revenue", title: "Revenue by day and product", short: "Revenue",
      paragraphs: DefinitionText.paragraphs(figures, ["gross_revenue", "net_revenue_cohort"]),
      panels: shown.map { panel($0, hasCharts: hasCharts) }
        + ConvertedPanel.panels(figures, hasCharts: hasCharts))
    let left = figures.currencies.filter { $0.months.isEmpty }
    if !left.isEmpty {
      let names = left.map { $0.currency?.code ?? "unknown" }.joined(separator: ", ")
      section.paragraphs.append(
        "Currencies with fewer purchases are not shown day by day: \(names). The view "
          + "revenue_daily has them all.")
    }
    return section
  }

  private static func panel(_ line: CurrencyFigures, hasCharts: Bool) -> PagePanel {
    let name = line.currency?.code ?? "Unknown currency"
    let isChartable = line.currency != nil && hasCharts && !line.days.isEmpty
    var note = "Paid \(FigureText.amount(line.total.gross, line.currency))"
    if line.total.unresolvedRows > 0 {
      let high =
        line.total.high.map { "at most \(FigureText.amount($0, line.currency))" }
        ?? "no upper bound known"
      note +=
        "; with \(FigureText.count(line.total.unresolvedRows, "unresolved row", "unresolved rows"))"
        + " at least \(FigureText.amount(line.total.low, line.currency)), \(high)"
    }
    return PagePanel(
      heading: name, note: note + ".",
      chart: isChartable
        ? PageChart(
          kind: .revenue, caption: "\(name) paid by day and product",
          decimals: line.currency?.decimals ?? 2, unit: name) : nil,
      tables: [
        table(
          line.days, line.currency, period: "Day",
          caption: "\(name) by day and product"
            + (line.daysFrom.map { " from \($0) on; earlier days are in revenue_daily" } ?? "")),
        table(
          line.months, line.currency, period: "Month", caption: "\(name) by month and product",
          isOpen: !isChartable),
      ])
  }

  private static func table(
    _ lines: [RevenueFigures], _ currency: Currency?, period: String, caption: String,
    isOpen: Bool = false
  ) -> PageTable {
    PageTable(
      caption: caption, isFolded: true, isOpen: isOpen,
      columns: [
        .text(period, "period"), .text("Product", "product"), .number("Paid", "gross"),
        .number("At least", "low"), .number("At most", "high"),
        .number("Without refunded rows"), .number("Rows unresolved", "unresolved"),
        .text("Complete", "complete"),
      ],
      rows: lines.map { line in
        [
          .text(line.period), .foreign(line.productID), .amount(line.gross, currency),
          .amount(line.low, currency),
          .amount(line.high, currency, unknown: "no bound known"), .amount(line.net, currency),
          .count(line.unresolvedRows), .complete(line.isComplete),
        ]
      })
  }
}

/// The metrics' own words, from `meta_metric`.
enum DefinitionText {
  /// A paragraph for each metric that the warehouse defines.
  static func paragraphs(_ figures: ReportFigures, _ metrics: [String]) -> [String] {
    metrics.compactMap { metric in
      guard let text = figures.definitions[metric] else { return nil }
      let name = FigureText.words(metric)
      let title = name.prefix(1).uppercased() + name.dropFirst()
      let difference = text.differsFrom.map { " \($0)" } ?? ""
      return "\(title): \(text.definition)\(difference)"
    }
  }
}
