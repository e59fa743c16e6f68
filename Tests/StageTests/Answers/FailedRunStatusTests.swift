internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline status` after a run that failed before it read anything, or after it published.
struct FailedRunStatusTests {
  private func shop(more: String = "") throws -> Shop {
    let shop = try Shop(inputs: ["catalog: catalog.yaml"], more: more)
    try shop.folder.write("catalog.yaml", "products: []\n")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    return shop
  }

  private func status(_ shop: Shop) throws -> Ending { try shop.run("paidline", "status") }

  @Test func `missing exports are a failure until a run succeeds, even one without new data`()
    throws
  {
    let shop = try shop()
    #expect(try shop.run("paidline", "run").status == 0)
    let exports = (shop.folder.path("in"), shop.folder.path("elsewhere"))
    try FileManager.default.moveItem(atPath: exports.0, toPath: exports.1)
    #expect(try shop.run("paidline", "run").status == 66)
    let failed = try status(shop)
    #expect(failed.status == 66)
    #expect(failed.output.hasPrefix("FAILED since "), "\(failed)")
    #expect(failed.output.contains("no file matches"), "\(failed)")
    try FileManager.default.moveItem(atPath: exports.1, toPath: exports.0)
    #expect(try shop.run("paidline", "run").status == 0)
    let mended = try status(shop)
    #expect(mended.status == 0 && mended.output.hasPrefix("OK"), "\(mended)")
    // Another run without new data writes nothing.
    let runs = try shop.folder.bytes("var/state.db")
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.folder.bytes("var/state.db") == runs)
  }

  @Test(arguments: [true, false])
  func `a broken catalogue is named by the status, with new data or without`(hasNews: Bool) throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("catalog.yaml", "products: [{product_id: pro, kind: sub}]\n")
    if hasNews { try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-02")) }
    #expect(try shop.run("paidline", "run").status == 78)
    let failed = try status(shop)
    #expect(failed.status == 78)
    #expect(failed.output.contains("catalog.yaml:1: expected products[1].kind to be"), "\(failed)")
  }

  @Test func `a page that cannot be written is a failure, and its facts stay published`() throws {
    let shop = try shop(more: "report: page")
    try shop.folder.write("page/file", "a folder where the page should be")
    #expect(try shop.run("paidline", "run").status == 73)
    let failed = try status(shop)
    #expect(failed.status == 73)
    #expect(
      failed.output.contains("the facts are published; only paidline-publish failed: "), "\(failed)"
    )
    #expect(failed.output.contains("page exists and is not a regular file"), "\(failed)")
    try FileManager.default.removeItem(atPath: shop.folder.path("page"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try status(shop).status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
  }
}
