internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// One report as the passes see it, beside the others of its market.
struct MarketReport: Sendable {
  /// The report's position among the placed ones, which is the order of evidence ids.
  var position: ReportPosition
  var voter: Voter
  /// Unix milliseconds, UTC.
  var time: Int64
  /// The regular price in thousandths.
  var price: Int64
  var place: Storefront?
}

/// The placed reports market by market, within a market in the order of time, then evidence id.
struct MarketReports: Sendable {
  private let reports: [MarketReport]
  /// The position in ``reports`` at which each market begins; one more entry than markets.
  private let starts: [Int]

  init(_ placed: [PlacedReport], markets: Markets, workers: Int) {
    var starts = [Int](repeating: 0, count: markets.count + 1)
    var marketOf: [Int32] = []
    marketOf.reserveCapacity(placed.count)
    for report in placed {
      guard let market = markets.index(report.productID, report.currency) else {
        preconditionFailure("every report has a market")
      }
      marketOf.append(market.rawValue)
      starts[Int(market.rawValue) + 1] += 1
    }
    for market in 0..<markets.count { starts[market + 1] += starts[market] }
    var next = starts
    var unsorted = [ReportPosition](repeating: ReportPosition(0), count: placed.count)
    for position in placed.indices {
      let market = Int(marketOf[position])
      unsorted[next[market]] = ReportPosition(position)
      next[market] += 1
    }
    let (grouped, ranges) = (unsorted, starts)
    let sorted = inParallel(markets.count, workers: workers) { market in
      grouped[ranges[market]..<ranges[market + 1]].map { position in
        let report = placed[position.index]
        return MarketReport(
          position: position, voter: report.voter, time: report.time.milliseconds,
          price: report.price.rawValue, place: report.place)
      }.sorted { ($0.time, $0.position) < ($1.time, $1.position) }
    }
    self.reports = joined(sorted.map { $0[...] }, workers: workers)
    self.starts = starts
  }

  /// The reports of a market, oldest first.
  subscript(market: MarketIndex) -> ArraySlice<MarketReport> {
    reports[starts[Int(market.rawValue)]..<starts[Int(market.rawValue) + 1]]
  }
}
