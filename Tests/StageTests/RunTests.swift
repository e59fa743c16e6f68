internal import Foundation
internal import TestSupport
internal import Testing

struct RunTests {
  private func shopWithTwoCustomers() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "in/2021-01.ndjson",
      Export.purchase(1001, day: "2021-01-05")
        + Export.purchase(1002, day: "2021-01-07", customer: "c-2"))
    try shop.folder.write(
      "in/2021-02.ndjson",
      Export.purchase(1003, day: "2021-02-05", price: nil, original: 1001))
    return shop
  }

  @Test func `exports become facts, and the run ends with the revenue table`() throws {
    let shop = try shopWithTwoCustomers()
    let ending = try shop.run("paidline", "run", shop.pipeline, "--table")
    // Two purchases of 9.99 in January; the renewal of February repeats the price. Nothing is
    // exact, because a confirmed report needs two other voters, and there are only two customers.
    #expect(
      ending.output == """
        month    product  currency  gross  refunds    net  unresolved
        ───────  ───────  ────────  ─────  ───────  ─────  ──────────
        2021-01  pro      USD       19.98     0.00  19.98           0
        2021-02  pro      USD        9.99     0.00   9.99           0
        total    all      USD       29.97     0.00  29.97           0

        Coverage: 100.0 % of 3 chargeable rows have a known amount (0.0 % \
        exact), 0 unresolved; as of 2021-02-05T10:00:10Z.

        """)
    #expect(ending.errors == "")
    #expect(ending.status == 0)
    #expect(
      try shop.rows(
        "SELECT transaction_id, paid_milli, price_status, price_rule FROM fct_revenue ORDER BY 1")
        == [
          "1001|9990|derived|reported_with_purchase",
          "1002|9990|derived|reported_with_purchase", "1003|9990|derived|previous_renewal",
        ])
  }

  @Test func `a run is quiet where all is well and nobody watches`() throws {
    let shop = try shopWithTwoCustomers()
    #expect(
      try shop.run("paidline", "run", shop.pipeline) == Ending(status: 0, output: "", errors: ""))
  }

  @Test func `a first export without a record gives empty facts without a time, with a warning`()
    throws
  {
    let shop = try Shop(more: "report: out/report.html")
    try shop.folder.write("in/a.ndjson", "\n")
    let ending = try shop.run("paidline", "run", "--table")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.hasSuffix(
        "warning: the facts have no as-of time: no receipt or signed transaction has a time yet\n"),
      "\(ending.errors)")
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["0"])
    let status = try shop.run("paidline", "status").output
    #expect(
      status.contains("Facts          no receipt or signed transaction with a time yet;"),
      "\(status)")
    #expect(!status.contains("1970") && !ending.output.contains("1970"))
    let page = String(decoding: try shop.folder.bytes("out/report.html"), as: UTF8.self)
    #expect(page.contains("No receipt or signed transaction with a time has been read yet."))
    #expect(!page.contains("s of 1970"))
    // Somebody who bought nothing, in a response without a request date: a receipt, but no time.
    try shop.folder.write(
      "in/c.ndjson",
      #"{"status":0,"environment":"Production","receipt":{"bundle_id":"app","in_app":[]}}"# + "\n")
    let untimed = try shop.run("paidline", "run")
    #expect(untimed.status == 0 && untimed.errors.contains("the facts have no as-of time"))
    try shop.folder.write("in/b.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
    #expect(try shop.run("paidline", "status").output.contains("Facts          as of 2021-01-0"))
  }

  @Test func `running twice changes nothing`() throws {
    let shop = try shopWithTwoCustomers()
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let files = ["var/state.db", "var/state.db-wal", "out/warehouse.db", "out/warehouse.db-wal"]
    let before = try files.map(shop.folder.bytes)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try files.map(shop.folder.bytes) == before)
  }

  @Test func `a full refresh writes the same facts anew`() throws {
    let shop = try shopWithTwoCustomers()
    _ = try shop.run("paidline", "run", shop.pipeline)
    let hash = try shop.contentHash()
    #expect(try shop.run("paidline", "run", shop.pipeline, "--full-refresh").status == 0)
    #expect(try shop.contentHash() == hash)
    #expect(try shop.rows("SELECT kind FROM audit_run ORDER BY run_id") == ["run", "full_refresh"])
  }

  @Test func `two runs, one run, other names, other orders and other jobs give the same facts`()
    throws
  {
    let shop = try shopWithTwoCustomers()
    _ = try shop.run("paidline", "run", shop.pipeline)
    let hash = try #require(try shop.contentHash())

    let separate = try Shop()
    for (file, name) in [("a", "2021-02"), ("b", "2021-01")] {
      try separate.folder.write(
        "in/\(file).ndjson", bytes: try shop.folder.bytes("in/\(name).ndjson"))
      #expect(try separate.run("paidline", "run", separate.pipeline).status == 0)
    }
    #expect(try separate.contentHash() == hash)

    for jobs in ["1", "2", "7"] {
      let other = try Shop()
      for (name, copy) in [("2021-01", "x"), ("2021-02", "w"), ("2021-01", "y")] {
        try other.folder.write(
          "in/\(copy).ndjson", bytes: try shop.folder.bytes("in/\(name).ndjson"))
      }
      #expect(try other.run("paidline", "run", other.pipeline, "--jobs", jobs).status == 0)
      #expect(try other.contentHash() == hash)
    }
  }

  @Test func `the stages run alone give what a run gives`() throws {
    let shop = try shopWithTwoCustomers()
    #expect(try shop.run("paidline-ingest", shop.pipeline).status == 0)
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    let alone = try #require(try shop.contentHash())
    let other = try shopWithTwoCustomers()
    _ = try other.run("paidline", "run", other.pipeline)
    #expect(try other.contentHash() == alone)
  }

  @Test func `the ledger tells how each run and each stage alone ended`() throws {
    let shop = try shopWithTwoCustomers()
    _ = try shop.run("paidline-ingest", shop.pipeline)
    _ = try shop.run("paidline-reconstruct", shop.pipeline)
    try shop.folder.write("in/useless.ndjson", "id,receipt\n")
    _ = try shop.run("paidline", "run", shop.pipeline)
    try shop.folder.write("in/useless.ndjson", Export.purchase(1009, day: "2021-03-05"))
    _ = try shop.run("paidline", "run", shop.pipeline)
    let status = try shop.run("paidline", "status", shop.pipeline, "--json")
    let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
    let runs = try #require(object?["runs"] as? [[String: Any]])
    #expect(runs.map { $0["kind"] as? String } == ["run", "run", "reconstruct", "ingest"])
    #expect(runs.map { $0["exit_status"] as? Int } == [0, 65, 0, 0])
    #expect(try shop.rows("SELECT run_id FROM audit_run ORDER BY 1") == ["2", "4"])
  }

  @Test func `standard input is an input`() throws {
    let shop = try Shop(receipts: "-")
    try shop.folder.write("export", Export.purchase(1001, day: "2021-01-05"))
    let input = try Shop.reading(shop.folder.path("export"))
    #expect(try shop.run("paidline", "run", shop.pipeline, input: input).status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
    #expect(try shop.folder.names("var").filter { $0.contains("stdin") }.isEmpty)
  }

  @Test func `as of a moment, what came later is left out`() throws {
    let shop = try shopWithTwoCustomers()
    #expect(
      try shop.run("paidline", "run", shop.pipeline, "--as-of", "2021-01-31T00:00:00Z").status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1002"])
    #expect(try shop.rows("SELECT as_of FROM audit_run") == ["2021-01-31T00:00:00Z"])
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["3"])
  }

  @Test func `a dry run names what is new and changes nothing`() throws {
    let shop = try shopWithTwoCustomers()
    let before = try shop.folder.names()
    let ending = try shop.run("paidline", "run", shop.pipeline, "--dry-run")
    #expect(ending.status == 0)
    #expect(ending.output.contains("in/2021-01.ndjson  receipts"))
    #expect(ending.output.contains("A run would read 2 of 2 files"))
    #expect(try shop.folder.names() == before)
  }

  @Test func `a catalogue settles what reports cannot`() throws {
    let shop = try Shop(more: "")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05", price: nil))
    _ = try shop.run("paidline", "run", shop.pipeline)
    #expect(try shop.rows("SELECT price_rule FROM fct_revenue") == ["unresolved"])
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          prices: [{currency: USD, price: 8.99, from: 2020-01-01}]
        - product_id: never.sold
          subscription_group: "1"
      """)
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("inputs:", with: "inputs:\n  catalog: catalog.yaml"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows("SELECT paid_milli, price_rule, currency FROM fct_revenue")
        == ["8990|catalogue_price|USD"])
  }
}
