internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Reads a text as a plain receipt export.
func receipts(_ text: String, limits: ExportLimits = ExportLimits()) throws -> ExportContent {
  try readExport(bytes: Array(text.utf8), name: "r.ndjson", kind: .receipts, limits: limits)
}

/// Reads a text as a plain price export.
func prices(_ text: String, limits: ExportLimits = ExportLimits()) throws -> ExportContent {
  try readExport(bytes: Array(text.utf8), name: "p.ndjson", kind: .prices, limits: limits)
}

/// Limits with a buffer of the given number of bytes.
func limits(buffer: Int, record: Int = 16 << 20) -> ExportLimits {
  var limits = ExportLimits()
  limits.buffer = buffer
  limits.record = record
  return limits
}

/// A response whose `latest_receipt_info` has one row of the given fields.
func response(row: String, more: String = "") -> String {
  #"{"status":0\#(more),"latest_receipt_info":[{\#(row)}]}"#
}

/// The fields that every row needs, with an id of its own.
func fields(_ id: String) -> String {
  #""transaction_id":"\#(id)","product_id":"pro","purchase_date_ms":"1600000000000""#
}

/// A response with one valid row.
func sound(_ id: String = "1001") -> String { response(row: fields(id)) }

/// A price report with all required fields; arguments replace fields or add more.
func report(
  product: String = #""product_id":"pro","#, currency: String = #""currency":"USD","#,
  price: String = #""price":"9.99","#, time: String = #""reported_at":"2021-04-28T19:42:01Z","#,
  more: String = #""x":0"#
) -> String {
  "{\(product)\(currency)\(price)\(time)\(more)}"
}

extension ExportContent {
  /// All content as text, to compare two readings.
  var summary: String {
    var text = "\(tally) \(notices)\n"
    for record in self.set.records {
      let customer = record.customer.map { set.symbols.text($0.symbol) } ?? "-"
      let bundle = record.bundle.map { set.symbols.text($0.symbol) } ?? "-"
      text += "record \(record.source.line) \(record.snapshotAt) \(customer) \(bundle)"
      text += " \(record.storefront?.code ?? "-") \(record.isSandbox)\n"
    }
    for row in self.set.observations {
      text += "row \(row) \(set.symbols.text(row.productID.symbol))\n"
    }
    for renewal in self.set.renewals { text += "renewal \(renewal)\n" }
    for report in self.set.reports { text += "report \(report) \(set.offers[report.offers])\n" }
    for reject in rejects { text += "reject \(reject.line) \(reject.reason) \(reject.detail)\n" }
    return text
  }

  /// The reject codes with their lines: `3 invalid_json`.
  var codes: [String] { rejects.map { "\($0.line) \($0.reason.rawValue)" } }

  /// The transaction ids of the rows.
  var ids: [String] { self.set.observations.map { $0.transactionID.number.text(in: set.symbols) } }
}

/// A small export with every kind of content, for tests that damage or truncate it.
let smallExport =
  """
  {"received_at":"2021-08-09T18:26:02Z","customer_id":"c-1","storefront":"POL",\
  "price_report":\(report(more: #""discounts":[{"identifier":"win","price":"1","payment_mode":1}]"#)),\
  "response":\(sound("400000000000001"))}
  {"broken": nul}
  \(response(row: fields("400000000000002"), more: #","environment":"Sandbox""#))

  {"customer_id":"żółw 🐢 \\u00e9","received_at":"2021-08-09T18:26:03Z",\
  "response":"\(sound("400000000000003").replacing("\"", with: "\\\""))"}
  \(sound("400000000000001"))
  \(sound("400000000000001"))
  {"status":21003}

  """
