/// JSON with doubled backslashes, as written by the text format of PostgreSQL's COPY.
///
/// Example: in `{"response":"{\\"status\\":0}"}` the string ends too early, after `{\`. With single
/// backslashes the record is valid JSON.
package enum DoubledBackslashes {
  /// Returns cause and remedy for a record with doubled backslashes; `nil` for any other record.
  ///
  /// Such a record is an object or a list. It is not valid JSON, and becomes valid if each pair of
  /// backslashes is replaced by a single backslash.
  package static func advice(on record: JSONCursor) -> String? {
    guard [Byte.openBrace, Byte.openBracket].contains(record.byte(at: 0)), !isJSON(record),
      let halved = halved(record),
      halved.read({ isJSON($0) })
    else { return nil }
    return "its backslashes are doubled, as PostgreSQL's COPY writes text: export it with "
      + "psql -A -t -c, or COPY … TO … (FORMAT csv)"
  }

  /// Copies the text with a single backslash for each pair; `nil` if there is no pair.
  private static func halved(_ record: JSONCursor) -> PaddedText? {
    var text = PaddedText()
    text.fill { bytes in
      bytes.reserveCapacity(record.end + JSONCursor.padding)
      var offset = 0
      while offset < record.end {
        let byte = record.byte(at: offset)
        bytes.append(byte)
        let isPair = byte == Byte.backslash && record.byte(at: offset + 1) == Byte.backslash
        offset += isPair ? 2 : 1
      }
    }
    return text.count < record.end ? text : nil
  }

  private static func isJSON(_ record: JSONCursor) -> Bool {
    var cursor = record
    do {
      try cursor.skipValue(level: 0)
      return cursor.isAtEndOfText()
    } catch {
      return false
    }
  }
}
