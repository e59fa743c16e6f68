internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// A text in one of the accepted forms, and its expected content.
struct FormCase: Sendable, CustomTestStringConvertible {
  var story: String
  var text: String
  /// The ids of the rows, in order.
  var ids: [String]
  /// The lines on which their records begin.
  var lines: [Int32]
  var codes: [String] = []
  var testDescription: String { story }
}

struct ReadingFormTests {
  /// A response over several lines, as `python -m json.tool` writes it.
  static func pretty(_ id: String, indent: String = "") -> String {
    """
    {
    \(indent)  "status": 0,
    \(indent)  "latest_receipt_info": [
    \(indent)    {
    \(indent)      "transaction_id": "\(id)", "product_id": "pro",
    \(indent)      "purchase_date_ms": 1600000000000
    \(indent)    }
    \(indent)  ]
    \(indent)}
    """
  }

  static let forms: [FormCase] = [
    FormCase(story: "nothing", text: "", ids: [], lines: []),
    FormCase(story: "blanks only", text: " \n\r\n\t\n", ids: [], lines: []),
    FormCase(story: "one line", text: sound("1"), ids: ["1"], lines: [1]),
    FormCase(
      story: "lines", text: "\(sound("1"))\n\(sound("2"))\n", ids: ["1", "2"], lines: [1, 2]),
    FormCase(
      story: "lines of Windows, blank ones among them",
      text: "\r\n\(sound("1"))\r\n  \r\n\t\(sound("2")) \r\n\r\n", ids: ["1", "2"], lines: [2, 4]),
    FormCase(
      story: "a byte order mark", text: "\u{FEFF}\(sound("1"))\n\(sound("2"))", ids: ["1", "2"],
      lines: [1, 2]),
    FormCase(
      story: "a bad line in the middle", text: "\(sound("1"))\n{\"a\":\n\(sound("2"))",
      ids: ["1", "2"], lines: [1, 3], codes: ["2 invalid_json"]),
    FormCase(
      story: "a bad line at the end, cut off", text: "\(sound("1"))\n{\"latest", ids: ["1"],
      lines: [1], codes: ["2 invalid_json"]),
    FormCase(
      story: "a first line that is bad", text: "{\"a\":\"b\n\(sound("1"))\n\(sound("2"))\n",
      ids: ["1", "2"], lines: [2, 3], codes: ["1 invalid_json"]),
    FormCase(
      story: "a first line that is cut off in a list",
      text: "{\"in_app\":[\n\(sound("1"))\n\(sound("2"))\n", ids: ["1", "2"], lines: [2, 3],
      codes: ["1 invalid_json"]),
    FormCase(
      story: "a first line that is cut off where a value follows",
      text: "{\"response\":\n\(sound("1"))", ids: ["1"], lines: [2], codes: ["1 invalid_json"]),
    FormCase(
      story: "a first line whose beginning is lost",
      text: "\": \"c-1\", \"response\": {\"status\": 0}}\n\(sound("1"))\n\(sound("2"))",
      ids: ["1", "2"], lines: [2, 3], codes: ["1 not_an_object"]),
    FormCase(
      story: "a first line that is no JSON at all",
      text: "date,id\n\(sound("1"))\nx\n\(sound("2"))",
      ids: ["1", "2"], lines: [2, 4], codes: ["1 invalid_json", "3 invalid_json"]),
    FormCase(story: "one pretty object", text: pretty("1"), ids: ["1"], lines: [1]),
    FormCase(
      story: "pretty objects, one after another",
      text: "\n\(pretty("1"))\n\(pretty("2"))\n\n\(pretty("3"))\n", ids: ["1", "2", "3"],
      lines: [2, 11, 21]),
    FormCase(
      story: "pretty objects, one of them cut off",
      text: "\(pretty("1"))\n\(pretty("x").dropLast(4))\n\(pretty("2"))", ids: ["1", "2"],
      lines: [1, 18], codes: ["10 invalid_json"]),
    FormCase(
      story: "pretty objects, one of them cut off before a value",
      text: "\(pretty("1"))\n{\n  \"response\":\n\(pretty("2"))\n\(pretty("3"))",
      ids: ["1", "2", "3"], lines: [1, 12, 21], codes: ["10 invalid_json"]),
    FormCase(
      story: "pretty objects on one line's end and start", text: "\(pretty("1"))\(pretty("2"))",
      ids: ["1", "2"], lines: [1, 9]),
    FormCase(story: "an empty array", text: " [ ] \n", ids: [], lines: []),
    FormCase(
      story: "an array on one line", text: "[\(sound("1")),\(sound("2"))]", ids: ["1", "2"],
      lines: [1, 1]),
    FormCase(
      story: "a pretty array",
      text: "[\n  \(pretty("1", indent: "  ")),\n  \(pretty("2", indent: "  "))\n]\n",
      ids: ["1", "2"], lines: [2, 11]),
    FormCase(
      story: "an array with bad elements",
      text: "[\(sound("1")),\n{\"a\":tru},\n7,\n\"]\",{\"b\":\"\\x}\"},\n\(sound("2"))]",
      ids: ["1", "2"], lines: [1, 5],
      codes: ["2 invalid_json", "3 not_an_object", "4 not_an_object", "4 invalid_json"]),
    FormCase(
      story: "a number a line", text: "1\n2", ids: [], lines: [],
      codes: ["1 not_an_object", "2 not_an_object"]),
  ]

