internal import Diagnostics
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

@testable internal import ExportReading

struct TableTests {
  static let rows = """
    id;"product_id";price;currency;reported_at;customer_id;note
    1;pro;9.99;USD;2024-05-01T10:00:07Z;c-1;plain
    2;"pro";"9.99";USD;"2024-05-01 10:00:08";c-2;"a ""quoted"" note; with
    two lines"
    3;pro;9.99;USD;1714557609;c-3;
    4;pro;9.99
    5;pro;9.99;USD;1714557610;c-5;last
    """

  @Test(arguments: ["\n", "\r\n"])
  func `a table is read by its header`(lineEnd: String) throws {
    let content = try prices(Self.rows.replacing("\n", with: lineEnd))
    #expect(
      content.reportLines == [
        "pro list USD 9990 2024-05-01T10:00:07Z c-1 - - |",
        "pro list USD 9990 2024-05-01T10:00:08Z c-2 - - |",
        "pro list USD 9990 2024-05-01T10:00:09Z c-3 - - |",
        "pro list USD 9990 2024-05-01T10:00:10Z c-5 - - |",
      ])
    #expect(content.codes == ["6 table_row_uneven"])
    #expect(content.rejects.map(\.detail) == ["3 cells for 7 columns"])
    #expect(content.set.reports.map(\.source.line) == [2, 3, 5, 7])
  }

  @Test func `columns are paths, and a cell of JSON is entered`() throws {
    let text = """
      time,user_id,event_properties
      1714557607000,c-1,"{""$productId"":""pro"",""$price"":9.99,""$currency"":""USD""}"
      """
    let content = try prices(
      text,
      keys: [
        ("product_id", ["event_properties.$productId"]), ("price", ["event_properties.$price"]),
        ("currency", ["event_properties.$currency"]), ("reported_at", ["time"]),
        ("customer_id", ["user_id"]),
      ], constants: [("storefront", "USA")])
    #expect(content.reportLines == ["pro list USD 9990 2024-05-01T10:00:07Z c-1 USA - |"])
  }

  @Test func `tabs separate too, and a backslash and N is nothing`() throws {
    let text =
      "product_id\tprice\tcurrency\treported_at\tcustomer_id\npro\t9.99\tUSD\t1714557607\t\\N"
    let content = try prices(text)
    #expect(content.reportLines == ["pro list USD 9990 2024-05-01T10:00:07Z - - - |"])
  }

  @Test(arguments: ["pro,9.99,USD", "pro,9.99,USD,1714557607,more", "pro,9.99,USD,1714557607,a,b"])
  func `a row that does not fit its header is rejected by itself`(row: String) throws {
    let content = try prices("product_id,price,currency,reported_at\n\(row)\na,1,USD,1714557607")
    #expect(content.codes == ["2 table_row_uneven"])
    #expect(content.set.reports.count == 1)
  }

  @Test func `two columns with one name are rejected, for neither is the right one`() throws {
    let text = "id,product_id,price,currency,reported_at,id,price\n1,p,9.99,USD,1714557607,2,5.92\n"
    let content = try prices(text)
    #expect(content.codes == ["2 duplicate_key"])
    #expect(content.rejects.map(\.detail) == ["two columns have the name price"])
    // Two unknown columns do not matter.
    let other = text.replacing(",price\n", with: ",note\n")
    #expect(try prices(other).reportLines == ["p list USD 9990 2024-05-01T10:00:07Z - - - |"])
    let answers = "response,response\n{},{}\n"
    #expect(try receipts(answers).codes == ["2 duplicate_key"])
  }

  @Test func `a table may have one column, of JSON in quotation marks`() throws {
    let cell = report().replacing("\"", with: "\"\"")
    for header in ["payload", "\"payload\""] {
      let content = try prices("\(header)\n\"\(cell)\"\n\"{}\"\n")
      #expect(content.set.reports.count == 1)
      #expect(content.codes == ["3 price_without_product"])
    }
    #expect(try prices("payload\n").tally.records == 0)
    // Without the marks, the lines are JSON, and the header is one line of another text.
    let lines = try prices("payload\n\(report())\n")
    #expect(lines.set.reports.count == 1 && lines.codes == ["1 invalid_json"])
    let broken = try prices("payload\n\"{\"\"product_id\"\":1,,}\"\n")
    #expect(broken.rejects.map(\.detail) == ["at byte 16 of the text in payload"])
  }

  @Test func `a header without a known column is named with what was looked for`() throws {
    let text = "Product Id,Price\npro,9.99\n"
    let layout = try PriceLayout(format: nil, keys: [("product_id", ["Product_Id"])])
    let content = try readExport(
      bytes: Array(text.utf8), name: "p.csv", kind: .prices,
      fieldMapping: FieldMapping(layout: layout, namesUnit: false))
    #expect(content.rejects.first?.reason == .invalidJSON)
    let detail = try #require(content.rejects.first).detail
    #expect(
      detail.hasSuffix("; read as a table, it has no value at product_id (Product_Id)"), "\(detail)"
    )
    #expect(content.previews.map(\.paths).contains(["Product Id", "Price"]))
  }

  @Test func `a quotation mark that is never closed is told, and costs no memory`() throws {
    let content = try prices("product_id,price,currency,reported_at\npro,\"9.99,USD,1714557607\nx")
    #expect(content.codes == ["2 table_quote_open"])
  }

  @Test func `verifyReceipt's answers are read out of a table`() throws {
    let answer = sound("1001").replacing("\"", with: "\"\"")
    let text = "customer_id,received_at,response\nc-1,2021-08-09T18:26:02Z,\"\(answer)\"\n"
    let content = try receipts(text)
    #expect(content.codes == [])
    #expect(content.ids == ["1001"])
    #expect(
      content.set.records.first?.customer.map { content.set.symbols.text($0.symbol) } == "c-1")
  }

  @Test func `a response may span several lines of its cell, as Apple sends it`() throws {
    let answer = sound("1001").replacing(",\"", with: ",\r\n\t\"")
    #expect(answer.contains("\n"))
    let cell = answer.replacing("\"", with: "\"\"")
    let text =
      "customer_id,response\nc-1,\"\(cell)\"\nc-2,\"\(cell.replacing("1001", with: "1002"))\"\n"
    let content = try receipts(text)
    #expect(content.codes == [])
    #expect(content.ids == ["1001", "1002"])
    // Other texts may not.
    let product = "product_id,price,currency,reported_at\n\"p\nro\",9.99,USD,1714557607\n"
    let reject = try #require(try prices(product).rejects.first)
    #expect(reject.line == 2)
    #expect(reject.reason == .controlCharacter)
    #expect(reject.detail == "in the column product_id")
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `random tables fall into cells as Python's csv says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("a,;\"\"\n\tb é".unicodeScalars).map(String.init)
    var text = ""
    for _ in 0..<60 { text += letters.randomElement(using: &random) ?? "" }
    let separator = [",", ";", "\t"].randomElement(using: &random) ?? ","
    let expected = try Self.python(text, separator)
    #expect(
      Self.cells(text, UInt8(separator.utf8.first ?? 0x2C)) == expected, "\(text.debugDescription)")
  }

  /// A random table with five columns; the third contains any text.
  private static func randomTable(_ separator: String, _ random: inout SeededGenerator) -> String {
    let letters = Array("a,;\"\"\n\tb é{".unicodeScalars).map(String.init)
    func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
    let lineEnd = Bool.random(using: &random) ? "\n" : "\r\n"
    var lines = ["reported_at", "product_id", "customer_id", "price", "currency"]
      .joined(separator: separator)
    for row in 0..<40 {
      var text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }.joined()
      let isPlain = !text.contains("\n") && !text.contains(separator) && !text.hasPrefix("\"")
      if !isPlain || Bool.random(using: &random) { text = quoted(text) }
      var cells = ["\(1_714_557_607 + row)", "p", text, "9.99", "USD"]
      if Int.random(in: 0..<8, using: &random) == 0 { cells[1] = quoted(cells[1]) }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: cells.removeLast()
      case 1: cells.append(quoted("more"))
      default: break
      }
      lines += lineEnd + cells.joined(separator: separator)
      if Int.random(in: 0..<12, using: &random) == 0 { lines += lineEnd }
    }
    return lines + (Bool.random(using: &random) ? lineEnd : "")
  }

  /// Reads whole files with buffers of all sizes, and compares the rows with Python's `csv`.
  @Test(arguments: 1...25 as ClosedRange<UInt64>)
  func `random files are read row by row as Python's csv reads them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let separator = [",", ";", "\t"].randomElement(using: &random) ?? ","
    let text = Self.randomTable(separator, &random)
    let expected = try Self.python(text, separator).dropFirst().map { cells in
      let hasControl = cells[2].unicodeScalars.contains { $0.value < 0x20 }
      if hasControl { return "control_character" }
      return cells.count == 5 ? "customer \(cells[2])" : "table_row_uneven"
    }
    let content = try prices(text, limits: limits(buffer: Int.random(in: 64...512, using: &random)))
    let found =
      content.set.reports.map { report in
        let customer = report.customer.map { content.set.symbols.text($0.symbol) } ?? ""
        return (Int(report.source.line), "customer \(customer)")
      } + content.rejects.map { ($0.line, $0.reason.rawValue) }
    let rows = found.sorted { $0.0 < $1.0 }.map(\.1)
    #expect(rows.count == expected.count)
    let different = zip(rows, expected).filter { $0 != $1 }
    #expect(different.isEmpty, "\(different.prefix(2)) in \(text.debugDescription)")
  }

  /// The cells of a text as the reader splits them, without empty lines.
  private static func cells(_ text: String, _ separator: UInt8) -> [[String]] {
    let bytes = Array(text.utf8)
    var rows: [[String]] = []
    var start = 0
    while start < bytes.count {
      var scan = RowScan(separator: separator)
      // The text arrives byte by byte.
      var found: Int?
      for end in start...bytes.count where found == nil {
        found = withCursor(bytes[start..<end]) {
          scan.end(in: $0, isComplete: end == bytes.count)
        }
      }
      let end = start + (found ?? 0)
      if end > start {
        rows.append(
          withCursor(bytes[start..<end]) { cursor in
            var reader = CellReader(cursor, separator: separator)
            var cells: [String] = []
            while let cell = reader.next() {
              let plain = cell.range.map { cursor.byte(at: $0) }
              cells.append(
                String(decoding: cell.isEscaped ? reader.unquoted(cell) : plain, as: UTF8.self))
            }
            return cells
          })
      }
      start = end + 1
    }
    return rows
  }

  private static func withCursor<Value>(
    _ text: ArraySlice<UInt8>, _ body: (JSONCursor) -> Value
  ) -> Value {
    let padded = Array(text) + [UInt8](repeating: 0, count: JSONCursor.padding)
    return unsafe padded.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the text has its padding") }
      return body(unsafe JSONCursor(base, count: text.count))
    }
  }

  /// The cells of a text as Python's `csv` splits them, without empty lines.
  private static func python(_ text: String, _ separator: String) throws -> [[String]] {
    let script = """
      csv, io, json, sys = map(__import__, ('csv', 'io', 'json', 'sys'))
      sys.stdin.reconfigure(encoding='utf-8', newline='')
      rows = csv.reader(io.StringIO(sys.stdin.read(), newline=''), delimiter=sys.argv[1])
      print(json.dumps([row for row in rows if row]))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, separator]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(text.utf8))
    try input.fileHandleForWriting.close()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode([[String]].self, from: answer)
  }
}
