/// Reads the date formats of ``Instant/init(text:)-(Span<UInt8>)`` byte by byte.
///
/// Every method has the text as a parameter, because a struct cannot store a span.
struct DateReader {
  private var index = 0

  func isAtEnd(of text: Span<UInt8>) -> Bool { index == text.count }

  mutating func instant(_ text: Span<UInt8>) -> Instant? {
    guard let day = day(text) else { return nil }
    if isAtEnd(of: text) { return day.start }
    guard skip("T", text) || skip(" ", text) else { return nil }
    guard let time = timeOfDay(text) else { return nil }
    let local = day.start.advanced(by: time)
    _ = skip(" ", text)
    guard let offset = zoneOffset(text, at: local) else { return nil }
    return local.advanced(by: Milliseconds(-offset.rawValue))
  }

  mutating func day(_ text: Span<UInt8>) -> CivilDay? {
    guard let year = number(text, digits: 4), skip("-", text),
      let month = number(text, digits: 2), skip("-", text),
      let day = number(text, digits: 2)
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  private mutating func timeOfDay(_ text: Span<UInt8>) -> Milliseconds? {
    // A spreadsheet writes 9:05 for 09:05.
    let digits = text.count - index > 1 && text[index + 1] == UInt8(ascii: ":") ? 1 : 2
    guard let hour = number(text, digits: digits), hour < 24, skip(":", text),
      let minute = number(text, digits: 2),
      minute < 60, skip(":", text), let second = number(text, digits: 2), second < 60
    else { return nil }
    var milliseconds = 0
    if skip(".", text) {
      var scale = 100
      var places = 0
      while let digit = number(text, digits: 1) {
        milliseconds += digit * scale
        scale /= 10
        places += 1
      }
      guard places > 0 else { return nil }
    }
    return Milliseconds(Int64(((hour * 60 + minute) * 60 + second) * 1000 + milliseconds))
  }

  /// Reads the offset of the time zone from UTC; `nil` if the text does not end with a valid zone.
  ///
  /// `local` is the date and time in the text. The offset of Pacific time depends on this time.
  private mutating func zoneOffset(_ text: Span<UInt8>, at local: Instant) -> Milliseconds? {
    if isAtEnd(of: text) { return Milliseconds(0) }
    for name in ["Z", "Etc/GMT", "Etc/UTC", "GMT", "UTC"] as [StaticString] where skip(name, text) {
      if isAtEnd(of: text) { return Milliseconds(0) }
      // Some texts have an offset after the `Z`, as in `10:00:07Z+0000`.
      guard text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") else { return nil }
      break
    }
    if skip("America/Los_Angeles", text) {
      return isAtEnd(of: text) ? pacificOffset(at: local) : nil
    }
    let isAhead = skip("+", text)
    guard isAhead || skip("-", text) else { return nil }
    guard let hours = number(text, digits: 2), hours < 24 else { return nil }
    _ = skip(":", text)
    guard let minutes = isAtEnd(of: text) ? 0 : number(text, digits: 2), minutes < 60,
      isAtEnd(of: text)
    else { return nil }
    let minutesAhead = Int64(hours * 60 + minutes)
    return Milliseconds((isAhead ? minutesAhead : -minutesAhead) * 60_000)
  }

  private mutating func skip(_ expected: StaticString, _ text: Span<UInt8>) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard text.count - index >= count else { return false }
    for offset in 0..<count {
      guard unsafe text[index + offset] == expected.utf8Start[offset] else { return false }
    }
    index += count
    return true
  }

  private mutating func number(_ text: Span<UInt8>, digits: Int) -> Int? {
    guard text.count - index >= digits else { return nil }
    var value = 0
    for offset in 0..<digits {
      let digit = text[index + offset] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += digits
    return value
  }
}

/// Returns the offset of Pacific time from UTC at a Pacific clock time.
///
/// In summer the offset is -7 hours, in winter -8 hours. Summer begins on the second Sunday of
/// March at 2:00 and ends on the first Sunday of November at 2:00. These rules have been in force
/// since 2007 (Energy Policy Act of 2005).
private func pacificOffset(at local: Instant) -> Milliseconds {
  let summer = CivilDay.pacificSummer(ofYear: local.day.date.year)
  return .hours(summer?.contains(local) == true ? -7 : -8)
}
