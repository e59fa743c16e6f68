internal import TestSupport
internal import Testing

/// A charge belongs to its chain: a line item in two chains is two purchases, and is reported.
struct LineItemTests {
  @Test func `a line item under two chains is told of, until the wrong file is forgotten`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let facts = try shop.contentHash()
    // The same charge, as if another subscription had paid for it.
    try shop.folder.write(
      "in/b.ndjson", Export.purchase(1001, day: "2021-01-05", customer: "c-2", original: 2002))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let items = "SELECT web_order_line_item_id FROM fct_revenue"
    #expect(try shop.rows(items) == ["5001001", "5001001"])
    let check = try shop.run("paidline", "check", shop.pipeline)
    #expect(check.status == 0)
    #expect((check.output + check.errors).contains("line_item_in_two_chains"))

    let sum = try shop.run("/usr/bin/sha256sum", arguments: ["in/b.ndjson"])
    let hash = String(sum.output.prefix(64))
    #expect(try shop.run("paidline", "forget", shop.pipeline, "--file", hash).status == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.contentHash() == facts)
  }
}
