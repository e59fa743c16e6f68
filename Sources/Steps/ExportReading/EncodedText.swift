/// JSON that programs store in a form that is neither an object nor its text.
enum EncodedText: Hashable {
  /// The bytes in base64, as a gateway writes the body of a request.
  case base64
  /// The bytes in hexadecimal digits, as PostgreSQL writes `bytea`: `\\x7b22…`.
  case hex
  /// JSON text within JSON text.
  case twice
  /// JSON behind other words, as a log has it.
  case afterWords

  /// Classifies a value; `nil` for plain JSON, a receipt, a token, or any other text.
  init?(_ value: JSONValue) {
    guard value.isText, value.length > 40 else { return nil }
    let content = value.content
    func begins(_ texts: [String]) -> Bool {
      texts.contains { text in
        text.utf8.count < content.count
          && zip(content, text.utf8).allSatisfy { value.start.byte(at: $0) == $1 }
      }
    }
    func contains(_ text: String) -> Bool {
      value.start.contains(Array(text.utf8), in: content.prefix(4096))
    }
    if value.isBase64 {
      guard begins(Self.objects), !begins(Self.tokens) else { return nil }
      self = .base64
    } else if begins(["\\\\x7b", "\\x7b"]) {
      self = .hex
    } else if begins(["\\\"{", "\"{"]) {
      self = .twice
    } else if !begins(["{", "["]), contains("{\\\"") || contains("{\""),
      Self.names.contains(where: contains)
    {
      self = .afterWords
    } else {
      return nil
    }
  }

  /// The beginnings of JSON objects in base64; an old receipt begins with `ewoJ`.
  private static let objects = ["eyJ", "eyAi", "ewog"]
  /// The beginnings of the header of a JWS in base64: `{"alg`, `{"x5c`, `{"kid`, `{"typ`.
  private static let tokens = ["eyJhbGci", "eyJ4NWMi", "eyJraWQi", "eyJ0eXAi"]
  /// The names of Apple's data, one of which the JSON must have.
  private static let names = [
    "signedPayload", "signedTransaction", "signedRenewalInfo", "notificationType",
    "latest_receipt_info", "in_app", "unified_receipt",
  ]

  /// Cause and remedy, for the value under a key or in a column.
  ///
  /// - Parameters:
  ///   - key: The key's path; `nil` for a key that must not be printed.
  ///   - isCell: Whether the value is the cell of a table.
  func advice(under key: String?, isCell: Bool) -> String {
    let path = key.map { ".\($0)" } ?? ".field"
    let column = key ?? "field"
    let subject = key.map { "\"\($0)\"" } ?? "a text of it"
    switch self {
    case .base64 where isCell:
      return "\(subject) is JSON in base64: decode it, for example with DuckDB: "
        + "COPY (SELECT * REPLACE (decode(from_base64(\(column))) AS \(column)) "
        + "FROM 'old.csv') TO 'new.csv' (HEADER)"
    case .base64:
      return "\(subject) is JSON in base64: decode it with jq -c '\(path) |= @base64d' "
        + "old.ndjson > new.ndjson"
    case .hex:
      return "\(subject) is JSON in hexadecimal digits, as PostgreSQL writes bytea: export it with "
        + "convert_from(\(column), 'UTF8') AS \(column)"
    case .twice:
      return "\(subject) is JSON text within JSON text: undo one with jq -c '\(path) |= fromjson' "
        + "old.ndjson > new.ndjson"
    case .afterWords:
      return "\(subject) has other words before the JSON: cut them off with jq -c '\(path) | "
        + "sub(\"^[^{]*\"; \"\") | fromjson' old.ndjson > new.ndjson"
    }
  }
}

extension TableCells {
  /// The advice on the first cell of a row with JSON in another form; `nil` without one.
  func adviceOnEncoded(in row: JSONCursor) -> String? {
    var cells = CellReader(row, separator: shape.separator)
    for column in shape.columns {
      guard let cell = cells.next() else { return nil }
      let bytes = cell.isEscaped ? cells.unquoted(cell) : cell.range.map { row.byte(at: $0) }
      let found = PaddedText(bytes.span).read { start in
        EncodedText(JSONValue(start, end: bytes.count, isCell: true))
      }
      if let found { return found.advice(under: FieldPath.text(of: column), isCell: true) }
    }
    return nil
  }
}
