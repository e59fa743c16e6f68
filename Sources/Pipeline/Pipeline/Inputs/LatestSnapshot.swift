internal import CivilTime

/// The latest time that a snapshot may have: two days after the clock of the run that reads it.
///
/// The as-of time of the facts is the newest snapshot. So one record of the year 2035 would end
/// every running subscription. This is the only influence of the clock on facts. It is decided
/// once: state.db keeps the time with the file, and a later reading of a file in use applies the
/// kept time again.
enum LatestSnapshot {
  /// The margin for time zones, and for machines whose clocks differ.
  private static let margin = Milliseconds.days(2)

  /// The first day on which this program existed.
  ///
  /// An earlier clock is wrong, so it limits nothing.
  private static let earliestClock = CivilDay(daysSinceEpoch: 20_454)  // 2026-01-01

  /// The latest time for files that are read at a time of the clock; `nil` if the clock is wrong.
  static func at(_ clock: Instant) -> Instant? {
    clock.day < earliestClock ? nil : clock.advanced(by: margin)
  }
}

extension FoundInput {
  /// The day in the file's name; `nil` if this day is in the future.
  func exportDay(through latest: Instant?) -> CivilDay? {
    exportDay.flatMap { day in latest.map { day <= $0.day } ?? true ? day : nil }
  }
}
