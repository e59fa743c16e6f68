internal import CivilTime
internal import Glibc

/// An export day and the number of its records.
struct DailyCount: Hashable {
  var day: CivilDay
  var records: Int
}

/// The expected number of records of an export day, computed from the days before that day.
///
/// **Expectation.** Each number of records in the eight weeks before the day is divided by the
/// factor of its weekday. The factor is the median ratio of the weekday to the week around it; with
/// few records, it is moved towards 1. The trend is the median of the slopes between all pairs of
/// weeks, on a logarithmic scale (Theil–Sen). The trend is extrapolated to the day: an app that
/// shrinks by a tenth per week is expected to continue to shrink. If the median of the last seven
/// days is lower, for example after a sudden drop, this median is the expectation. A single spike,
/// quiet day or missing week does not change these medians.
///
/// **Chance.** The day's records are a part of the records of all examined days. If records arrive
/// independently, the size of this part has a binomial distribution, whatever the true rate is. So
/// the probability of a number as low as the day's is exact, even after a short history. Numbers
/// may vary more from day to day than independent records would. Then all numbers are first divided
/// by ``dispersion``, and the probability is an upper bound.
///
/// Example: after ten records per day for four weeks, a day has 1 record. About 9 are expected, and
/// by chance a day has so few only once in 2,000 days. A day with 3 records could be chance (once
/// in 60 days).
struct VolumeExpectation {
  /// The expected number of records.
  let records: Double
  /// The number of earlier export days on which the expectation is based.
  let days: Int
  /// The number of records on all earlier days, but at most the number expected on these days.
  ///
  /// A single day adds at most twice its expected number, so that a spike has little effect.
  private let earlierRecords: Double
  /// The sum of the weights of the earlier days.
  ///
  /// The weight of a day is its expected number of records, divided by that of the checked day.
  private let earlierWeight: Double
  /// The variance on earlier days, divided by the variance that chance explains; at least 1.
  private let dispersion: Double

  /// The number of calendar days before the checked day that are examined.
  static let window: Int64 = 56
  /// The smallest number of export days for a trend.
  static let fewestDays = 7

  /// Computes the expectation for a day; `nil` if too few days before it are known.
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
    // The weight of each day relative to the checked day: busier days have a higher weight.
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

  /// The probability that the checked day has at most `count` records by chance.
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

  /// Computes the median; for an even number of values, the mean of the two middle values.
  ///
  /// The median is 0 without values.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// The number of records of a day, with the factor of its weekday.
private struct Detrended {
  /// The number of days from this day to the checked day.
  var age: Double
  var records: Double
  var factor: Double
  /// The number of records that an average weekday would have had: the records divided by the
  /// factor.
  var level: Double { records / factor }
}

/// The factor of each weekday: its usual count divided by the mean of the week around it.
private struct WeekdayFactors {
  private var factors: [Int: Double] = [:]

  /// The smallest number of days for the factor of a weekday.
  private static let fewest = 3
  /// The number of records that are added to the records of each weekday, as if their factor were
  /// 1.
  ///
  /// They move the factor of a weekday with few records towards 1.
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

/// The level and the change of the number of records in the weeks before a day, which predict the
/// number of records of that day.
private struct WeeklyTrend {
  /// The expected number of records on the checked day, if the day were an average weekday.
  let level: Double
  /// The daily decrease of the logarithm of the number of records.
  ///
  /// Above 0 if the numbers fall; below 0 if they rise.
  let slope: Double

  /// The limits of the extrapolated trend per week: a fall to a quarter, a rise to 1.5 times.
  private static let steepest = (fall: log(4.0), rise: log(1.5))

  init(_ counts: [Detrended]) {
    let middle = VolumeExpectation.median(counts.map(\.level))
    var weeks: [(age: Double, level: Double)] = []
    for week in 0..<8 {
      let days = counts.filter { Int($0.age - 1) / 7 == week }
      guard days.count >= 3 else { continue }
      // Levels above three times the usual level are spikes, and are cut off.
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
