internal import Foundation
internal import TestSupport
internal import Testing

/// The first commands of a new user: creating a pipeline for exports of every kind, and previewing
/// their records.
struct FirstLookTests {
  /// Makes the generated pipeline trust the root under which the tests sign their tokens.
  private func trustRoot(in shop: Shop) throws {
    let text = try String(contentsOfFile: shop.folder.path("shop/pipeline.yaml"), encoding: .utf8)
    try shop.folder.write(
      "shop/pipeline.yaml",
      text.replacing(
        "inputs:\n", with: "inputs:\n  signed_roots: [../root.der]\n", maxReplacements: 1))
  }

  private static let sales = """
    SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t\
    Apple Identifier\tCustomer Price\tSubscription
    pro\tIAY\t2\t05/01/2024\t05/01/2024\tUSD\tUS\t77\t9.99\tNew

    """
  private static let report = """
    {"product_id":"pro","currency":"USD","price":"9.99","reported_at":"2024-05-01T10:00:05Z",\
    "customer_id":"c-1","transaction_id":"1001","storefront":"USA"}

    """

  @Test func `exports of four kinds become a pipeline that runs, and check shows each`() throws {
    let signed = try SignedShop(inputs: ["receipts: []"])
    let shop = signed.shop
    let names = ["receipts.ndjson", "prices.ndjson", "tokens.ndjson", "sales.txt"]
    try shop.folder.write(
      names[0], Export.purchase(1001, day: "2024-05-01", customer: "c-1", price: nil))
    try shop.folder.write(names[1], Self.report)
    try signed.write([try signed.token(1002, day: "2024-05-02")], file: names[2])
    try shop.folder.write(names[3], Self.sales)
    let made = try shop.run("paidline", arguments: ["init", "shop", "--from"] + names)
    #expect(made.status == 0, "\(made.errors)")
    for line in [
      "receipts.ndjson: receipts", "prices.ndjson: price reports",
      "tokens.ndjson: signed transactions", "sales.txt: a report of App Store Connect",
    ] { #expect(made.output.contains(line), "\(made.output)") }
    // The token is signed under a root that only this test trusts.
    try trustRoot(in: shop)

    let check = try shop.run("paidline", "check", "shop/pipeline.yaml")
    #expect(check.status == 66)
    #expect(check.errors.contains("nothing is published yet"))
    for line in [
      "customer c-1, storefront USA, 1 row, the first 1001 of pro",
      "a signed transaction of 2024-05-02T10:00:05Z: 1002 of pro, bought 2024-05-02T10:00:00Z, "
        + "storefront USA, price 9.99 USD",
      "a line of sales: 2 units of pro on 2024-05-01, storefront USA, price 9.99 USD",
    ] { #expect(check.output.contains(line), "\(check.output)") }
    let shown = check.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(shown.contains(["price", "9.99", "from", "price"]), "\(check.output)")

    let ending = try shop.run("paidline", "run", "shop/pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(
        "SELECT transaction_id, paid_milli FROM fct_revenue ORDER BY 1",
        in: "shop/var/warehouse.db") == ["1001|9990", "1002|9990"])
    let later = try shop.run("paidline", "check", "shop/pipeline.yaml")
    #expect(later.status == 0)
    #expect(later.output.contains("data tests passed"))
    #expect(!later.output.contains("c-1"), "a customer id after publication")
  }

  @Test func `a folder of exports becomes a pipeline that runs at once`() throws {
    let shop = try Shop()
    for day in ["2024-05-01", "2024-05-02"] {
      let id = day.hasSuffix("1") ? 1001 : 1002
      try shop.folder.write(
        "exports/receipts/r-\(day).ndjson", Export.purchase(id, day: day, price: nil))
      let plain = day.filter { $0 != "-" }
      try shop.folder.write(
        "exports/S_D_1_80012345_\(plain).txt",
        Self.sales.replacing("05/01/2024", with: "05/0\(day.suffix(1))/2024"))
    }
    try shop.folder.write("exports/README.md", "# Our exports\n")
    try shop.folder.write("exports/invoice.pdf", "%PDF-1.7\n")
    try shop.folder.write("exports/.hidden", "x\n")
    try shop.folder.write(
      "exports/own.csv",
      """
      sku;amount;currency;purchased_at;user_id;transaction id
      pro;9.99;USD;2024-05-01T10:00:05Z;c-1;1001

      """)
    let made = try shop.run("paidline", "init", "shop", "--from", "exports")
    #expect(made.status == 0, "\(made.errors)")
    let keys =
      "{product_id: sku, price: amount, currency: currency, reported_at: purchased_at, "
      + "customer_id: user_id, transaction_id: \"transaction id\"}"
    for line in [
      "exports/README.md: a README, which is no input; it is left out",
      "exports/invoice.pdf: a PDF, which is no input; it is left out",
      "exports/S_D_1_80012345_20240502.txt and 1 more: a report of App Store Connect",
      "exports/own.csv: prices, with keys \(keys)",
      "exports/receipts/r-2024-05-02.ndjson and 1 more: receipts",
    ] { #expect(made.output.contains(line), "\(made.output)") }
    #expect(!made.output.contains("hidden"))
    let pipeline = try String(
      contentsOfFile: shop.folder.path("shop/pipeline.yaml"), encoding: .utf8)
    for line in [
      #"- "../exports/receipts/r-{date}.ndjson""#,
      #"- "../exports/S_D_1_80012345_{date}.txt""#,
      "- {files: \"../exports/own.csv\", keys: \(keys)}",
    ] { #expect(pipeline.contains(line), "\(pipeline)") }
    let ending = try shop.run("paidline", "run", "shop/pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(
        "SELECT transaction_id, paid_milli FROM fct_revenue ORDER BY 1",
        in: "shop/var/warehouse.db") == ["1001|9990", "1002|9990"])
    #expect(try shop.run("paidline", "init", "other", "--from", "shop/none").status == 66)
  }

  @Test(arguments: ["a \"b\": #c", "back\\slash", "- [x], {y}", "'q' & *all"])
  func `a file name stands in the pipeline as YAML, whatever it holds`(name: String) throws {
    let shop = try Shop()
    try shop.folder.write(
      "exports/\(name).ndjson", Export.purchase(1001, day: "2024-01-05", customer: "c-1"))
    let made = try shop.run("paidline", "init", "shop", "--from", "exports")
    #expect(made.status == 0, "\(made)")
    let ending = try shop.run("paidline", "run", "shop/pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows("SELECT count(1) FROM fct_revenue", in: "shop/var/warehouse.db") == ["1"])
  }

  @Test func `the keys of receipts and tokens are found where they lie`() throws {
    let signed = try SignedShop(inputs: ["receipts: []"])
    let shop = signed.shop
    let record = Export.purchase(1001, day: "2024-05-01", price: nil)
    let start = try #require(record.range(of: #""response":"#)).upperBound
    let answer = record[start...].dropLast(2)
    try shop.folder.write(
      "a.ndjson", #"{"created":1,"user":{"id":"u-1"},"payload":{"apple":\#(answer)}}"# + "\n")
    let token = try signed.token(1002, day: "2024-05-02")
    try shop.folder.write(
      "b.csv", "id,created_at,user_id,jws\n1,2024-05-02 10:00:10+00,u-2,\(token)\n")
    try shop.folder.write(
      "c.ndjson",
      #"{"account":{"id":"u-3"},"apple":{"signedTransactionInfo":"\#(token)"}}"# + "\n")
    let made = try shop.run("paidline", "init", "shop", "--from", "a.ndjson", "b.csv", "c.ndjson")
    for line in [
      "a.ndjson: receipts, with keys {customer_id: user.id, response: payload.apple}",
      "b.csv: signed transactions, with keys {customer_id: user_id, received_at: created_at, "
        + "signed: jws}",
      "c.ndjson: signed transactions, with keys {customer_id: account.id, signed: apple}",
    ] { #expect(made.output.contains(line), "\(made.output) \(made.errors)") }
    try trustRoot(in: shop)
    let ending = try shop.run("paidline", "run", "shop/pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(
        "SELECT transaction_id FROM fct_revenue WHERE customer_key IS NOT NULL ORDER BY 1",
        in: "shop/var/warehouse.db") == ["1001", "1002"])
  }

  @Test func `folders of days and hours, customers' files and any column become few entries`()
    throws
  {
    let shop = try Shop()
    for hour in 0..<24 {
      let record = Export.purchase(
        1000 + hour, day: "2024-05-01", customer: "c-\(hour)", price: nil)
      let start = try #require(record.range(of: #""response":"#)).upperBound
      let cell = record[start...].dropLast(2).replacing("\"", with: "\"\"")
      try shop.folder.write(
        "s3/2024/05/01/\(hour < 10 ? "0" : "")\(hour)/part-\(1_714_500_000 + hour).csv",
        "uid,land,apple_raw,country\nc-\(hour),x,\"\(cell)\",DE\n")
    }
    for name in "abcdefghijklmno" {
      try shop.folder.write(
        "answers/of \(name).json",
        Export.purchase(2000 + Int(name.asciiValue ?? 0), day: "2024-05-01", price: nil))
    }
    try shop.folder.write("other/x.csv", "id,colour\n1,red\n")
    try shop.folder.write(
      "rc/transactions_2024-05-01.csv",
      """
      rc_last_seen_app_user_id_alias,product_identifier,start_time,store_transaction_id
      c-1,pro,2024-05-01 10:00:00,1001

      """)
    let made = try shop.run(
      "paidline", "init", "shop", "--from", "s3", "answers", "other", "rc")
    #expect(made.status == 0, "\(made.errors)")
    for line in [
      "s3/2024/05/01/23/part-1714500023.csv and 23 more: receipts, with keys {customer_id: uid, "
        + "storefront: country, response: apple_raw}, as s3/{yyyy}/{mm}/{dd}/*/part-*.csv",
      "answers/of a.json and 14 more: receipts, as answers/*.json",
      "other/x.csv: not recognized, with the columns id, colour; ",
      "rc/transactions_2024-05-01.csv: RevenueCat's export, format revenuecat_export, as "
        + "rc/transactions_{date}.csv",
    ] { #expect(made.output.contains(line), "\(made.output)") }
    #expect(try shop.folder.bytes("shop/customer.key").count == 32)
    let text = String(decoding: try shop.folder.bytes("shop/pipeline.yaml"), as: UTF8.self)
    // A key that is listed twice is refused.
    #expect(text.split(separator: "\n").count { $0 == "  exports:" } == 1, "\(text)")
    try shop.folder.write(
      "shop/pipeline.yaml",
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.contains("exports:") && !$0.contains("revenuecat_export") }
        .joined(separator: "\n"))
    #expect(try shop.run("paidline", "run", "shop/pipeline.yaml").status == 0)
    #expect(
      try shop.rows("SELECT count(1) FROM fct_revenue", in: "shop/var/warehouse.db") == ["39"])
    #expect(
      try shop.rows(
        "SELECT count(1) FROM fct_revenue WHERE storefront = 'DEU'", in: "shop/var/warehouse.db")
        == ["24"])
    // The hour that comes next needs no new line.
    try shop.folder.write(
      "s3/2024/05/02/00/part-1714600000.csv",
      String(decoding: try shop.folder.bytes("s3/2024/05/01/00/part-1714500000.csv"), as: UTF8.self)
        .replacing("1000", with: "3000"))
    #expect(try shop.run("paidline", "run", "shop/pipeline.yaml").status == 0)
    #expect(
      try shop.rows("SELECT count(1) FROM fct_revenue", in: "shop/var/warehouse.db") == ["40"])
    let none = try shop.run("paidline", "init", "none", "--from", "other")
    #expect(none.status == 65 && none.errors.contains("nothing was written"))
  }

  @Test func `files of the catalogue that contradict each other are found before a run`() throws {
    let shop = try Shop(receipts: "in/*.ndjson", inputs: ["catalog: [fetched.yaml, ours.yaml]"])
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-05-01"))
    try shop.folder.write(
      "fetched.yaml",
      """
      asked_on: 2024-05-01
      products:
        - product_id: pro
          kind: auto_renewable_subscription
          prices: [{storefront: USA, currency: USD, price: "12.99", from: 2024-01-01}]
      """)
    func write(_ price: String, products: Int = 1) throws {
      let product = """
          - product_id: pro
            prices: [{currency: USD, price: "\(price)", from: 2024-02-01}]
        """
      try shop.folder.write("ours.yaml", "products:\n\(product)\n")
    }
    try write("11.99")
    let check = try shop.run("paidline", "check")
    #expect(
      check.output.contains("pro 11.99 USD from 2024-02-01; App Store Connect has 12.99 USD (USA)"),
      "\(check.output) \(check.errors)")
    try write("12.99")
    #expect(try !shop.run("paidline", "check").output.contains("App Store Connect has"))
    try shop.folder.write("ours.yaml", "products:\n  - {product_id: pro, kind: lamp}\n")
    let broken = try shop.run("paidline", "check")
    #expect(broken.status == 78, "\(broken.errors)")
    #expect(broken.errors.contains("ours.yaml:2"), "\(broken.errors)")
  }
}
