internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// Every price series with its votes and the intervals they tell
/// (RULES section 3, "Price history").
struct PriceHistory: Sendable {
  /// The prices of the reports, by series, then time, then evidence id.
  private(set) var votes: [PriceVote]
  /// The series, ascending.
  let series: [SeriesKey]
  /// The intervals, by series, then start.
  private(set) var intervals: [PriceInterval] = []
  /// Where each series begins in ``intervals``; one more entry than series.
  private(set) var intervalStarts: [Int] = [0]
  /// The vote for the regular price of each report of the ledger.
  private(set) var regularVotes: [Int32]
  /// The vote of each offer of the set; -1 for one without a price.
  private(set) var offerVotes: [Int32]

  /// Learns the intervals from judged reports.
  ///
  /// The series of a group are learned together, and several groups at once.
  init(ledger: ReportLedger, set: SightingSet, groups: PriceGroups, workers: Int = 1) {
    let lessons = inParallel(groups.count, workers: workers) { group in
      let (votes, series, starts) = ledger.votes(ofGroup: Int32(group), set: set)
      return series.indices.map { index in
        SeriesLesson(
          series[index], votes: votes[starts[index]..<starts[index + 1]], set: set, groups: groups)
      }
    }.flatMap(\.self)
    series = lessons.map(\.key)
    votes = joined(lessons.map { $0.votes[...] }, workers: workers)
    regularVotes = Array(repeating: -1, count: ledger.judged.count)
    offerVotes = Array(repeating: -1, count: set.offers.count)
    var position = 0
    for (number, lesson) in lessons.enumerated() {
      let offset = Int32(intervals.count)
      for index in position..<position + lesson.votes.count {
        let (report, offer) = (votes[index].report, votes[index].offer)
        votes[index].series = Int32(number)
        if votes[index].interval >= 0 { votes[index].interval += offset }
        if offer < 0 {
          regularVotes[Int(report)] = Int32(index)
        } else {
          offerVotes[Int(offer)] = Int32(index)
        }
      }
      position += lesson.votes.count
      intervals += lesson.intervals
      intervalStarts.append(intervals.count)
    }
    for index in intervals.indices {
      let first = Int(intervals[index].firstReport)  // so far a position in the ledger
      intervals[index].firstReport = ledger.judged[first].report
    }
  }

  /// A series by its key; `nil` where nobody reports it.
  func index(of key: SeriesKey) -> Int? {
    let position = series.firstPosition { $0 >= key }
    return position < series.count && series[position] == key ? position : nil
  }

  /// The interval of a series in force at a moment, by its position in ``intervals``.
  func interval(of series: Int, at time: Int64) -> Int? {
    let range = intervalStarts[series]..<intervalStarts[series + 1]
    let next = intervals.firstPosition(in: range) {
      $0.from.map { $0.milliseconds > time } ?? false
    }
    guard next > range.lowerBound else { return nil }
    if let to = intervals[next - 1].to, to.milliseconds <= time { return nil }
    return next - 1
  }

  /// The same by key.
  func interval(of key: SeriesKey, at time: Int64) -> Int? {
    index(of: key).flatMap { interval(of: $0, at: time) }
  }

  /// The newest interval of a series.
  func newestInterval(of key: SeriesKey) -> Int? {
    guard let series = index(of: key) else { return nil }
    let range = intervalStarts[series]..<intervalStarts[series + 1]
    return range.isEmpty ? nil : range.upperBound - 1
  }

}
