import Amounts
import CivilTime
import PriceLearning
import PurchaseModel
import TestSupport

/// The result of learning from the reports of a test.
///
/// A report is placed at its own time and storefront; its customer is the voter.
struct LearnedPrices {
  let built: BuiltStore
  let placed: [PlacedReport]
  let offers: OfferLists
  let book: PriceBook

  init(_ build: (inout StoreBuilder) -> Void) {
    var store = StoreBuilder()
    build(&store)
    self.init(store)
  }

  /// Learns from a store's reports; `place` can change how each report is placed.
  init(_ store: StoreBuilder, place: (inout PlacedReport) -> Void = { _ in }) {
    let built = store.build()
    var voters: [CustomerID: Voter] = [:]
    var offers = OfferLists()
    var placed: [PlacedReport] = []
    for (index, report) in built.observations.reports.enumerated() {
      var voter = Voter(Int64(1000 + index))
      if let customer = report.customer {
        voter = voters[customer] ?? Voter(Int64(voters.count))
        voters[customer] = voter
      }
      var entry = PlacedReport(
        evidenceID: report.evidenceID, time: report.reportedAt, price: report.price, voter: voter,
        productID: report.productID, currency: report.currency,
        offers: offers.index(of: Array(built.observations.offers[report.offers])),
        place: report.storefront, hasOwnPlace: report.storefront != nil)
      place(&entry)
      placed.append(entry)
    }
    self.built = built
    self.placed = placed
    self.offers = offers
    book = learnPrices(from: placed, offers: offers, catalogue: built.catalogue)
  }

  var verdicts: [Verdict] { book.reportVerdicts.map(\.verdict) }

  /// The confirmed reports in order: `+` for a confirmed report, `-` for any other.
  var confirmed: String {
    book.reportVerdicts.map { $0.isConfirmed ? "+" : "-" }.joined()
  }

  /// Every interval in one line: product, currency, storefront, from, to, price and voters.
  var intervals: [String] { book.history.intervals.map { text($0) } }

  private func text(_ interval: PriceInterval) -> String {
    let kind =
      switch interval.series.kind {
      case .regular: "regular"
      case .introductory(let mode, let length): "intro \(mode.name) \(length.text)"
      case .offer(let offer): built.observations.symbols.text(offer.symbol)
      }
    return [
      built.observations.symbols.text(interval.productID.symbol), interval.currency.code,
      interval.series.storefront?.code ?? "-", kind, interval.from?.text ?? "-",
      interval.to?.text ?? "-", interval.price.text(decimals: 2), "voters \(interval.voters)",
      "reports \(interval.reports)", "rejected \(interval.rejectedReports)",
      "last \(interval.lastReportedAt.text)",
    ].joined(separator: " ")
  }
}

extension StoreBuilder {
  /// Adds reports of one price, one report per voter.
  mutating func votes(
    _ price: String, by voters: [String], at time: String, product: String = "pro",
    in storefront: String? = "USA", currency: String = "USD", offers: [StoreOffer] = []
  ) {
    for voter in voters {
      report(
        at: time, customer: voter, product: product, storefront: storefront, currency: currency,
        price: price, offers: offers)
    }
  }
}
