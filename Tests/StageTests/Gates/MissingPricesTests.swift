internal import TestSupport
internal import Testing

/// The messages for an owner about amounts without evidence.
struct MissingPricesTests {
  @Test func `a first run without any price says where prices come from`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson", Export.purchase(1001, day: "2021-01-05", price: nil))
    let first = try shop.run("paidline", "run", shop.pipeline)
    #expect(
      first
        == Ending(
          status: 0, output: "",
          errors: """
            paidline-reconstruct: warning: 0 of 1 chargeable amount known: no price report was \
            read, and the catalogue lists no price; list the app's price reports under \
            inputs.prices of pipeline.yaml. More: Docs/inputs.md.

            """))
    // In the next run the fault is unchanged, so it is not printed, and cron does not mail it
    // again.
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06", price: nil))
    #expect(try shop.run("paidline", "run", shop.pipeline).errors == "")
    let repeated = try shop.run("paidline", "run", shop.pipeline, "--repeat-warnings")
    #expect(repeated.errors.contains("0 of 2 chargeable amounts known"))
  }

  // `pro` was bought, `prp` was not; `coins.large` is similar to neither.
  @Test func `a product of the catalogue that is nearly one that was bought is named`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05", price: nil))
    try shop.folder.write(
      "catalog.yaml", "products:\n  - {product_id: prp}\n  - {product_id: coins.large}\n")
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml", pipeline.replacing("inputs:\n", with: "inputs:\n  catalog: catalog.yaml\n"))
    let ending = try shop.run("paidline", "run", shop.pipeline, "--log-level", "notice")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("lists prp, which has no purchase, but lacks pro,"))
    #expect(!ending.errors.contains("coins.large"))
    try shop.folder.write(
      "catalog.yaml", "products:\n  - {product_id: pro}\n  - {product_id: prp}\n")
    let fine = try shop.run("paidline", "run", shop.pipeline, "--log-level", "notice")
    #expect(!fine.errors.contains("has no purchase"))
  }

  @Test func `without a storefront the currency is missing first`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-01-05", price: nil)
        .replacing("\"storefront\":\"USA\",", with: ""))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let explained = try shop.run("paidline", "explain", shop.pipeline, "1001")
    #expect(
      explained.output.contains(
        "\nEvidence that would make the amount known: a price report with this transaction id; "
          + "a price report of this customer, with customer_id"))
  }

  // Three phones report 9.99. Eve's phone reports 999.00, a hundred times the price of the others.
  @Test func `an explanation says what a disbelieved report was judged against`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-01-05", customer: "ana")
        + Export.purchase(1002, day: "2021-01-06", customer: "ben")
        + Export.purchase(1004, day: "2021-01-06", customer: "cid")
        + Export.purchase(1003, day: "2021-01-07", customer: "eve", price: "999.00"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let explained = try shop.run("paidline", "explain", shop.pipeline, "1003").output
    #expect(
      explained.contains(
        "999.00 USD, unit_error, in USA, compared with the regular price 9.99 USD"))
    let believed = try shop.run("paidline", "explain", shop.pipeline, "1001").output
    #expect(believed.contains("believed") && !believed.contains("compared with"))
  }

  // Scenarios 22, 54 and 15 of the sample store: a price rise without a consent in any snapshot, a
  // purchase without a report, and an offer code that is not in the catalogue.
  @Test(arguments: [
    ("100000831022009", "price_changes of plus.monthly in USD in the catalogue"),
    ("100000831054003", "a price report of lifetime.unlock in KWD from about 2021-06-07"),
    ("100000831015003", "or the offer of pro.monthly in GBP in the catalogue."),
  ])
  func `an explanation ends with what the row lacks`(transaction: String, advice: String) throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let explained = try shop.run("paidline", "explain", "pipeline.yaml", transaction)
    let last = explained.output.split(separator: "\n").suffix(2)
    let hint = try #require(last.first)
    #expect(
      hint.hasPrefix("Evidence that would make the amount known: ") && hint.contains(advice),
      "\(last)")
    #expect(last.last == "More: Docs/rules.md.")
  }
}
