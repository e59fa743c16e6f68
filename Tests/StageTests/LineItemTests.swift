internal import TestSupport
internal import Testing

/// A charge is its chain's: a line item under two chains counts for neither night.
struct LineItemTests {
  @Test func `a line item under two chains stops the night, until the wrong file is forgotten`()
    throws
  {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let facts = try shop.contentHash()
    // The same charge, as if another subscription had paid it.
    try shop.folder.write(
      "in/b.ndjson",
      Export.purchase(1001, day: "2021-01-05", customer: "c-2", original: 2002)
        + Export.purchase(3003, day: "2021-01-06"))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 65)
    #expect(ending.errors.contains("line_item_in_two_chains: 1 row."))
    #expect(ending.errors.contains("Take the wrong file out with paidline forget."))
    #expect(try shop.contentHash() == facts)

    let sum = try shop.run("/usr/bin/sha256sum", arguments: ["in/b.ndjson"])
    let hash = String(sum.output.prefix(64))
    #expect(try shop.run("paidline", "forget", shop.pipeline, "--file", hash).status == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.contentHash() == facts)
    try shop.folder.write("in/c.ndjson", Export.purchase(3003, day: "2021-01-06"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows("SELECT web_order_line_item_id FROM fct_revenue ORDER BY 1")
        == ["5001001", "5003003"])
  }
}
