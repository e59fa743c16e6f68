/// A moment in time: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds ignored.
///
/// Apple's `*_ms` fields hold the same. All arithmetic is in UTC, without clock, time zone database
/// and locale.
public struct Instant: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Unix milliseconds, UTC.
  public let milliseconds: Int64

  /// The moment of a number of Unix milliseconds.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// 1970-01-01T00:00:00Z.
  public static let epoch = Instant(milliseconds: 0)

  /// 0001-01-01T00:00:00Z, the written form of "since ever".
  public static let distantPast = Instant(milliseconds: -62_135_596_800_000)

  /// 9999-12-31T23:59:59.999Z, the last moment an ISO 8601 text of four digits can name.
  public static let distantFuture = Instant(milliseconds: 253_402_300_799_999)

  /// Chronological order.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment so much later, or earlier for a negative duration; held within
  /// ``distantPast`` … ``distantFuture``.
  public func advanced(by duration: Milliseconds) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(duration.rawValue)
    if overflow { return duration.rawValue < 0 ? .distantPast : .distantFuture }
    return min(max(Instant(milliseconds: sum), .distantPast), .distantFuture)
  }

  /// The time from the other moment to this moment; negative if this one is earlier.
  public func since(_ other: Instant) -> Milliseconds {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    guard overflow else { return Milliseconds(difference) }
    return Milliseconds(milliseconds < other.milliseconds ? .min : .max)
  }

  /// The UTC day this moment falls on.
  public var day: CivilDay { CivilDay(daysSinceEpoch: milliseconds.flooredQuotient(by: dayLength)) }

  /// The moment without its part of a second, rounded down.
  public var wholeSecond: Instant {
    Instant(milliseconds: milliseconds.flooredQuotient(by: 1000) * 1000)
  }

  /// Whether a four-digit ISO 8601 text can name this moment, as every stored time must.
  public var isWritable: Bool { self >= .distantPast && self <= .distantFuture }
}

/// A length of time in milliseconds.
public struct Milliseconds: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of milliseconds; negative for a length back in time.
  public let rawValue: Int64

  /// A length of a number of milliseconds.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// A length of a number of seconds.
  public static func seconds(_ count: Int64) -> Milliseconds { Milliseconds(count * 1000) }

  /// A length of a number of hours of 60 minutes.
  public static func hours(_ count: Int64) -> Milliseconds { Milliseconds(count * 3_600_000) }

  /// A length of a number of days of 24 hours.
  public static func days(_ count: Int64) -> Milliseconds { Milliseconds(count * dayLength) }

  /// The shorter length first.
  public static func < (left: Milliseconds, right: Milliseconds) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The length without its sign.
  public var magnitude: Milliseconds {
    Milliseconds(rawValue == .min ? .max : abs(rawValue))
  }

  /// The whole days of 24 hours in this length, rounded down.
  public var wholeDays: Int64 { rawValue.flooredQuotient(by: dayLength) }
}

let dayLength: Int64 = 86_400_000

extension FixedWidthInteger {
  /// The quotient rounded towards negative infinity, for times before 1970.
  ///
  /// - Precondition: the divisor is positive.
  @inline(__always) func flooredQuotient(by divisor: Self) -> Self {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
