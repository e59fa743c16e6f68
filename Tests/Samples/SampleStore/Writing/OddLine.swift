/// An unusual line of an export: a broken line, Apple's refusal of a receipt, or a line of unusual
/// form.
struct OddLine: Sendable {
  /// The kind of file to which the line belongs: `receipts` or `prices`.
  var kind: String
  /// A moment in Unix milliseconds; the line is written to the export file of its day.
  var day: Int64
  /// The line without its line feed.
  var bytes: [UInt8]

  /// Returns one line for each reason that rejects a record or row, with the code of the reason.
  ///
  /// To add another reason, add a line to one of the tables below.
  static func all() -> [(code: String, line: OddLine)] {
    // Broken records and refused responses are in May, broken rows and reports in September.
    let may = Story.moment("2021-05-15 12:00:00")
    let september = Story.moment("2021-09-15 12:00:00")
    return
      (brokenRecords() + refusedResponses()).map { code, bytes in
        (code, OddLine(kind: "receipts", day: may, bytes: bytes))
      }
      + brokenRows().map { code, row in
        (code, OddLine(kind: "receipts", day: september, bytes: Array(response(row).utf8)))
      }
      + brokenReports().map { code, text in
        (code, OddLine(kind: "prices", day: september, bytes: Array(text.utf8)))
      }
  }

  // Whole records

  private static func brokenRecords() -> [(String, [UInt8])] {
    let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    return [
      ("invalid_json", Array("{\"received_at\":\"2021-05-15T12:00:00Z\",\"response\":{\"sta".utf8)),
      ("invalid_utf8", Array("{\"customer_id\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)),
      (
        "control_character",
        Array(
          "{\"received_at\":\"2021-05-15T12:00:00Z\",\"customer_id\":\"s-\\u0007\",\"response\":{\"status\":0}}"
            .utf8)
      ),
      ("nested_too_deep", Array("{\"extra\":\(nested)}".utf8)),
      (
        "record_too_large",
        Array("{\"extra\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "A"), count: (16 << 20) + 1)
          + Array("\"}".utf8)
      ),
      ("duplicate_key", Array("{\"customer_id\":\"s-1\",\"customer_id\":\"s-2\"}".utf8)),
      ("not_an_object", Array("[\"2021-05-15T12:00:00Z\"]".utf8)),
      ("wrong_type", Array("{\"response\":{\"status\":0,\"receipt\":{\"in_app\":\"none\"}}}".utf8)),
      (
        "not_a_receipt",
        Array("{\"received_at\":\"2021-05-15T12:00:00Z\",\"customer_id\":\"s-1\"}".utf8)
      ),
    ]
  }

  /// Returns the responses with which Apple refuses a receipt, one per status.
  ///
  /// 21007 (a sandbox receipt) and 21010 (a deleted account) are not rejects.
  private static func refusedResponses() -> [(String, [UInt8])] {
    let statuses = [
      (21000, "status_21000"), (21001, "status_21001"), (21002, "status_21002"),
      (21003, "status_21003"), (21004, "status_21004"), (21005, "status_21005"),
      (21008, "status_21008"), (21009, "status_21009"), (21104, "status_211xx"),
      (31337, "status_unknown"),
    ]
    return statuses.map { status, code in
      let more = status == 21104 ? ",\"is-retryable\":true" : ""
      let text =
        "{\"received_at\":\"2021-05-15T12:00:00Z\",\"response\":"
        + "{\"status\":\(status),\"environment\":\"Production\"\(more)}}"
      return (code, Array(text.utf8))
    }
  }

  // Rows

  private static func brokenRows() -> [(String, String)] {
    let id = "\"transaction_id\":\"100000832000001\""
    let product = "\"product_id\":\"coins.100\""
    let date = "\"purchase_date_ms\":\"1631620800000\""
    return [
      ("row_without_transaction_id", "\(product),\(date)"),
      ("row_without_product_id", "\(id),\(date)"),
      ("row_without_purchase_date", "\(id),\(product)"),
      ("row_invalid_flag", "\(id),\(product),\(date),\"is_trial_period\":\"maybe\""),
      ("row_invalid_date", "\(id),\(product),\"purchase_date_ms\":\"yesterday\""),
      ("row_invalid_quantity", "\(id),\(product),\(date),\"quantity\":\"-1\""),
    ]
  }

  private static func response(_ row: String) -> String {
    "{\"received_at\":\"2021-09-15T12:00:00Z\",\"response\":{\"status\":0,"
      + "\"environment\":\"Production\",\"receipt\":{\"receipt_type\":\"Production\","
      + "\"bundle_id\":\"\(World.bundle)\",\"request_date_ms\":\"1631707200000\","
      + "\"in_app\":[{\(row)}]}}}"
  }

  // Price reports

  private static func brokenReports() -> [(String, String)] {
    func report(
      time: String = "\"2021-09-15T12:00:00Z\"", product: String = "\"coins.100\"",
      currency: String = "\"USD\"", price: String = "\"0.99\"", more: String = ""
    ) -> String {
      "{\"reported_at\":\(time),\"customer_id\":\"s-odd\",\"product_id\":\(product),"
        + "\"currency\":\(currency),\"price\":\(price)\(more)}"
    }
    let offer =
      ",\"introductory_price\":{\"price\":\"0.00\",\"payment_mode\":\"barter\",\"number_of_periods\":1}"
    return [
      ("price_without_product", report(product: "null")),
      ("price_without_currency", report(currency: "null")),
      ("price_without_price", report(price: "null")),
      ("price_without_time", report(time: "null")),
      ("price_invalid_currency", report(currency: "\"US$\"")),
      ("price_not_a_decimal", report(price: "\"0,99\"")),
      ("price_has_exponent", report(price: "\"99e-2\"")),
      ("price_negative", report(price: "\"-0.99\"")),
      ("price_too_precise", report(price: "\"0.9999\"")),
      ("price_too_large", report(price: "\"99999999999999\"")),
      ("price_invalid_time", report(time: "\"last Tuesday\"")),
      ("price_invalid_offer", report(more: offer)),
    ]
  }
}
