internal import Amounts
internal import Warehouse

/// The percentage of paid purchases that were refunded, and the refunded money.
enum RefundSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "refunded", title: "Refunds by product",
      paragraphs: [
        "The share of paid purchases that were refunded, by the month of the purchase; it grows "
          + "for about 90 days. Below: the refunded money, by the month of the refund. Upgrades "
          + "are not refunds."
      ],
      panels: [
        PagePanel(tables: [rates(figures)]),
        PagePanel(tables: [amounts(figures)]),
      ])
  }

  private static func rates(_ figures: PageFigures) -> PageTable {
    PageTable(
      caption: "Refund rate by month of purchase and product", isFolded: true,
      columns: [
        .text("Month"), .text("Product"), .number("Paid rows"),
        .number("Refunded"), .number("Refund rate"), .text("Complete"),
      ],
      rows: figures.refundRates.map { line in
        [
          .text(line.month), .foreign(line.productID), .count(line.paid), .count(line.refunded),
          .share(line.refunded, of: line.paid), .complete(line.isComplete),
        ]
      }, isByTime: true)
  }

  private static func amounts(_ figures: PageFigures) -> PageTable {
    PageTable(
      caption: "Refunds by the month of the refund",
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

/// The section about published figures that a later run changed.
enum RestatementSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "restatements", title: "Restatements",
      paragraphs: [
        "Published figures of earlier days that a later run changed, and the cause of each change."
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
