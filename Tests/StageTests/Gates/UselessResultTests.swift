internal import Foundation
internal import TestSupport
internal import Testing

/// Facts that are correct but useless.
///
/// There is one line for each, also when the output is not a terminal.
struct UselessResultTests {
  private func errors(_ shop: Shop) throws -> [String] {
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    return ending.errors.split(separator: "\n").map(String.init)
  }

  @Test func `no purchase names a customer`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-02-01").replacing("customer_id", with: "user"))
    #expect(
      try errors(shop) == [
        "paidline-reconstruct: warning: no purchase has a usable customer id, so offer eligibility "
          + "and customer histories are not available: if your records have it under another "
          + "key, name this key in the entry of their files in pipeline.yaml, such as {files: …, "
          + "keys: {customer_id: user_id}}. More: Docs/inputs.md."
      ])
    #expect(
      try shop.rows("SELECT gate, severity, subject, found, expected FROM audit_gate")
        == ["useless_result|warn|customers|known for 0 of 1 purchase|a customer_id in the records"])
  }

  @Test func `no purchase names a customer who is somebody`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      (1001...1006).map { Export.purchase($0, day: "2021-02-01", customer: "guest") }.joined())
    #expect(
      try errors(shop).first
        == "paidline-reconstruct: warning: no purchase has a usable customer id, so offer "
        + "eligibility and customer histories are not available: the ids in the records are each "
        + "shared by many Apple accounts. More: Docs/inputs.md.")
  }

  @Test func `no amount is known`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    #expect(
      try errors(shop) == [
        "paidline-reconstruct: warning: 0 of 1 chargeable amount known: no price report was read, "
          + "and the catalogue lists no price; list the app's price reports under inputs.prices "
          + "of pipeline.yaml. More: Docs/inputs.md."
      ])
  }

  /// A shop with a purchase, and with files of price reports.
  private func shop(prices: String) throws -> Shop {
    let shop = try Shop(receipts: "in/a.ndjson", inputs: [#"prices: ["in/p*"]"#])
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    try shop.folder.write("in/p.ndjson", prices)
    return shop
  }

  private static let report =
    #"{"product_id":"pro","currency":"USD","price":"9.99","reported_at":"2021-02-01T10:00:05Z","#

  @Test func `price reports were read, but none decides an amount`() throws {
    // The storefront of the purchase is not the report's.
    let shop = try shop(
      prices: Self.report.replacing("USD", with: "EUR") + #""storefront":"DEU"}"#)
    #expect(
      try errors(shop) == [
        "paidline-reconstruct: warning: 0 of 1 chargeable amount known: price reports were read, "
          + "but none decides an amount; the table price_evidence has the verdict on each report. "
          + "More: Docs/inputs.md."
      ])
  }

  @Test(arguments: [false, true]) func `price files are given, but none is used`(
    _ isForgotten: Bool
  ) throws {
    let shop = try shop(prices: isForgotten ? Self.report + #""customer_id":"c-1"}"# : "{}")
    if isForgotten {
      #expect(try shop.run("paidline", "run").errors == "")
      #expect(
        try shop.run("paidline", "forget", shop.pipeline, "--file", "in/p.ndjson").status == 0)
    }
    let ending = try shop.run("paidline", "run", "--accept", "no_usable_record")
    #expect(ending.status == 0)
    #expect(
      ending.errors.hasSuffix(
        "warning: 0 of 1 chargeable amount known: no price report was read, and the catalogue "
          + "lists no price; no record of the files under inputs.prices of pipeline.yaml is used; "
          + "`paidline status` shows why: refused, held or forgotten files, or rejects. "
          + "More: Docs/inputs.md.\n"), "\(ending.errors)")
  }

  @Test func `a currency in use has no rate`() throws {
    let shop = try Shop(more: "reporting_currency: EUR")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(
      try errors(shop) == [
        "paidline-reconstruct: warning: there is no rate from USD to EUR, so that 1 amount stays "
          + "NULL in the reporting currency: name the European Central Bank's eurofxref-hist.csv "
          + "under inputs.rates, or, for currencies that the bank does not quote, a file with your "
          + "own rates under inputs.more_rates. More: Docs/inputs.md."
      ])
  }

  @Test func `every purchase is left out`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-02-01").replacing("Production", with: "Sandbox"))
    #expect(
      try errors(shop) == [
        "paidline-reconstruct: warning: every purchase is excluded from revenue (1 sandbox), so "
          + "the facts are empty. More: Docs/gates.md."
      ])
  }

  @Test func `a useless result that stops the run is not published`() throws {
    let shop = try Shop(gates: "{useless_result: stop}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("accept them for one run with --accept useless_result."))
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.run("paidline", "run", "--accept", "useless_result").status == 0)
  }
}
