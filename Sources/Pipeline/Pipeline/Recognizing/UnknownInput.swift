internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import SystemPackage

/// Describes a file that is not recognized: its columns, and the kind that it resembles most.
enum UnknownInput {
  /// The largest number of columns that the description lists.
  private static let shown = 12

  /// Returns the file with the reason why it is no input.
  static func described(_ path: String) throws(RunFailure) -> RecognizedInput {
    let columns = try KeySearch.columns(path)
    var words = "not recognized; Docs/formats.md lists the keys that each kind needs"
    if try isEmpty(path) {
      words = "it is empty"
    } else if isTypedByDynamoDB(path) {
      words = "not recognized: \(dynamoDB)"
    } else if isSQL(path) {
      words =
        "not recognized: it is a dump of SQL statements; export the table as CSV with a header, for "
        + "example with psql -c \"\\copy receipts TO 'receipts.csv' CSV HEADER\""
    } else if hasTextBeforeJSON(path) {
      words =
        "not recognized: its lines have other text before the JSON; cut it off, for example with "
        + "sed 's/^[^{]*//' server.log > records.ndjson"
    } else if columns.contains(where: isValue) {
      words = "not recognized: \(TableHeader.advice)"
    } else if isEscapedByBackslashes(path) {
      words =
        "not recognized: its values are escaped by backslashes, as mysql --batch and INTO OUTFILE "
        + "write them; export them with mysql --batch --raw, or with ESCAPED BY '\"'. "
        + DocsPage.inputs.reference
    } else if let found = try finding(path) {
      words = "not recognized: \(found)"
    } else if !columns.isEmpty {
      let names = columns.prefix(shown).map(OneLine.text).joined(separator: ", ")
      let more = columns.count > shown ? " and \(columns.count - shown) more" : ""
      words = "not recognized, with the columns \(names)\(more); \(try nearest(path, columns))"
    }
    return RecognizedInput(path: path, kind: nil, settings: "", words: words)
  }

  /// Names RevenueCat's events in an analytics tool, whose amounts cannot be used.
  ///
  /// `nil` if the beginning of the file names no such event.
  static func convertedEvents(_ path: String) -> RecognizedInput? {
    guard let text = beginning(path) else { return nil }
    let words = text.split { !$0.isLetter && $0 != "_" }
    guard words.contains(where: ConvertedEvents.include) else { return nil }
    return RecognizedInput(path: path, kind: nil, settings: "", words: ConvertedEvents.advice)
  }

  /// Whether the name of a column is a value, or a piece of JSON that commas took apart.
  private static func isValue(_ column: String) -> Bool {
    let text = column.replacing("\\", with: "")
    return TableHeader.isValue(text) || text.contains("\": ") || text.contains("\":\"")
  }

  /// Whether a file has no text.
  private static func isEmpty(_ path: String) throws(RunFailure) -> Bool {
    if let size = try? PathStatus(at: path).size, size == 0 { return true }
    guard let content = try RecognizedInput.preview(path, .receipts, .standard) else {
      return false
    }
    return content.tally.records == 0 && content.foreign == nil && content.paths.isEmpty
  }

  /// Whether a file has the typed values of DynamoDB's exports: `{"Item":{"id":{"S":"7"}}}`.
  private static func isTypedByDynamoDB(_ path: String) -> Bool {
    let line = (beginning(path) ?? "").prefix { !$0.isNewline }.filter { $0 != " " }
    return line.hasPrefix("{") && line.contains("{\"S\":\"") && line.contains("{\"M\":{\"")
  }

  private static let dynamoDB =
    "its values have DynamoDB's types; write plain JSON, for example with jq -c 'def plain: "
    + "if type == \"object\" and length == 1 then (if has(\"M\") then .M | map_values(plain) elif "
    + "has(\"L\") then .L | map(plain) elif has(\"S\") then .S elif has(\"N\") then .N elif "
    + "has(\"BOOL\") then .BOOL elif has(\"NULL\") then null else . end) else . end; "
    + "(.Item // .) | map_values(plain)' export.json > plain.ndjson"

  /// Whether a file is a dump of SQL statements.
  private static func isSQL(_ path: String) -> Bool {
    let lines = (beginning(path) ?? "").split(separator: "\n").prefix(200)
    return lines.contains { line in
      let words = line.split(separator: " ").prefix(2)
      return words == ["INSERT", "INTO"] || words == ["CREATE", "TABLE"]
        || words.first == "COPY" && line.hasSuffix("FROM stdin;")
    }
  }

