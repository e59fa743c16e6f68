/// The words that programs write for a value that is absent.
///
/// Python writes `None` and `nan`, R `NA`, databases `NULL`. The storefront of Namibia is NA too.
enum AbsentValue {
  private static let words: [StaticString] = [
    "null", "none", "nan", "nat", "n/a", "#n/a", "<na>", "\\n", "undefined",
  ]

  /// Returns true if a text is blank or one of the words.
  static func isText(_ text: Span<UInt8>, besides storefront: Bool) -> Bool {
    var isBlank = true
    for index in text.indices where text[index] != 0x20 { isBlank = false }
    if isBlank { return true }
    guard text.count <= 9 else { return false }
    return words.contains { isName(text, $0) } || (!storefront && isName(text, "na"))
  }
}

extension FieldBank<ServiceField> {
  /// Removes the values that stand for an absent value, such as `NULL`.
  mutating func dropAbsent(in cursor: JSONCursor) {
    for field in ServiceField.allCases {
      guard let scalar = self[field], scalar.kind == .text, scalar.length <= 9 else { continue }
      let bytes = unsafe cursor.bytes(scalar)
      if unsafe AbsentValue.isText(bytes.span, besides: field == .storefront) { clear(field) }
    }
  }
}
