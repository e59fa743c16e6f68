internal import Foundation
internal import TestSupport
internal import Testing

/// The entries and queries on the pages about price formats, run with files as the queries write
/// them.
struct FormatPageTests {
  private static func page(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Checkout.folder.path)/Docs/\(name)", encoding: .utf8)
  }

  /// The columns and the file of each `\copy (SELECT …) TO '…'` on a page.
  private static func queries(_ page: String) -> [(columns: [String], table: String, file: String)]
  {
    page.matches(of: #/\\copy \(SELECT (.+?) FROM (\w+).*?\) TO '(.+?)' CSV HEADER/#).map { match in
      let columns = match.1.split(separator: ",").map { column in
        column.trimmingCharacters(in: .whitespaces)
      }
      return (columns, String(match.2), String(match.3))
    }
  }

  private static func cell(_ json: String) -> String {
    json.contains("\"") ? "\"" + json.replacing("\"", with: "\"\"") + "\"" : json
  }

  /// A row of each table that a page exports: the values, keyed by column.
  private static let rows: [String: [String: String]] = [
    "prices.csv": [
      "received_at": "2024-05-01 10:00:07+00", "user_id": "c-1", "storefront": "USA",
      "transaction_id": "1001",
      "payload": #"{"product_id":"pro","price":9.989999771118164,"currency_code":"USD"}"#,
    ],
    "orders.csv": [
      "timestamp": "2024-05-01T10:00:07.123Z", "user_id": "c-1", "order_id": "1001",
      "currency": "USD", "products": #"[{"product_id":"pro","price":9.99,"quantity":1}]"#,
    ],
    "webhooks.csv": [
      "received_at": "2024-05-01 10:00:11+00",
      "body": #"{"event":{"type":"INITIAL_PURCHASE","app_user_id":"c-1","store":"APP_STORE","#
        + #""product_id":"pro","transaction_id":"1001","environment":"PRODUCTION","price":9.99,"#
        + #""price_in_purchased_currency":9.99,"currency":"USD","country_code":"US","#
        + #""purchased_at_ms":1714557607000}}"#,
    ],
  ]
  /// Files that other tools export, without a query.
  private static let files: [String: String] = [
    "adjust/*.csv.gz": """
    {created_at},{currency},{revenue_float},[product_id],[transaction_id]
    1714557607,USD,9.99000,pro,1001

    """,
    "mixpanel/*.ndjson": """
    {"event":"open","properties":{"time":1714557600,"distinct_id":"c-1"}}
    {"event":"purchase","properties":{"time":1714557607,"distinct_id":"c-1","product_id":"pro",\
    "price":9.99,"currency":"USD","transaction_id":"1001","storefront":"USA"}}

    """,
  ]

  /// The pipeline entries on a page, each with its file pattern.
  private static func entries(_ page: String) -> [(text: String, files: String)] {
    page.components(separatedBy: "```yaml\n").dropFirst().compactMap { part in
      let text = part.components(separatedBy: "```")[0]
      guard text.hasPrefix("- "), let files = text.firstMatch(of: #/files: "(.+?)"/#) else {
        return nil
      }
      return (text, String(files.1))
    }
  }

  @Test func `each entry of the page of formats reads what its query writes`() throws {
    let page = try Self.page("formats.md")
    let queries = Self.queries(page)
    #expect(Set(queries.map(\.file)) == Set(Self.rows.keys))
    var entries = Self.entries(page)
    #expect(
      Set(entries.map(\.files))
        == Set(Self.files.keys).union(Self.rows.keys).subtracting(["webhooks.csv"]))
    entries.append((#"- {files: "webhooks.csv", format: revenuecat_webhook}"#, "webhooks.csv"))
    for entry in entries {
      let shop = try Shop()
      let indented = entry.text.split(separator: "\n").map { "    \($0)\n" }.joined()
      try shop.folder.write(
        "pipeline.yaml",
        """
        state: var/state.db
        warehouse: out/warehouse.db
        inputs:
          receipts: [in/receipts.ndjson]
          prices:
        \(indented)
        customer_key_file: customer.key
        """)
      try shop.folder.write(
        "in/receipts.ndjson",
        Export.purchase(1001, day: "2024-05-01", customer: "c-1", price: nil))
      if let text = Self.files[entry.files] {
        try shop.folder.write(
          entry.files.replacing("*", with: "a").replacing(".gz", with: ""), text)
        if entry.files.hasSuffix(".gz") {
          #expect(try shop.run("/usr/bin/gzip", arguments: ["adjust/a.csv"]).status == 0)
        }
      } else {
        let query = try #require(queries.first { $0.file == entry.files })
        let row = try #require(Self.rows[entry.files])
        #expect(Set(query.columns) == Set(row.keys), "\(entry.files)")
        let cells = query.columns.map { Self.cell(row[$0] ?? "") }
        try shop.folder.write(
          entry.files,
          query.columns.joined(separator: ",") + "\n" + cells.joined(separator: ",") + "\n")
      }
      let ending = try shop.run("paidline", "run")
      #expect(ending.status == 0, "\(entry.text) \(ending.errors)")
      // A service tells what was charged, all others what a phone showed.
      let isCharge = entry.text.contains("revenuecat_webhook")
      let rule = isCharge ? "reported_charge" : "reported_with_purchase"
      #expect(
        try shop.rows("SELECT currency, paid_milli, price_rule FROM fct_revenue")
          == ["USD|9990|\(rule)"], "\(entry.text)")
    }
  }

  /// The files next to the page are those that its queries write, from the tables in `shop.sql`.
  @Test func `the queries of the page about RevenueCat write the files that lie beside it`() throws
  {
    let queries = Self.queries(try Self.page("revenuecat.md"))
    #expect(queries.map(\.file) == ["shop/receipts.csv", "shop/webhooks.csv"])
    let sql = try Self.page("revenuecat/shop.sql")
    for query in queries {
      let parts = sql.components(separatedBy: "CREATE TABLE \(query.table) (\n")
      let body = try #require(parts.last?.components(separatedBy: ");").first)
      let columns = body.split(separator: "\n").compactMap { $0.split(separator: " ").first }
      #expect(query.columns == columns.map(String.init))
      let name = query.file.replacing("shop/", with: "revenuecat/")
      let lines = try Self.page(name).split(separator: "\n")
      #expect(lines.first.map(String.init) == query.columns.joined(separator: ","))
      let insert = try #require(
        sql.components(separatedBy: "INSERT INTO \(query.table) VALUES\n").last?
          .components(separatedBy: "\n\n").first)
      let values = insert.matches(of: #/\('(.*)'\)/#).map { row in
        row.1.components(separatedBy: "', '").map(Self.cell).joined(separator: ",")
      }
      #expect(values.sorted() == lines.dropFirst().map(String.init).sorted(), "\(query.table)")
    }
  }
}
