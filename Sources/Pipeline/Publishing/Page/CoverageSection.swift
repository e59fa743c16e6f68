internal import Warehouse

/// The percentage of known amounts, and the rules that decided them.
enum CoverageSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "coverage", title: "How well amounts are known",
      paragraphs: [
        "The purchases that were not free: how many there were, how many have a known amount, and "
          + "how many have an exact amount (reported with the purchase or signed by Apple)."
      ],
      panels: [
        PagePanel(
          tables: [
            table(figures.coverageDays, period: "Day"),
            table(figures.coverageMonths, period: "Month"),
          ]),
        PagePanel(heading: "By rule", tables: [rules(figures)]),
        PagePanel(
          heading: "Price reports",
          note: "Price reports of the apps, by verdict. The table price_outlier lists each report "
            + "that was not believed.",
          tables: [verdicts(figures)]),
      ])
  }

  private static func table(_ lines: [CoverageFigures], period: String) -> PageTable {
    PageTable(
      caption: "Coverage by \(period.lowercased())", isFolded: true,
      columns: [
        .text(period), .number("Chargeable rows"),
        .number("With an amount"), .number("Exact"), .number("Coverage"),
        .text("Complete"),
      ],
      rows: lines.map { line in
        [
          .text(line.period), .count(line.chargeable), .count(line.known), .count(line.exact),
          .share(line.known, of: line.chargeable), .complete(line.isComplete),
        ]
      }, isByTime: true)
  }

  private static func rules(_ figures: PageFigures) -> PageTable {
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

  private static func verdicts(_ figures: PageFigures) -> PageTable {
    PageTable(
      caption: "Price reports by verdict",
      columns: [.text("Verdict"), .number("Reports")],
      rows: figures.verdicts.map { [.code($0.name), .count($0.count)] },
      whenEmpty: "No price was reported.")
  }
}
