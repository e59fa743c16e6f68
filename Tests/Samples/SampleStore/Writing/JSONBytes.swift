internal import CivilTime

/// A JSON text under construction; bytes are appended without intermediate texts.
struct JSONBytes {
  var bytes: [UInt8] = []

  /// Appends the bytes of a literal unchanged.
  mutating func raw(_ text: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a text unchanged; it must not contain characters that JSON escapes.
  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text in quotation marks; it must not contain characters that JSON escapes.
  mutating func quoted(_ text: String) {
    raw("\"")
    raw(text)
    raw("\"")
  }

  /// Appends a whole number without quotation marks.
  mutating func number(_ value: Int64) { raw(String(value)) }

  /// Appends a whole number in quotation marks.
  mutating func quoted(_ value: Int64) {
    raw("\"")
    number(value)
    raw("\"")
  }

  /// Appends a member such as `,"key":"value"`; `key` includes the comma and the colon.
  mutating func member(_ key: StaticString, _ value: String) {
    raw(key)
    quoted(value)
  }

  /// Appends a member such as `,"key":"123"`; `key` includes the comma and the colon.
  mutating func member(_ key: StaticString, _ value: Int64) {
    raw(key)
    quoted(value)
  }

  /// Appends a time as `2021-08-09T18:26:02Z` in quotation marks.
  mutating func isoTime(_ milliseconds: Int64) {
    raw("\"")
    dateAndTime(milliseconds, separator: UInt8(ascii: "T"))
    raw("Z\"")
  }

  /// Appends Apple's three members for one date, all as text: GMT, milliseconds and Pacific time.
  ///
  /// - Parameters:
  ///   - name: The member's name, such as `purchase_date`, without a comma before it.
  ///   - milliseconds: Unix milliseconds, UTC.
  mutating func appleDate(_ name: StaticString, _ milliseconds: Int64) {
    raw("\"")
    raw(name)
    raw("\":\"")
    dateAndTime(milliseconds, separator: UInt8(ascii: " "))
    raw(" Etc/GMT\",\"")
    raw(name)
    raw("_ms\":")
    quoted(milliseconds)
    raw(",\"")
    raw(name)
    raw("_pst\":\"")
    dateAndTime(
      milliseconds + BillingClock.offset(at: milliseconds), separator: UInt8(ascii: " "))
    raw(" America/Los_Angeles\"")
  }

  /// Appends JSON as a JSON string: in quotation marks and escaped.
  mutating func text(of json: [UInt8]) {
    raw("\"")
    for byte in json {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    raw("\"")
  }

  /// Appends a price as the 32-bit float nearest to it, with all digits: 9.99 as
  /// `9.989999771118164`.
  mutating func float(_ milliunits: Int64) {
    raw(String(Double(Float(Double(milliunits) / 1000))))
  }

  /// Appends `2021-08-09 18:26:02` with any separator between the day and the time.
  mutating func dateAndTime(_ milliseconds: Int64, separator: UInt8) {
    let text = Instant(milliseconds: milliseconds).text.utf8
    bytes.append(contentsOf: text.prefix(10))
    bytes.append(separator)
    bytes.append(contentsOf: text.dropFirst(11).prefix(8))
  }
}
