internal import TestSupport
internal import Testing

/// What an owner is told who has receipts and no prices yet.
struct MissingPricesTests {
  @Test func `a first run without any price says where prices come from`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    let quiet = try shop.run("paidline", "run", shop.pipeline)
    #expect(quiet.status == 0)
    #expect(!quiet.errors.contains("no price report"))
    let told = try shop.run(
      "paidline", "run", shop.pipeline, "--full-refresh", "--log-level", "notice")
    #expect(told.errors.contains("no price report was read, and the catalogue lists no price"))
    let explained = try shop.run("paidline", "explain", shop.pipeline, "1001")
    #expect(explained.output.contains("\nWhat would tell it: a price report that names this "))
  }
}
