internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The price series of one market and their intervals.
struct MarketInference: Sendable {
  /// Each series with its intervals, oldest first; sorted by series.
  private(set) var series: [(key: SeriesKey, intervals: [PriceInterval])] = []

  /// Learns every series of a market.
  init(_ market: MarketIndex, votes: [SeriesKey: [PriceVote]], table: VoteTable) {
    let product = table.markets.product(market)
    let currency = table.markets.currency(market)
    for key in votes.keys.sorted() {
      let ballots = votes[key] ?? []
      let dates = CatalogueDates(
        key.kind == .regular ? table.catalogue.product(of: market, in: table.markets) : nil,
        rebased: table.catalogue.rebased(currency), currency: currency,
        storefront: key.storefront)
      let inference = PriceSeriesInference(
        ballots[...], cuts: dates.cuts, changeDates: dates.changeDates, listed: dates.listPrices)
      let intervals = inference.spans.map { span in
        Self.interval(span, of: key, product, currency, ballots[span.votes], table)
      }
      if !intervals.isEmpty { series.append((key, intervals)) }
    }
  }

  /// Creates the interval to publish from a span and its votes.
  private static func interval(
    _ span: PriceSeriesInference.Span, of key: SeriesKey, _ product: ProductID,
    _ currency: Currency,
    _ votes: ArraySlice<PriceVote>, _ table: VoteTable
  ) -> PriceInterval {
    let supporters = votes.filter { $0.isBelieved && $0.price == span.price }
    guard let last = supporters.last, let first = supporters.first else {
      preconditionFailure("no believed report has the price of an interval of the price history")
    }
    var interval = PriceInterval(
      productID: product, currency: currency, series: key,
      from: span.from.map(Instant.init(milliseconds:)),
      to: span.to.map(Instant.init(milliseconds:)), endsAtCatalogueDate: span.endsAtCut,
      price: Milliunits(span.price), paymentMode: nil,
      length: OfferLength(numberOfPeriods: nil, period: nil),
      voters: Int32(Set(supporters.map(\.voter)).count), reports: Int32(supporters.count),
      rejectedReports: Int32(votes.count { !$0.isBelieved }),
      firstReport: supporters.first { $0.weight == 1 }
        .map { table.placed[$0.position.index].evidenceID },
      lastReportedAt: Instant(milliseconds: last.time))
    let strays = votes.lazy.filter { $0.isBelieved && $0.time > last.time }.map(\.price)
    interval.lowestStray = strays.min().map(Milliunits.init)
    interval.highestStray = strays.max().map(Milliunits.init)
    let early = votes.lazy.filter { $0.isBelieved && $0.time < first.time }.map(\.price)
    interval.firstReportedAt = Instant(milliseconds: first.time)
    interval.lowestEarlyStray = early.min().map(Milliunits.init)
    interval.highestEarlyStray = early.max().map(Milliunits.init)
    interval.isAgreed = isAgreed(span.price, votes)
    switch key.kind {
    case .regular:
      interval.length = OfferLength(table.markets.instalment(key.market))
    case .introductory(let mode, let length):
      interval.paymentMode = mode
      interval.length = length
    case .offer:
      let terms = commonestTerms(of: supporters, table)
      interval.paymentMode = terms?.mode
      interval.length = terms?.length ?? interval.length
    }
    return interval
  }

  /// Returns true if at least three voters report a price, and if it has more than twice as many
  /// voters as any other price.
  private static func isAgreed(_ price: Int64, _ votes: ArraySlice<PriceVote>) -> Bool {
    var voters: [Int64: Set<Voter>] = [:]
    for vote in votes where vote.isBelieved { voters[vote.price, default: []].insert(vote.voter) }
    let own = voters.removeValue(forKey: price)?.count ?? 0
    return own >= 3 && voters.values.allSatisfy { own > 2 * $0.count }
  }

  private struct OfferTerms: Hashable {
    var mode: PaymentMode
    var length: OfferLength
  }

  /// The payment mode and length of an offer that most voters report; in a tie, those of the
  /// earliest report.
  private static func commonestTerms(of votes: [PriceVote], _ table: VoteTable) -> OfferTerms? {
    var voters: [OfferTerms: Set<Voter>] = [:]
    var inOrder: [OfferTerms] = []
    for vote in votes {
      guard let offer = table.offer(of: vote) else { continue }
      let terms = OfferTerms(
        mode: offer.paymentMode,
        length: OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period))
      if voters[terms] == nil { inOrder.append(terms) }
      voters[terms, default: []].insert(vote.voter)
    }
    return inOrder.reduce(nil) { best, terms in
      guard let best else { return terms }
      return voters[terms]?.count ?? 0 > voters[best]?.count ?? 0 ? terms : best
    }
  }
}
