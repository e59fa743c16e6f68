internal import CivilTime
internal import Glibc

/// An export day and how many records it holds.
struct DailyCount: Hashable {
  var day: CivilDay
  var records: Int
}

/// The number of records expected of an export day, from the days before it.
///
/// **Expectation.** Each count of the eight weeks before is divided by the factor of its weekday.
/// The factor is the median of the ratios of that weekday to the week around it, shrunk towards 1
/// if there are few records. The trend is the median of the slopes between all pairs of weeks, on a
/// logarithmic scale (Theil–Sen), carried on to the day: an app that shrinks by a tenth a week is
/// expected to continue shrinking. If the median of the last seven days is lower, as after a step,
/// that is expected. One spike, one quiet day or one missing week moves none of these medians.
///
/// **Chance.** Given the sum of the day's count and the counts before, the day's share of it is
/// binomial if records arrive independently, whatever their true rate. So the probability of a
/// count this small is exact, and short histories are not trusted too far. Days may vary more than
/// independent records do. Then their counts are divided by the excess (the median squared residual
/// over its expectation, as a multiple of chance's), which makes the probability an upper bound.
///
/// Example: ten records per day for four weeks, then 1: about 9 are expected, and chance explains
/// so few in one day of 2,000; 3 would be chance (one in 60).
struct VolumeExpectation {
  /// The number of records that the day should hold.
  let records: Double
  /// The number of earlier export days that it is based on.
  let days: Int
  /// The earlier records that count for the chance, and their weight beside the day's 1.
  private let earlierRecords: Double
  private let earlierWeight: Double
  /// The variance of the days before as a multiple of chance's; at least 1.
  private let dispersion: Double

  /// The number of earlier calendar days that are inspected.
  static let window: Int64 = 56
  /// The least number of export days for a trend.
  static let fewestDays = 7

  /// Looks at the days before a day; `nil` if too few are known.
  init?(of day: CivilDay, after earlier: some Sequence<DailyCount>) {
    let history = earlier.filter {
      let age = Self.age(of: $0.day, at: day)
      return 1...Self.window ~= age
    }
    guard history.count >= Self.fewestDays else { return nil }
    let weekdays = WeekdayFactors(history)
    let own = weekdays.factor(of: day)
    let counts = history.map { count in
      Detrended(
        age: Double(Self.age(of: count.day, at: day)), records: Double(count.records),
        factor: weekdays.factor(of: count.day))
    }
    let trend = WeeklyTrend(counts)
    let recent = counts.sorted { $0.age < $1.age }.prefix(7).map(\.level)
    let expected = min(trend.level, Self.median(recent)) * own
    records = expected
    days = history.count
    // The weight of each day relative to the checked day: busier days weigh more.
    let weights = counts.map { $0.factor * exp(trend.slope * $0.age) / own }
    let weight = weights.reduce(0, +)
    let sum = zip(counts, weights).reduce(0) { sum, pair in
      sum + min(pair.0.records, 2 * expected * pair.1)
    }
    earlierWeight = weight
    earlierRecords = min(sum, expected * weight)
    let residuals = zip(counts, weights).map { count, weight in
      let expected = max(trend.level * own * weight, 0.5)
      return (count.records - expected) * (count.records - expected) / expected
    }
    // 0.455 is the median of a squared standard normal variable.
    dispersion = max(1, Self.median(residuals) / 0.455)
  }

  /// The probability that a day as busy as those before holds at most that many records.
  func chance(ofAtMost count: Int) -> Double {
    guard earlierWeight > 0 else { return 1 }
    let own = (Double(count) / dispersion).rounded(.up)
    let before = (earlierRecords / dispersion).rounded(.down)
    return CountProbability.atMost(
      Int(own), of: Int(own + before), probability: 1 / (1 + earlierWeight))
  }

  private static func age(of day: CivilDay, at expected: CivilDay) -> Int64 {
    expected.daysSinceEpoch - day.daysSinceEpoch
  }

  /// The middle value; of an even number the mean of two; 0 of an empty list.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// A day's count without its weekday.
private struct Detrended {
  /// The number of days before the checked day.
  var age: Double
  var records: Double
  /// The factor of its weekday.
  var factor: Double
  /// The count of an average weekday at the same level.
  var level: Double { records / factor }
}

/// The factor of each weekday: its count over the mean of its week.
private struct WeekdayFactors {
  private var factors: [Int: Double] = [:]

  /// The least number of days for a weekday's factor.
  private static let fewest = 3
  /// The number of records at the common level that each factor is mixed with.
  private static let prior = 20.0

  init(_ history: [DailyCount]) {
    var records: [Int64: Double] = [:]
    for count in history { records[count.day.daysSinceEpoch] = Double(count.records) }
    var ratios: [Int: [Double]] = [:]
    var sums: [Int: Double] = [:]
    for count in history {
      let day = count.day.daysSinceEpoch
      let week = (day - 3...day + 3).compactMap { records[$0] }
      let mean = week.reduce(0, +) / Double(max(1, week.count))
      guard week.count >= 5, mean > 0 else { continue }
      ratios[count.day.weekday, default: []].append(Double(count.records) / mean)
      sums[count.day.weekday, default: 0] += Double(count.records)
    }
    for (weekday, values) in ratios where values.count >= Self.fewest {
      let sum = sums[weekday] ?? 0
      let raw = VolumeExpectation.median(values)
      factors[weekday] = max(0.02, (raw * sum + Self.prior) / (sum + Self.prior))
    }
  }

  func factor(of day: CivilDay) -> Double { factors[day.weekday] ?? 1 }
}

/// The trend of the weeks before a day.
private struct WeeklyTrend {
  /// The count of an average weekday on the checked day.
  let level: Double
  /// By how much the logarithm of the level was higher for each day before.
  let slope: Double

  /// The steepest fall and rise a week that are carried on.
  private static let steepest = (fall: log(4.0), rise: log(1.5))

  init(_ counts: [Detrended]) {
    let middle = VolumeExpectation.median(counts.map(\.level))
    var weeks: [(age: Double, level: Double)] = []
    for week in 0..<8 {
      let days = counts.filter { Int($0.age - 1) / 7 == week }
      guard days.count >= 3 else { continue }
      // A spike is three times the usual number.
      let levels = days.map { min($0.level, 3 * middle + 3) }
      weeks.append(
        (
          age: days.reduce(0) { $0 + $1.age } / Double(days.count),
          level: levels.reduce(0, +) / Double(levels.count)
        ))
    }
    guard weeks.count >= 3 else {
      level = middle
      slope = 0
      return
    }
    var slopes: [Double] = []
    for (index, later) in weeks.enumerated() {
      for earlier in weeks[(index + 1)...] {
        slopes.append(
          (log(earlier.level + 0.5) - log(later.level + 0.5)) / (earlier.age - later.age))
      }
    }
    let slope = min(
      max(VolumeExpectation.median(slopes), -Self.steepest.rise / 7), Self.steepest.fall / 7)
    self.slope = slope
    level = VolumeExpectation.median(weeks.map { $0.level * exp(-slope * $0.age) })
  }
}
