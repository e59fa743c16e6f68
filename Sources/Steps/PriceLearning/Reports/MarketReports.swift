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
  private let reports: [[MarketReport]]

  init(_ placed: [PlacedReport], markets: Markets, workers: Int) {
    var counts = [Int](repeating: 0, count: markets.count)
    let marketOf = placed.map { report -> Int32 in
      guard let market = markets.index(report.productID, report.currency) else {
        preconditionFailure("every report has a market")
      }
      counts[Int(market.rawValue)] += 1
      return market.rawValue
    }
    var grouped = counts.map { count in
      var positions: [ReportPosition] = []
      positions.reserveCapacity(count)
      return positions
    }
    for (position, market) in marketOf.enumerated() {
      grouped[Int(market)].append(ReportPosition(position))
    }
    reports = inParallel(markets.count, workers: workers) { [grouped] market in
      var reports = grouped[market].map { position in
        let report = placed[position.index]
        return MarketReport(
          position: position, voter: report.voter, time: report.time.milliseconds,
          price: report.price.rawValue, place: report.place)
      }
      reports.sort { ($0.time, $0.position) < ($1.time, $1.position) }
      return reports
    }
  }

  /// The reports of a market, oldest first.
  subscript(market: MarketIndex) -> ArraySlice<MarketReport> { reports[Int(market.rawValue)][...] }
}
