internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// A report of a market, with the values that price learning compares.
struct MarketReport: Sendable {
  /// The position of the report among the placed reports, which are sorted by evidence id.
  var position: ReportPosition
  var voter: Voter
  /// The time in Unix milliseconds, UTC.
  var time: Int64
  /// The regular price in thousandths.
  var price: Int64
  var place: Storefront?
}

/// The reports that have a vote, grouped by market, sorted by time, then evidence id.
///
/// Each access copies the reports of one market from the table of all reports. So only the markets
/// in use are in memory twice.
struct MarketReports: Sendable {
  private let reports: ComparedReports
  private var positions: [[ReportPosition]]

  init(_ reports: ComparedReports, markets: Markets, workers: Int) {
    self.reports = reports
    var counts = [Int](repeating: 0, count: markets.count)
    let marketOf = reports.map { report -> Int32 in
      guard let market = markets.index(of: report) else {
        preconditionFailure("no market for the product and currency of a report")
      }
      counts[Int(market.rawValue)] += 1
      return market.rawValue
    }
    var grouped = counts.map { count in
      var positions: [ReportPosition] = []
      positions.reserveCapacity(count)
      return positions
    }
    for (position, market) in marketOf.enumerated() where reports[position].setAside == nil {
      grouped[Int(market)].append(ReportPosition(position))
    }
    positions = inParallel(markets.count, workers: workers) { [grouped] market in
      grouped[market].map { (time: reports[$0.index].time, position: $0) }
        .sorted { ($0.time, $0.position) < ($1.time, $1.position) }
        .map(\.position)
    }
  }

  /// Leaves reports out of all comparisons.
  mutating func leaveOut(_ reports: Set<ReportPosition>) {
    guard !reports.isEmpty else { return }
    for market in positions.indices { positions[market].removeAll(where: reports.contains) }
  }

  /// The reports of a market, oldest first.
  subscript(market: MarketIndex) -> [MarketReport] {
    positions[Int(market.rawValue)].map { position in
      let report = reports[position.index]
      return MarketReport(
        position: position, voter: report.voter, time: report.time.milliseconds,
        price: report.price.rawValue, place: report.place)
    }
  }
}
