internal import CivilTime

extension Instant {
  /// Reads a time without a zone as a clock time of a zone; `nil` for a time with a zone, for a day
  /// without a time, and for anything else.
  init?(localText text: Span<UInt8>, in zone: TimeZoneRules) {
    guard Self.isLocal(text), let local = Instant(text: text) ?? Instant(spreadsheetText: text)
    else { return nil }
    self = zone.moment(ofLocal: local)
  }

  /// Returns true if a text ends with a time of day, and names no zone.
  static func isLocal(_ text: Span<UInt8>) -> Bool {
    var colons = 0
    for index in text.indices {
      let byte = text[index]
      // The sign or the letter of a zone follows the time of day.
      if colons > 0, byte != UInt8(ascii: ":"), byte != UInt8(ascii: "."),
        byte > 0x39 || byte < 0x30
      {
        return false
      }
      if byte == UInt8(ascii: ":") { colons += 1 }
    }
    return colons > 0
  }
}
