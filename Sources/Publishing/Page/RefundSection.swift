internal import Amounts

/// What was given back, and how often that happens.
enum RefundSection {
  static func make(_ figures: ReportFigures, hasCharts: Bool) -> PageSection {
    let hasChart = hasCharts && !figures.refundRates.isEmpty
    return PageSection(
      id: "refunds", title: "Refunds", short: "Refunds",
      paragraphs: DefinitionText.paragraphs(figures, ["refund_rate", "net_revenue_ledger"]),
      panels: [
        PagePanel(
          chart: hasChart
            ? PageChart(
              kind: .rate, caption: "Refunded rows among paid rows, by month of purchase",
              unit: "%") : nil,
          tables: [rates(figures, isOpen: !hasChart)]),
        PagePanel(tables: [amounts(figures)]),
      ])
  }

  private static func rates(_ figures: ReportFigures, isOpen: Bool) -> PageTable {
    PageTable(
      caption: "Refund rate by month of purchase and product", isFolded: true, isOpen: isOpen,
      columns: [
        .text("Month", "period"), .text("Product"), .number("Paid rows", "whole"),
        .number("Refunded", "part"), .number("Refund rate"), .text("Complete", "complete"),
      ],
      rows: figures.refundRates.map { line in
        [
          .text(line.month), .foreign(line.productID), .count(line.paid), .count(line.refunded),
          .share(line.refunded, of: line.paid), .complete(line.isComplete),
        ]
      })
  }

  private static func amounts(_ figures: ReportFigures) -> PageTable {
    PageTable(
      caption: "Refunds by the month in which the money went back",
      columns: [
        .text("Month"), .text("Product"), .text("Currency"), .number("Rows"),
        .number("Amount"),
      ],
      rows: figures.refunds.map { line in
        [
          .text(line.month), .foreign(line.productID), .currency(line.currency),
          .count(line.rows), .amount(line.amount, line.currency),
        ]
      }, whenEmpty: "Nothing was refunded.")
  }
}

/// Published figures that changed.
enum RestatementSection {
  static func make(_ figures: ReportFigures) -> PageSection {
    PageSection(
      id: "restatements", title: "Restatements", short: "Restatements",
      paragraphs: [
        "Figures of earlier days that changed after they had been published: by which run, and why."
      ],
      panels: [
        PagePanel(tables: [
          PageTable(
            caption: "Changes by run, figure and cause",
            columns: [
              .text("Run"), .text("Figure"), .text("Cause"), .text("Currency"),
              .number("Change"), .number("Days"), .text("First day"), .text("Last day"),
            ],
            rows: figures.restatements.map(row),
            whenEmpty: "No published figure has changed.")
        ])
      ])
  }

  private static func row(_ line: RestatementFigures) -> [PageCell] {
    let isMoney = line.metric != "unresolved_rows"
    return [
      .text(String(line.runID)), .text(FigureText.words(line.metric)),
      .text(FigureText.words(line.cause)), .currency(line.currency),
      isMoney
        ? .amount(Milliunits(line.change), line.currency)
        : .count(line.change),
      .count(line.days), .text(line.firstDay), .text(line.lastDay),
    ]
  }
}
