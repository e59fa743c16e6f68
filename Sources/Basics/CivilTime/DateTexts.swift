extension Instant {
  /// Reads a date as Apple or an exporter writes it; `nil` for anything else.
  ///
  /// Accepts `2021-08-09T18:26:02Z`, also with a fraction of a second (`02.5Z`) and with a numeric
  /// offset (`+02:00`), even after the `Z`. Accepts `2021-08-09 18:26:02 Etc/GMT`. A time without a
  /// zone is read as UTC, and a day without a time is its midnight in UTC. For the zone
  /// `America/Los_Angeles`, the daylight-saving rules of 2007 are used, because the App Store
  /// opened in 2008.
  public init?(text: Span<UInt8>) {
    var reader = DateReader()
    guard let instant = reader.instant(text) else { return nil }
    self = instant
  }

  /// Reads a date from a string; see ``init(text:)-(Span<UInt8>)``.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }

  /// ISO 8601 in UTC with whole seconds, rounded down: `2024-05-23T01:29:09Z`.
  public var text: String {
    unsafe String(unsafeUninitializedCapacity: 20) { buffer in
      unsafe write(into: buffer)
    }
  }

  /// Writes the twenty bytes of ``text`` at the start of a buffer and returns their count.
  @unsafe public func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let day = day
    let written = unsafe day.write(into: buffer)
    let seconds = (milliseconds - day.daysSinceEpoch * 86_400_000) / 1000
    unsafe buffer[10] = UInt8(ascii: "T")
    unsafe writeTwoDigits(seconds / 3600, at: 11, into: buffer)
    unsafe buffer[13] = UInt8(ascii: ":")
    unsafe writeTwoDigits(seconds / 60 % 60, at: 14, into: buffer)
    unsafe buffer[16] = UInt8(ascii: ":")
    unsafe writeTwoDigits(seconds % 60, at: 17, into: buffer)
    unsafe buffer[19] = UInt8(ascii: "Z")
    return written + 10
  }
}

extension CivilDay {
  /// Reads `YYYY-MM-DD`; `nil` for anything else.
  public init?(text: Span<UInt8>) {
    guard text.count == 10 else { return nil }
    var reader = DateReader()
    guard let day = reader.day(text), reader.isAtEnd(of: text) else { return nil }
    self = day
  }

  /// Reads a day from a string; see ``init(text:)-(Span<UInt8>)``.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }

  /// ISO 8601: `2024-05-23`.
  public var text: String {
    unsafe String(unsafeUninitializedCapacity: 10) { buffer in
      unsafe write(into: buffer)
    }
  }

  /// The month of the day: `2024-05`.
  public var monthText: String { String(text.prefix(7)) }

  /// Writes the ten bytes of ``text`` at the start of a buffer and returns their count.
  @unsafe public func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let (year, month, day) = date
    unsafe writeTwoDigits(Int64(year / 100), at: 0, into: buffer)
    unsafe writeTwoDigits(Int64(year % 100), at: 2, into: buffer)
    unsafe buffer[4] = UInt8(ascii: "-")
    unsafe writeTwoDigits(Int64(month), at: 5, into: buffer)
    unsafe buffer[7] = UInt8(ascii: "-")
    unsafe writeTwoDigits(Int64(day), at: 8, into: buffer)
    return 10
  }
}

@unsafe private func writeTwoDigits(
  _ value: Int64, at index: Int, into buffer: UnsafeMutableBufferPointer<UInt8>
) {
  let zero = UInt8(ascii: "0")
  unsafe buffer[index] = zero + UInt8(truncatingIfNeeded: value / 10 % 10)
  unsafe buffer[index + 1] = zero + UInt8(truncatingIfNeeded: value % 10)
}