  @Test(arguments: forms, [1, 3, 16, 61, 1 << 18])
  func `every form is read, whatever the size of the buffer`(_ form: FormCase, buffer: Int) throws {
    let content = try receipts(form.text, limits: limits(buffer: buffer))
    #expect(content.ids == form.ids)
    #expect(content.set.records.map(\.source.line) == form.lines)
    #expect(content.codes == form.codes)
    #expect(content.tally.used == form.ids.count)
    #expect(content.tally.rejected == form.codes.count)
    #expect(content.textBytes == Int64(form.text.utf8.count))
    let packed = try readExport(
      bytes: gzip(form.text), name: "f.gz", kind: .receipts, limits: limits(buffer: buffer))
    #expect(packed.summary == content.summary)
  }

  @Test func `a record that is cut off is said to be, at its own end`() throws {
    let first = #"{"customer_id":"c-1","in_app":["#
    for text in ["\(first)\n\(sound("1"))\n", "\(sound("1"))\n\(first)\n\(sound("2"))"] {
      let reject = try #require(try receipts(text).rejects.first)
      #expect(reject.detail == "at byte \(first.utf8.count), where the record is cut off")
    }
  }

  @Test(arguments: [
    "[\(sound("1")),\(sound("2"))", "[\(sound("1")) \(sound("2"))]", "[\(sound("1"))] x", "[",
    "[,\(sound("1"))]", "[\(sound("1")),]", "[\(sound("1")),,\(sound("2"))]", "[}", "[{\"a\":1]}",
  ])
  func `an array that is none is refused`(text: String) {
    for buffer in [1, 7, 4096] {
      #expect {
        try receipts(text, limits: limits(buffer: buffer))
      } throws: { error in
        guard case .refused(.brokenArray, _, let bytes)? = error as? ExportError else {
          return false
        }
        return bytes == Int64(text.utf8.count)
      }
    }
  }

  @Test func `equal records are counted once, equal bytes or not at all`() throws {
    let content = try receipts("\(sound("1"))\n \(sound("1"))\r\n\(sound("2"))\n\(sound("1"))")
    #expect(content.tally.used == 2)
    #expect(content.tally.duplicates == 2)
    #expect(content.ids == ["1", "2"])
    // With an additional space it is another record, but the merge finds that it adds no data.
    let spaced = try receipts("\(sound("1"))\n\(sound("1").replacing(":0", with: ": 0"))")
    #expect(spaced.tally.used == 2)
  }

  @Test func `a bad record is never the duplicate of another`() throws {
    let content = try receipts("{\"status\":21003}\n{\"status\":21003}\nx\nx")
    #expect(content.tally.rejected == 4)
    #expect(content.tally.duplicates == 0)
  }

  @Test func `a descriptor is read like bytes in memory`() throws {
    let packed = gzip(smallExport)
    let expected = try readExport(bytes: packed, name: "a.gz", kind: .receipts)
    let (content, progress) = try withPipe(packed) { descriptor in
      let counter = Counter()
      let content = try readExport(
        descriptor: descriptor, name: "-", kind: .receipts, limits: limits(buffer: 50),
        progress: { counter.add($0) })
      return (content, counter.value)
    }
    #expect(content.summary == expected.summary)
    #expect(content.sha256 == expected.sha256)
    #expect(progress == packed.count)
    let hashed = try withPipe(packed) { try sha256(ofDescriptor: $0) }
    #expect(hashed.sha256 == expected.sha256)
    #expect(hashed.bytes == expected.bytes)
  }

  @Test func `reading stops when asked to, and a bad descriptor is an error`() throws {
    #expect(throws: ExportError.cancelled) {
      try withPipe([1, 2, 3]) {
        try readExport(descriptor: $0, name: "-", kind: .receipts, isCancelled: { true })
      }
    }
    #expect(throws: ExportError.unreadable(errno: 9)) {  // EBADF
      try readExport(descriptor: -1, name: "-", kind: .receipts)
    }
  }

  @Test func `the hash is SHA-256 of the bytes as they were`() throws {
    // echo -n '' | sha256sum, and echo -n '{"status":0}' | sha256sum
    let empty = try receipts("")
    #expect(
      empty.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let status = try receipts(#"{"status":0}"#)
    #expect(
      status.sha256 == "fe85cceb474303eb80a5ca9a60b16d92208a8e0b38647647654b0c42447b51f7")
    #expect(status.bytes == 12)
  }
}
