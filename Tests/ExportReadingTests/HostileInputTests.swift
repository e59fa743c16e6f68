internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// JSON values under an unknown key, and whether RFC 8259 allows them.
struct StrictnessTests {
  @Test(arguments: [
    "0", "-0", "1", "-1.5", "1e5", "1E+5", "2.5e-10", "123456789012345678901234567890", "true",
    "false", "null", "\"\"", #""\"\\\/\b\f\n\r\t\u00e9\u0000""#, #""\uD83D\uDC22""#, "\"żółw 🐢\"",
    "[]", "{}", "[ ]", "{ }", "[1,[2,{\"a\":[]}]]", "{\"a\":1,\"a\":2}", "\"\u{7F}\u{80}\u{7FF}\"",
    "\"\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", "\"sixteen letters!\"", "\"seventeen letters\"",
  ])
  func `unusual JSON that is allowed is read`(value: String) throws {
    for spaces in ["", " ", "\t\r "] {
      let line =
        "{\(spaces)\"x\"\(spaces):\(spaces)\(value)\(spaces),\(spaces)\"latest_receipt_info\":[]}"
      let content = try receipts(line)
      #expect(content.tally.used == 1, "\(line)")
    }
  }

  @Test(arguments: [
    "", "01", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "--1", "0x10", "NaN", "Infinity", "tru",
    "truee", "True", "nul", "'a'", "\"", "\"a", #""\x""#, #""\u12""#, #""\u12G4""#, #""\uD800""#,
    #""\uDC00""#, #""\uD800\u0041""#, #""\uD83D\n""#, "[1,]", "[,1]", "[1 2]", "[1", "]", "[}",
    "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "{1:2}", "{\"a\"::1}",
    "{", "}", "//", "1/2", "\u{A0}1", "1;",
  ])
  func `a text that JSON does not allow is rejected at any place`(value: String) throws {
    let spots = [#"{"x":VALUE,"status":0}"#, #"{"status":0,"x":[VALUE,1]}"#, #"{"x":{"y":VALUE}}"#]
    for spot in spots {
      let content = try receipts(sound("1") + "\n" + spot.replacing("VALUE", with: value))
      #expect(content.codes == ["2 invalid_json"], "\(spot) with \(value)")
      #expect(content.tally.used == 1)
    }
  }

  /// A known key must have a scalar value; an unknown key may have any value.
  ///
  /// So each similar key gets the value `{}`.
  @Test(arguments: [
    (
      "row",
      ["transaction_id", "product_id", "quantity", "purchase_date_ms", "expires_date", "bid"]
    ),
    ("row", ["original_transaction_id", "original_purchase_date_ms", "web_order_line_item_id"]),
    ("row", ["is_in_intro_offer_period", "subscription_group_identifier", "is_trial_period"]),
    ("record", ["status", "environment", "received_at", "customer_id", "storefront"]),
    ("record", ["latest_expired_receipt_info", "pending_renewal_info", "response"]),
  ])
  func `a key that differs in one letter is another key`(place: String, keys: [String]) throws {
    var misses: Set<String> = []
    for key in keys {
      let letters = Array(key.utf8)
      misses.formUnion([key + "_", "_" + key, String(key.dropLast()), key.uppercased()])
      for index in letters.indices {
        for letter in Array("abcdefghijklmnopqrstuvwxyz_0123456789".utf8)
        where letter != letters[index] {
          var miss = letters
          miss[index] = letter
          misses.insert(String(decoding: miss, as: UTF8.self))
        }
      }
    }
    let fillings = misses.sorted().map { #""\#($0)":{}"# }.joined(separator: ",")
    let row = place == "row" ? fields("1") + "," + fillings : fields("1")
    let more = place == "row" ? "" : "," + fillings
    let content = try receipts(response(row: row, more: more))
    #expect(content.rejects.isEmpty)
    #expect(content.ids == ["1"])
  }

  @Test func `depth 128 is read and depth 129 is not`() throws {
    for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
      for (depth, isFine) in [(127, true), (128, false)] {
        let inner = String(repeating: opening, count: depth)
        let filling = opening == "[" ? "" : "0"
        let outer = String(repeating: closing, count: depth)
        let content = try receipts(
          sound("1") + "\n" + #"{"latest_receipt_info":[],"x":\#(inner)\#(filling)\#(outer)}"#)
        #expect(content.codes == (isFine ? [] : ["2 nested_too_deep"]))
      }
    }
  }
}

struct HostileInputTests {
  /// The largest size in these tests; large enough to reveal quadratic growth.
  static let many = 200_000

  static let lines: [(story: String, line: String, code: String)] = [
    ("brackets 200,000 deep", String(repeating: "[", count: many), "nested_too_deep"),
    ("objects 200,000 deep", String(repeating: #"{"a":"#, count: many), "nested_too_deep"),
    (
      "text in a text, 200,000 brackets deep",
      #"{"response":"{\"x\":\#(String(repeating: "[", count: many))"}"#, "nested_too_deep"
    ),
    (
      "a status of 200,000 digits", #"{"status":\#(String(repeating: "9", count: many))}"#,
      "wrong_type"
    ),
    (
      "milliseconds of 200,000 digits",
      response(
        row: #""transaction_id":"1","product_id":"a","purchase_date_ms":"#
          + String(repeating: "9", count: many)), "row_invalid_date"
    ),
    (
      "a quantity of 200,000 digits",
      response(row: fields("1") + #","quantity":"\#(String(repeating: "1", count: many))""#),
      "row_invalid_quantity"
    ),
    (
      "one string that never ends", "{\"a\":\"" + String(repeating: "b", count: many),
      "invalid_json"
    ),
    ("backslashes", "{\"a\":\"" + String(repeating: "\\", count: many + 1), "invalid_json"),
    ("a NUL", "{\"status\":0,\u{0}\"a\":1}", "invalid_json"),
    ("a line of NULs", String(repeating: "\u{0}", count: 100), "invalid_json"),
    ("escape characters", "{\"status\":0,\"a\":\"\u{1B}[31m\"}", "invalid_json"),
    ("a name that says duplicate by escapes", #"{"status":0,"st\u0061tus":0}"#, "duplicate_key"),
  ]

  @Test(arguments: lines)
  func `a hostile line costs only itself`(story: String, line: String, code: String) throws {
    for buffer in [1 << 10, 1 << 18] {
      let content = try receipts(
        "\(sound("1"))\n\(line)\n\(sound("2"))\n", limits: limits(buffer: buffer))
      // A record whose only row is rejected is also rejected.
      #expect(content.codes.filter { $0 != "2 no_usable_row" } == ["2 \(code)"])
      #expect(content.tally.rejected == 1)
      #expect(content.ids == ["1", "2"])
    }
  }

  @Test func `hostile texts are only data`() throws {
    let texts = [
      "'); DROP TABLE purchase; --", "$(reboot)", "../../etc/passwd", "=cmd()", "</script>",
      "\u{202E}live", "\u{7F}", String(repeating: "a", count: 512),
    ]
    for text in texts {
      let row = fields("1").replacing("\"pro\"", with: "\"\(text)\"")
      let content = try receipts(response(row: row))
      let product = try #require(content.set.observations.first?.productID.symbol)
      #expect(content.set.symbols.text(product) == text)
    }
  }

  @Test func `ids may be any text, and odd ones are kept as text`() throws {
    for id in [
      "0", "007", "-5", "1234567890123456789", "99999999999999999999", "abc", "１２３", " 1 ",
      "12345678a", "/2345678",
      "12345678:", "1234567890123456:", "1234567/90123456", "01234567890",
    ] {
      let content = try receipts(response(row: fields(id)))
      #expect(content.ids == [id])
    }
  }

  @Test func `a hundred thousand keys, elements and rows are one record`() throws {
    let keys = (0..<Self.many / 2).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let elements = (0..<Self.many / 2).map(String.init).joined(separator: ",")
    let rows = (0..<20_000).map { "{\(fields("\($0 + 1)"))}" }.joined(separator: ",")
    let line =
      #"{"status":0,"x":{\#(keys)},"y":[\#(elements)],"receipt":{"in_app":[\#(rows)]},"#
      + #""latest_receipt_info":[\#(rows)]}"#
    let content = try receipts(line)
    #expect(content.tally.used == 1)
    #expect(content.set.observations.count == 20_000)
  }

  @Test func `a giant line is passed over with little memory and reading goes on`() throws {
    // 8 MB in one line, with a limit of 10,000 bytes, in all three forms.
    let giant = #"{"x":""# + String(repeating: "y", count: 8_000_000) + #""}"#
    let tight = limits(buffer: 4096, record: 10_000)
    let lines = try receipts("\(sound("1"))\n\(giant)\n\(sound("2"))", limits: tight)
    #expect(lines.codes == ["2 record_too_large"])
    #expect(lines.ids == ["1", "2"])
    let first = try receipts("\(giant)\n\(sound("2"))", limits: tight)
    #expect(first.codes == ["1 record_too_large"])
    #expect(first.ids == ["2"])
    let array = try receipts("[\(sound("1")),\n\(giant),\n\(sound("2"))]", limits: tight)
    #expect(array.codes == ["2 record_too_large"])
    #expect(array.ids == ["1", "2"])
    let pretty = ReadingFormTests.pretty("1")
    let sequence = try receipts("\(pretty)\n\(giant)\n\(sound("2"))\n", limits: tight)
    #expect(sequence.codes == ["10 record_too_large"])
    #expect(sequence.ids == ["1", "2"])
  }

  @Test func `a record of exactly the limit is read`() throws {
    let line = sound("1")
    let size = line.utf8.count
    for buffer in [1, size - 1, size, size + 1, 4096] {
      let content = try receipts(
        "\(line)\n\(sound("2"))\n", limits: limits(buffer: buffer, record: size))
      #expect(content.ids == ["1", "2"])
      let less = try receipts("\(line)\n{}", limits: limits(buffer: buffer, record: size - 1))
      #expect(less.codes == ["1 record_too_large", "2 not_a_receipt"])
    }
  }
}
