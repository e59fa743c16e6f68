public import Amounts
public import CivilTime
internal import Parallel
public import PurchaseModel

/// The price series, each with the intervals in which its prices were in force.
///
/// Example: `pro.monthly` in USD: 9.99 until May 5, 2024, and 12.99 since.
public struct PriceHistory: Sendable {
  /// All intervals, sorted by series, then start.
  public private(set) var intervals: [PriceInterval] = []
  /// The series in ascending order.
  private var series: [SeriesKey] = []
  /// The position in ``intervals`` at which each series begins; the last element is the number of
  /// intervals.
  private var starts: [Int] = [0]
  /// The positions in ``intervals`` of each market's regular price in the common list.
  ///
  /// They are stored because this series is looked up most often.
  private var common: [Range<Int>] = []

  /// Merges the inferred series of the markets, in their order.
  init(_ inferences: [MarketInference]) {
    common = Array(repeating: 0..<0, count: inferences.count)
    for (market, inference) in inferences.enumerated() {
      for (key, learned) in inference.series {
        if key.kind == .regular, key.storefront == nil {
          common[market] = intervals.count..<intervals.count + learned.count
        }
        series.append(key)
        intervals += learned
        starts.append(intervals.count)
      }
    }
  }

  /// Creates a history from known intervals, in any order.
  init(_ known: [PriceInterval], markets: Int) {
    common = Array(repeating: 0..<0, count: markets)
    intervals = known.sorted { left, right in
      left.series == right.series
        ? left.from ?? .distantPast < right.from ?? .distantPast : left.series < right.series
    }
    for (place, interval) in intervals.enumerated() {
      if series.last != interval.series {
        series.append(interval.series)
        starts.append(place)
      }
      starts[starts.count - 1] = place + 1
      guard interval.series.kind == .regular, interval.series.storefront == nil else { continue }
      let market = Int(interval.series.market.rawValue)
      common[market] = starts[starts.count - 2]..<place + 1
    }
  }

  /// The position in ``intervals`` of a series' interval that is in force at a moment.
  ///
  /// `nil` if no interval of the series contains the moment: for example, the series has no reports
  /// in the stretch.
  public func index(of key: SeriesKey, at time: Instant) -> Int? {
    guard let range = range(of: key) else { return nil }
    let next = intervals.firstPosition(in: range) { $0.from.map { $0 > time } ?? false }
    guard next > range.lowerBound else { return nil }
    if let to = intervals[next - 1].to, to <= time { return nil }
    return next - 1
  }

  /// The interval of a series that is in force at a moment; `nil` if there is none.
  public func interval(of key: SeriesKey, at time: Instant) -> PriceInterval? {
    index(of: key, at: time).map { intervals[$0] }
  }

  /// The intervals of a series, oldest first.
  public func intervals(of key: SeriesKey) -> ArraySlice<PriceInterval> {
    range(of: key).map { intervals[$0] } ?? []
  }

  /// Returns true if any series of a market ever had the given price.
  public func contains(_ price: Milliunits, in market: MarketIndex) -> Bool {
    let first = series.firstPosition { $0.market >= market }
    var position = first
    while position < series.count, series[position].market == market {
      if intervals[starts[position]..<starts[position + 1]].contains(where: { $0.price == price }) {
        return true
      }
      position += 1
    }
    return false
  }

  /// The position in ``intervals`` of a series' newest interval; `nil` if the series has none.
  public func newestIndex(of key: SeriesKey) -> Int? {
    range(of: key).flatMap { $0.isEmpty ? nil : $0.upperBound - 1 }
  }

  /// The series of a market's introductory prices in a storefront, one per mode and length.
  public func introductory(_ market: MarketIndex, in storefront: Storefront?) -> [SeriesKey] {
    let least = SeriesKey(
      market, .introductory(.payAsYouGo, OfferLength(numberOfPeriods: nil, period: nil)),
      in: storefront)
    var found: [SeriesKey] = []
    var position = series.firstPosition { $0 >= least }
    while position < series.count {
      let key = series[position]
      guard case .introductory = key.kind, key.market == market, key.storefront == storefront
      else { break }
      found.append(key)
      position += 1
    }
    return found
  }

  private func range(of key: SeriesKey) -> Range<Int>? {
    if key.storefront == nil, key.kind == .regular { return common[Int(key.market.rawValue)] }
    let position = series.firstPosition { $0 >= key }
    guard position < series.count, series[position] == key else { return nil }
    return starts[position]..<starts[position + 1]
  }
}
