/// How well the amounts are known, and by which rules.
enum CoverageSection {
  static func make(_ figures: ReportFigures, hasCharts: Bool) -> PageSection {
    let hasChart = hasCharts && !figures.coverageDays.isEmpty
    return PageSection(
      id: "coverage", title: "How well amounts are known", short: "Coverage",
      paragraphs: DefinitionText.paragraphs(figures, ["price_coverage"]),
      panels: [
        PagePanel(
          chart: hasChart
            ? PageChart(kind: .coverage, caption: "Rows with a known amount", unit: "%") : nil,
          tables: [
            table(figures.coverageDays, period: "Day", isOpen: false),
            table(figures.coverageMonths, period: "Month", isOpen: !hasChart),
          ]),
        PagePanel(heading: "By rule", tables: [rules(figures)]),
        PagePanel(
          heading: "Price reports",
          note: "What the apps reported, and what was made of it; price_outlier lists those that "
            + "were not believed.",
          tables: [verdicts(figures)]),
      ])
  }

  private static func table(_ lines: [CoverageFigures], period: String, isOpen: Bool) -> PageTable {
    PageTable(
      caption: "Coverage by \(period.lowercased())", isFolded: true, isOpen: isOpen,
      columns: [
        .text(period, "period"), .number("Rows to be paid for", "whole"),
        .number("With an amount", "known"), .number("Exact", "exact"), .number("Coverage"),
        .text("Complete", "complete"),
      ],
      rows: lines.map { line in
        [
          .text(line.period), .count(line.chargeable), .count(line.known), .count(line.exact),
          .share(line.known, of: line.chargeable), .complete(line.isComplete),
        ]
      })
  }

  private static func rules(_ figures: ReportFigures) -> PageTable {
    let total = figures.rules.reduce(0) { $0 + $1.rows }
    return PageTable(
      caption: "Rows by the rule that decided them",
      columns: [
        .text("Rule"), .text("Status"), .number("Rows"), .number("Share"),
        .text("When it decides"),
      ],
      rows: figures.rules.map { line in
        [
          .code(line.rule), .code(line.status), .count(line.rows),
          .share(line.rows, of: total), .text(line.condition ?? ""),
        ]
      })
  }

  private static func verdicts(_ figures: ReportFigures) -> PageTable {
    PageTable(
      caption: "Price reports by verdict",
      columns: [.text("Verdict"), .number("Reports")],
      rows: figures.verdicts.map { [.code($0.name), .count($0.count)] },
      whenEmpty: "No price was reported.")
  }
}