  /// Whether the first line of a log has an object behind other text, such as a time.
  private static func hasTextBeforeJSON(_ path: String) -> Bool {
    let line = (beginning(path) ?? "").prefix { !$0.isNewline }
    guard let start = line.firstRange(of: "{\"")?.lowerBound, start > line.startIndex else {
      return false
    }
    let before = line[..<start]
    return line.last { !$0.isWhitespace } == "}" && before.last?.isWhitespace == true
      && !before.contains { $0 == "\t" || $0 == "\"" }
  }

  /// Whether a table has cells of JSON with backslashes that do not belong to it: `{\"status\":0`.
  private static func isEscapedByBackslashes(_ path: String) -> Bool {
    let lines = (beginning(path) ?? "").split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, let first = lines[0].first, first != "{", first != "[" else {
      return false
    }
    return ["\"{\\\"", "\t{\\\"", "\t{\\n"].contains { lines[1].contains($0) }
  }

  /// The first bytes of a file as text; `nil` if it cannot be read.
  private static func beginning(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    guard let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly) else { return nil }
    let count = try? descriptor.closeAfter {
      try unsafe bytes.withUnsafeMutableBytes { unsafe try descriptor.read(into: $0) }
    }
    return String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
  }

  /// What a run would say about the first record, besides that it is no receipt.
  private static func finding(_ path: String) throws(RunFailure) -> String? {
    guard let content = try RecognizedInput.preview(path, .receipts, .standard) else { return nil }
    if content.rejects.contains(where: { $0.reason == .rowWithoutTransactionID }) {
      return "receipts whose rows have no transaction_id, so that nothing tells one purchase from "
        + "another; export Apple's rows as they are"
    }
    if let foreign = content.foreign, !foreign.isReadAsText { return foreign.description }
    if content.isTable, let encoded = try encodedCell(path, content.paths) { return encoded }
    guard let reject = content.rejects.first,
      let place = reject.detail.firstRange(of: "; ")?.upperBound,
      !reject.detail.contains(ForeignContent.text.description)
    else { return nil }
    return "line \(reject.line), \(reject.detail[place...].replacing("no export: ", with: ""))"
  }

  /// What a run would say about JSON in base64 or digits in a cell of a table.
  ///
  /// A table without a known column is read with its first one as that of the customer.
  private static func encodedCell(_ path: String, _ columns: [String]) throws(RunFailure)
    -> String?
  {
    guard let first = columns.first,
      let layout = try? RecordLayout(
        kind: .receipts, keys: KeySearch.keys([("customer_id", first)])),
      let content = try RecognizedInput.preview(path, .receipts, FieldMapping(records: layout)),
      let reject = content.rejects.first(where: { $0.detail.contains("\" is JSON in ") }),
      let place = reject.detail.firstRange(of: "; ")?.upperBound
    else { return nil }
    return "line \(reject.line), \(reject.detail[place...])"
  }

  /// What the columns lack to be price reports, or what they are instead.
  private static func nearest(_ path: String, _ columns: [String]) throws(RunFailure) -> String {
    if isTableOfRows(columns) {
      return "nearest: receipts, as a table of Apple's rows; write each row as a JSON object, with "
        + "the customer as customer_id, for example with DuckDB: COPY (SELECT *, user_id AS "
        + "customer_id FROM 'rows.csv') TO 'rows.ndjson' (FORMAT json). \(DocsPage.inputs.reference)"
    }
    let needed = [
      ("product_id", "a product"), ("price", "a price"), ("currency", "a currency"),
      ("reported_at", "a time"),
    ]
    let lacking = needed.filter { KeySearch.places(of: $0.0, among: columns).isEmpty }.map(\.1)
    if lacking.count <= 2 {
      if lacking.isEmpty, let fault = try KeySearch.firstFault(path, columns) {
        return "nearest: prices, but \(fault). \(DocsPage.formats.reference)"
      }
      let lack = lacking.isEmpty ? "values that can be read" : lacking.joined(separator: " and ")
      let advice =
        lacking == ["a currency"]
        ? " (where all are in one, write values: {currency: USD} in the entry: $ is the sign of "
          + "several)" : ""
      return "nearest: prices, which need \(lack)\(advice). \(DocsPage.formats.reference)"
    }
    if !KeySearch.places(of: "transaction_id", among: columns).isEmpty {
      return "nearest: transactions, which need Apple's whole response, a signed transaction, or a "
        + "decoded one with Apple's names. \(DocsPage.inputs.reference)"
    }
    return "receipts need a column with Apple's response, prices a product, a price, a currency "
      + "and a time. \(DocsPage.formats.reference)"
  }

  /// Whether the columns are those of Apple's rows in a response.
  private static func isTableOfRows(_ columns: [String]) -> Bool {
    ["transaction_id", "original_transaction_id", "product_id"].allSatisfy(columns.contains)
      && columns.contains { $0.hasPrefix("purchase_date") }
  }
}
