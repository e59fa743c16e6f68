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
  var offers: OfferListIndex
  var isSigned: Bool
  var isLate: Bool
  /// Whether the report has a ``PlacedReport/rivalPlace``.
  var hasRival: Bool
}

/// The reports that have a vote, grouped by market, sorted by time, then evidence id.
///
/// Each report is copied, because most passes read a market's reports one after another.
struct MarketReports: Sendable {
  private var rows: [[MarketReport]]

  init(_ reports: ComparedReports, markets: Markets, workers: Int) {
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
    rows = inParallel(markets.count, workers: workers) { [grouped] market in
      let rows = grouped[market].map { MarketReport($0, reports[$0.index]) }
      var order = rows.enumerated().map { KeyedIndex(key: $1.time.sortKey, index: UInt32($0)) }
      order.sort()
      return order.map { rows[Int($0.index)] }
    }
  }

  /// Leaves reports out of all comparisons.
  mutating func leaveOut(_ reports: Set<ReportPosition>) {
    guard !reports.isEmpty else { return }
    for market in rows.indices {
      rows[market].removeAll { reports.contains($0.position) }
    }
  }

  /// The reports of a market, oldest first.
  subscript(market: MarketIndex) -> [MarketReport] { rows[Int(market.rawValue)] }
}

extension MarketReport {
  fileprivate init(_ position: ReportPosition, _ report: PlacedReport) {
    self.init(
      position: position, voter: report.voter, time: report.time.milliseconds,
      price: report.price.rawValue, place: report.place, offers: report.offers,
      isSigned: report.isSigned, isLate: report.isLate, hasRival: report.rivalPlace != nil)
  }
}
