internal import Foundation
internal import TestSupport
internal import Testing

/// A report that cannot be written, or whose script is missing, does no harm.
struct PublishFaultTests {
  @Test func `a script that is missing leaves tables; only one that was named is worth a word`()
    throws
  {
    let (shop, named) = try PublishTests.shop(script: "lib/none.js")
    #expect(named.status == 0)
    #expect(
      named.errors.contains(
        "lib/none.js is missing, so the dashboard has tables but no charts; correct"))
    #expect(try PublishTests.report(shop).contains("This page has no charts"))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
  }

  @Test func `a report that cannot be written harms no fact and no report`() throws {
    let shop = try Shop(more: "report: blocked/report.html")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("blocked", "a file where the folder should be")
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 73)
    #expect(ending.errors.contains("paidline-publish: writing blocked/report.html"))
    #expect(ending.errors.contains("the facts are published; only paidline-publish failed"))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
    #expect(try shop.rows("SELECT count(1) FROM audit_run") == ["1"])

    let folder = try Shop(more: "report: out")
    try folder.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    let refused = try folder.run("paidline", "run", folder.pipeline)
    #expect(refused.status == 73)
    #expect(refused.errors.contains("is not a regular file"))
  }

  @Test func `a link is followed, so that it stays a link`() throws {
    let (shop, _) = try PublishTests.shop()
    let link = shop.folder.path("out/report.html")
    try FileManager.default.moveItem(atPath: link, toPath: shop.folder.path("www.html"))
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: shop.folder.path("www.html"))
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link)
        == shop.folder.path("www.html"))
    #expect(
      try PublishTests.table("USD by day and product", in: PublishTests.report(shop)).count == 2)
  }

  @Test func `alone it needs something to write, and something to read`() throws {
    let plain = try Shop()
    try plain.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try plain.run("paidline", "run", plain.pipeline).status == 0)
    let nothing = try plain.run("paidline-publish", plain.pipeline)
    #expect(nothing.status == 78)
    #expect(
      nothing.errors
        == """
        paidline-publish: pipeline.yaml: nothing to publish; give the path of a file under report, \
        datasette_metadata, dbt_sources

        """)
    let early = try Shop(more: "report: out/report.html")
    let unread = try early.run("paidline-publish", early.pipeline)
    #expect(unread.status == 66)
    #expect(unread.errors.contains("nothing is published yet; run `paidline run pipeline.yaml`"))
    #expect(!early.folder.has("out/report.html"))
  }
}
