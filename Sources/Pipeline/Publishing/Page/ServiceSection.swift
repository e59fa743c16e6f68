internal import Amounts
internal import PurchaseModel
internal import Warehouse

/// The section about a hosted service: where it books something else than was paid, and why.
enum ServiceSection {
  /// Creates the section; `nil` without a service's export.
  static func make(_ figures: PageFigures) -> PageSection? {
    guard !figures.services.isEmpty else { return nil }
    let names = Set(figures.services.map(\.service)).sorted().map { name in
      SubscriptionService(name: name)?.title ?? name
    }
    let title = names.joined(separator: " and ")
    return PageSection(
      id: "service", title: "Where \(title) and Paidline differ", short: title,
      paragraphs: [
        "The money that \(title) books beside the money that was paid, for the same purchases. The "
          + "causes sum to the difference; the table service_comparison has each purchase."
      ],
      panels: [
        PagePanel(
          note: "Above 0: the service books more than was paid. Below 0: it books less.",
          tables: [table(figures.services)])
      ])
  }

  private static func table(_ lines: [ServiceFigures]) -> PageTable {
    PageTable(
      caption: "Amounts by cause of difference",
      columns: [
        .text("Currency"), .text("Cause"), .number("Purchases"), .number("Service"),
        .number("Paid"), .number("Difference"),
      ],
      rows: lines.map { line in
        let difference = line.paid.map { Milliunits(line.booked.rawValue - $0.rawValue) }
        return [
          .currency(line.currency), .text(FigureText.words(line.cause)), .count(line.purchases),
          .amount(line.booked, line.currency),
          line.paid.map { .amount($0, line.currency) } ?? .text("not known"),
          difference.map { .amount($0, line.currency) } ?? .text("not known"),
        ]
      })
  }
}
