/// A moment in time: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Apple's `*_ms` fields contain such numbers. All arithmetic is in UTC and uses neither the clock,
/// a time zone database nor a locale.
public struct Instant: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Unix milliseconds, UTC.
  public let milliseconds: Int64

  /// Creates a moment from Unix milliseconds, UTC.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The moment 1970-01-01T00:00:00Z.
  public static let epoch = Instant(milliseconds: 0)

  /// The moment 0001-01-01T00:00:00Z; used for a period without a known beginning.
  public static let distantPast = Instant(milliseconds: -62_135_596_800_000)

  /// The moment 9999-12-31T23:59:59.999Z, the last moment with a four-digit year.
  public static let distantFuture = Instant(milliseconds: 253_402_300_799_999)

  /// Orders moments by time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Adds a duration; a negative duration gives an earlier moment.
  ///
  /// The result is limited to the range from ``distantPast`` to ``distantFuture``.
  public func advanced(by duration: Milliseconds) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(duration.rawValue)
    if overflow { return duration.rawValue < 0 ? .distantPast : .distantFuture }
    return min(max(Instant(milliseconds: sum), .distantPast), .distantFuture)
  }

  /// The time from the other moment to this moment; negative if this moment is earlier.
  public func since(_ other: Instant) -> Milliseconds {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    guard overflow else { return Milliseconds(difference) }
    return Milliseconds(milliseconds < other.milliseconds ? .min : .max)
  }

  /// The UTC day that contains this moment.
  public var day: CivilDay { CivilDay(daysSinceEpoch: milliseconds.flooredQuotient(by: dayLength)) }

  /// The moment rounded down to a whole second.
  public var wholeSecond: Instant {
    Instant(milliseconds: milliseconds.flooredQuotient(by: 1000) * 1000)
  }

  /// Whether the moment has a four-digit year in ISO 8601; only these moments are stored.
  public var isWritable: Bool { self >= .distantPast && self <= .distantFuture }
}

/// A duration in milliseconds.
public struct Milliseconds: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of milliseconds; may be negative.
  public let rawValue: Int64

  /// Creates a duration from a number of milliseconds.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Creates a duration from a number of seconds.
  public static func seconds(_ count: Int64) -> Milliseconds { Milliseconds(count * 1000) }

  /// Creates a duration from a number of hours.
  public static func hours(_ count: Int64) -> Milliseconds { Milliseconds(count * 3_600_000) }

  /// Creates a duration from a number of days; each day has 24 hours.
  public static func days(_ count: Int64) -> Milliseconds { Milliseconds(count * dayLength) }

  /// Orders durations by length.
  public static func < (left: Milliseconds, right: Milliseconds) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The absolute value of the duration.
  public var magnitude: Milliseconds {
    Milliseconds(rawValue == .min ? .max : abs(rawValue))
  }

  /// The number of whole days (24 hours) in this duration, rounded down.
  public var wholeDays: Int64 { rawValue.flooredQuotient(by: dayLength) }
}

let dayLength: Int64 = 86_400_000

extension FixedWidthInteger {
  /// The quotient rounded towards negative infinity; needed for times before 1970.
  ///
  /// - Precondition: The divisor is positive.
  @inline(__always) func flooredQuotient(by divisor: Self) -> Self {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
