internal import Warehouse

/// The results of trials and introductory offers, by the month in which they began.
enum ConversionSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "cohorts", title: "Trials and introductory offers by month and product",
      paragraphs: [
        "A trial or introductory offer has converted when a paid period at the regular price "
          + "begins within 60 days of the end of the offer, for the same product or for any "
          + "product of the group. A conversion that was refunded later stays a conversion. "
          + "Mature: offers whose 60 days have passed, converted or not, and at which somebody has looked since. "
          + "Open: all others that have not converted. Lapsed: offers "
          + "that did not convert in time. Conversion: of the mature offers, those that went on to any product. "
          + "The offers of a month are complete when nearly all of them are "
          + "mature and the month is complete; only complete months can be compared."
      ],
      panels: [
        panel(figures, kind: "trial", heading: "Free trials"),
        panel(figures, kind: "intro", heading: "Paid introductory offers"),
      ])
  }

  private static func panel(_ figures: PageFigures, kind: String, heading: String) -> PagePanel {
    let cohorts = figures.cohorts.filter { $0.offerKind == kind }
    return PagePanel(
      heading: heading,
      tables: [
        PageTable(
          caption: "\(heading) by month and product", isFolded: true,
          columns: [.text("Month"), .text("Product")] + OutcomeColumns.columns,
          rows: cohorts.map { cohort in
            [.text(cohort.month), .foreign(cohort.productID)] + OutcomeColumns.cells(cohort.outcome)
          }, isByTime: true)
      ])
  }
}

/// Columns for the results of offers.
enum OutcomeColumns {
  static let columns: [PageTable.Column] = [
    .number("Began"), .number("Mature"), .number("To the same product"),
    .number("To any product"), .number("Refunded later"), .number("Open"),
    .number("Lapsed"), .number("Conversion"), .text("Complete"),
  ]

  static func cells(_ outcome: Outcome) -> [PageCell] {
    [
      .count(outcome.begun), .count(outcome.mature), .count(outcome.sameProduct),
      .count(outcome.anyProduct), .count(outcome.refunded), .count(outcome.open),
      .count(outcome.lapsed), .share(outcome.matureConverted, of: outcome.mature),
      .complete(outcome.isComplete),
    ]
  }
}

/// The section about the revenue of each offer.
enum OfferSection {
  static func make(_ figures: PageFigures) -> PageSection {
    PageSection(
      id: "offers", title: "Offers", short: "Offers",
      paragraphs: [
        "How often each offer was used, how many continued at the regular price, and what was "
          + "paid. "
          + "An offer without a name is the introductory one."
      ],
      panels: [
        PagePanel(tables: [
          PageTable(
            caption:
              "Offers of all currencies together; the share is that of the mature offers",
            columns: [
              .text("Offer"), .number("Taken"), .number("Became paid"), .number("Mature"),
              .number("Of these paid"), .number("Share"),
            ],
            rows: sums(figures.offers), whenEmpty: "No offer was used."),
          PageTable(
            caption: "Offers by product and currency", isFolded: true,
            columns: [
              .text("Offer"), .text("Kind"), .text("Product"), .text("Payment"), .number("Taken"),
              .number("Still open"), .number("Became paid"), .number("Mature"),
              .number("Share"), .text("Currency"),
              .number("Paid for the offer"), .number("Paid at conversion"),
              .number("Amounts unknown"),
            ],
            rows: figures.offers.map(row), whenEmpty: "No offer was used."),
        ])
      ])
  }

  /// Creates the rows of the table of offers, summed over all currencies, the most used offer
  /// first.
  ///
  /// Only the numbers of offers are summed, because their amounts are in several currencies.
  private static func sums(_ offers: [OfferFigures]) -> [[PageCell]] {
    struct Key: Hashable {
      var kind: String
      var title: String?
    }
    var sums: [Key: (begun: Int64, paid: Int64, mature: Int64, converted: Int64)] = [:]
    for offer in offers {
      let key = Key(kind: offer.offerKind, title: title(offer))
      let sum = sums[key, default: (0, 0, 0, 0)]
      sums[key] = (
        sum.begun + offer.outcome.begun, sum.paid + offer.outcome.anyProduct,
        sum.mature + offer.outcome.mature, sum.converted + offer.outcome.matureConverted
      )
    }
    let sorted = sums.sorted {
      ($1.value.begun, $0.key.kind, $0.key.title ?? "")
        < ($0.value.begun, $1.key.kind, $1.key.title ?? "")
    }
    return sorted.map { key, sum in
      [
        key.title.map(PageCell.foreign) ?? .text(FigureText.words(key.kind)), .count(sum.begun),
        .count(sum.paid), .count(sum.mature), .count(sum.converted),
        .share(sum.converted, of: sum.mature),
      ]
    }
  }

  /// The name of a campaign with its id: `Spring campaign (SPRING21)`.
  ///
  /// If the name and the id are equal, the title is only the name. If one of the two is missing,
  /// the title is only the other; if both are missing, it is `nil`.
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
      .text(FigureText.words(offer.paymentMode)), .count(offer.outcome.begun),
      .count(offer.outcome.open), .count(offer.outcome.anyProduct), .count(offer.outcome.mature),
      .share(offer.outcome.matureConverted, of: offer.outcome.mature),
      .currency(offer.currency), .amount(offer.paid, offer.currency),
      .amount(offer.convertedPaid, offer.currency), .count(offer.unresolvedRows),
    ]
  }
}
