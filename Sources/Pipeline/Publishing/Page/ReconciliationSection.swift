internal import Amounts
internal import Pipeline
internal import Warehouse

/// The section that compares the facts with Apple's reports.
enum ReconciliationSection {
  /// The values for the top of the page, keyed by their names in the template.
  ///
  /// They contain the percentage of the money of both sides that agrees, how much of it takes its
  /// price from Apple's reports, and the compared days. `nil` if there are no reports of Apple.
  static func head(_ figures: PageFigures) -> [String: String]? {
    guard let comparison = figures.comparison, let share = comparison.equalShare,
      let text = FigureText.share(share, of: 10_000)
    else { return nil }
    let days = FigureText.count(comparison.days, "day", "days")
    var values = [
      "part": text,
      "days": "\(days), \(comparison.firstDay) to \(comparison.lastDay)",
    ]
    let own = comparison.shareFromReports.flatMap { FigureText.share($0, of: 10_000) }.map {
      "The price of at most \($0) of it comes from these reports, so its agreement proves nothing."
    }
    let gap =
      comparison.missingDays > 0
      ? "\(FigureText.count(comparison.missingDays, "day", "days")) between them without a report: "
        + "their money is under the cause no report, and not in this share." : nil
    let notes = [gap, own, comparison.scope?.text].compactMap(\.self)
    values["scope"] = notes.isEmpty ? nil : notes.joined(separator: " ")
    return values
  }

  /// Creates the section; `nil` if there are no reports of Apple.
  static func make(_ figures: PageFigures) -> PageSection? {
    guard !figures.reconciliation.isEmpty else { return nil }
    return PageSection(
      id: "reconciliation", title: "Comparison with Apple's reports", short: "Apple's reports",
      paragraphs: [
        "Apple's sales reports compared with the receipts, and the causes of the differences. "
          + "Months are in Pacific time, as in the reports."
      ],
      panels: [places(figures), causes(figures)].compactMap(\.self))
  }

  /// Creates tables of the largest differences, one folded table per cause.
  private static func places(_ figures: PageFigures) -> PagePanel? {
    guard let comparison = figures.comparison, !comparison.causes.isEmpty else { return nil }
    return PagePanel(
      heading: "The largest differences by cause",
      note: "Above 0: more in Apple's reports. Below 0: more in the receipts.",
      tables: comparison.causes.map { cause in
        PageTable(
          caption: caption(cause), isFolded: true,
          columns: [
            .text("Product"), .text("Storefront"), .text("Currency"), .number("Difference"),
            .number("Units"),
          ],
          rows: cause.places.map { place in
            [
              .foreign(place.product), storefront(place.storefront), .currency(place.currency),
              .amount(place.difference, place.currency), .count(place.units),
            ]
          })
      })
  }

  /// The name of a cause with its percentage of the money in Apple's reports.
  ///
  /// Example: `receipt missing, 1.25 % of the money in Apple's reports`.
  private static func caption(_ cause: ComparisonFigures.Cause) -> String {
    let name = FigureText.words(cause.name)
    guard let part = cause.share else { return name }
    let rest = part.magnitude % 100
    let text = "\(part < 0 ? "-" : "")\(part.magnitude / 100).\(rest < 10 ? "0" : "")\(rest)"
    return "\(name), \(text)\u{A0}% of the money in Apple's reports"
  }

  private static func storefront(_ code: String) -> PageCell {
    code.isEmpty ? PageCell(text: "unknown", isUnknown: true) : .text(code)
  }

  private static func causes(_ figures: PageFigures) -> PagePanel {
    PagePanel(tables: [
      PageTable(
        caption: "Differences by month, currency and cause", isFolded: true,
        columns: [
          .text("Month"), .text("Currency"), .text("Cause"), .number("Apple's reports"),
          .number("Receipts"), .number("Difference"),
        ],
        rows: figures.reconciliation.map { line in
          [
            .text(line.month), .currency(line.currency), .text(FigureText.words(line.cause)),
            .amount(line.apple, line.currency), .amount(line.ours, line.currency),
            .amount(try? line.apple.subtracting(line.ours), line.currency),
          ]
        })
    ])
  }
}
