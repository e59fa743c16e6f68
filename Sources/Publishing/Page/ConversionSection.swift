/// What became of trials and introductory offers, by the month in which they began.
enum ConversionSection {
  static func make(_ figures: ReportFigures, hasCharts: Bool) -> PageSection {
    PageSection(
      id: "conversion", title: "Conversion by cohort", short: "Conversion",
      paragraphs: DefinitionText.paragraphs(
        figures, ["trial_conversion_strict", "trial_conversion_any", "intro_conversion"])
        + [
          "A cohort is complete when none of its offers can change any more and the exports cover "
            + "its whole month; only complete cohorts can be compared."
        ],
      panels: [
        panel(figures, kind: "trial", heading: "Free trials", hasCharts: hasCharts),
        panel(figures, kind: "intro", heading: "Paid introductory offers", hasCharts: hasCharts),
      ])
  }

  private static func panel(
    _ figures: ReportFigures, kind: String, heading: String, hasCharts: Bool
  ) -> PagePanel {
    let cohorts = figures.cohorts.filter { $0.offerKind == kind }
    let hasChart = hasCharts && !cohorts.isEmpty
    return PagePanel(
      heading: heading,
      chart: hasChart
        ? PageChart(
          kind: .outcomes, caption: "\(heading) by month of their begin: what became of them",
          unit: "%") : nil,
      tables: [
        PageTable(
          caption: "\(heading) by month and product", isFolded: true, isOpen: !hasChart,
          columns: [.text("Month", "period"), .text("Product")] + OutcomeColumns.columns,
          rows: cohorts.map { cohort in
            [.text(cohort.month), .foreign(cohort.productID)] + OutcomeColumns.cells(cohort.outcome)
          })
      ])
  }
}

/// The columns that tell what became of offers.
enum OutcomeColumns {
  static let columns: [PageTable.Column] = [
    .number("Began", "whole"), .number("Ripe"), .number("To the same product", "same"),
    .number("To any product", "any"), .number("Refunded later"), .number("Open", "open"),
    .number("Lapsed", "lapsed"), .number("Conversion"), .text("Complete", "complete"),
  ]

  static func cells(_ outcome: Outcome) -> [PageCell] {
    [
      .count(outcome.begun), .count(outcome.mature), .count(outcome.sameProduct),
      .count(outcome.anyProduct), .count(outcome.refunded), .count(outcome.open),
      .count(outcome.lapsed), .share(outcome.sameProduct, of: outcome.begun),
      .complete(outcome.isComplete),
    ]
  }
}

/// What each offer brought.
enum OfferSection {
  static func make(_ figures: ReportFigures) -> PageSection {
    PageSection(
      id: "offers", title: "Offers", short: "Offers",
      paragraphs: DefinitionText.paragraphs(figures, ["offer_performance"]),
      panels: [
        PagePanel(tables: [
          PageTable(
            caption: "Offers by product and currency",
            columns: [
              .text("Offer"), .text("Kind"), .text("Product"), .text("Payment"),
              .text("Currency"), .number("Paid in the offer"), .number("Paid at conversion"),
              .number("Rows unresolved"),
            ] + OutcomeColumns.columns,
            rows: figures.offers.map(row), whenEmpty: "No offer was used.")
        ])
      ])
  }

  /// The name of a campaign with its id, `Spring campaign (SPRING21)`; one where they are the same.
  private static func title(_ offer: OfferFigures) -> String? {
    guard let name = offer.offerName, let id = offer.offerID, name != id else {
      return offer.offerName ?? offer.offerID
    }
    return "\(name) (\(id))"
  }

  private static func row(_ offer: OfferFigures) -> [PageCell] {
    [
      title(offer).map(PageCell.foreign) ?? .text("introductory"),
      .text(FigureText.words(offer.offerKind)), .foreign(offer.productID),
      .text(FigureText.words(offer.paymentMode)), .currency(offer.currency),
      .amount(offer.paid, offer.currency), .amount(offer.convertedPaid, offer.currency),
      .count(offer.unresolvedRows),
    ] + OutcomeColumns.cells(offer.outcome)
  }
}
