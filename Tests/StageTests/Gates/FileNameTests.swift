internal import Foundation
internal import TestSupport
internal import Testing

/// Files have names in the pipeline's folder, wherever a run is started.
struct FileNameTests {
  /// Runs `paidline` in a folder below the shop's, or in any other.
  private func paidline(_ shop: Shop, in folder: String, _ arguments: String...) throws -> Ending {
    try shop.run(
      "/usr/bin/env",
      arguments: ["-C", folder, Shop.executables.appendingPathComponent("paidline").path]
        + arguments)
  }

  /// A shop whose pipeline stands in a folder `shop`, and whose exports stand beside and below it.
  private func shop(_ inputs: String) throws -> Shop {
    let shop = try Shop()
    try shop.folder.write("shop/customer.key", String(repeating: "k", count: 32))
    try shop.folder.write(
      "shop/pipeline.yaml",
      """
      state: ../var/state.db
      warehouse: ../out/warehouse.db
      inputs:
        receipts: [\(inputs)]
      customer_key_file: customer.key
      """)
    return shop
  }

  @Test func `a file has one name, from whichever folder it was first read`() throws {
    let shop = try shop(#""./in/*.ndjson", "../beside/*/r.ndjson""#)
    let root = shop.folder.path
    try shop.folder.write("beside/x/r.ndjson", Export.purchase(1004, day: "2021-01-05"))
    try shop.folder.write("shop/in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try paidline(shop, in: root + "/shop", "run").status == 0)
    try shop.folder.write("shop/in/b.ndjson", Export.purchase(1002, day: "2021-01-05"))
    #expect(try paidline(shop, in: root, "run", "shop/pipeline.yaml").status == 0)
    try shop.folder.write("shop/in/c.ndjson", Export.purchase(1003, day: "2021-01-05"))
    #expect(try paidline(shop, in: "/", "run", root + "/shop/pipeline.yaml").status == 0)
    try shop.folder.write("beside/y/r.ndjson", Export.purchase(1005, day: "2021-01-05"))
    #expect(try paidline(shop, in: root + "/beside", "run", "../shop/pipeline.yaml").status == 0)
    try FileManager.default.createSymbolicLink(
      atPath: root + "/beside/link", withDestinationPath: "../shop")
    try shop.folder.write("shop/in/d.ndjson", Export.purchase(1006, day: "2021-01-05"))
    #expect(try paidline(shop, in: root, "run", "beside/link/pipeline.yaml").status == 0)
    #expect(
      try shop.rows("SELECT name FROM audit_file ORDER BY 1") == [
        "../beside/x/r.ndjson", "../beside/y/r.ndjson", "in/a.ndjson", "in/b.ndjson", "in/c.ndjson",
        "in/d.ndjson",
      ])
    let explained = try paidline(shop, in: "/", "explain", root + "/shop/pipeline.yaml", "1001")
    #expect(explained.output.contains("in/a.ndjson:1"), "\(explained)")
    #expect(
      try paidline(shop, in: "/", "verify", root + "/shop/pipeline.yaml", "--full").status == 0)
  }

  @Test func `a file is forgotten by its name or by its path, in every folder`() throws {
    let shop = try shop(#""in/*.ndjson""#)
    let root = shop.folder.path
    try shop.folder.write("shop/in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try paidline(shop, in: root, "run", "shop/pipeline.yaml").status == 0)
    for name in ["in/a.ndjson", "shop/in/a.ndjson", root + "/shop/in/a.ndjson"] {
      let ending = try paidline(
        shop, in: root, "forget", "shop/pipeline.yaml", "--dry-run", "--file", name)
      #expect(ending.output.contains("would be forgotten: in/a.ndjson"), "\(ending)")
    }
    // Content that was not read yet is at the path: the name means two contents.
    try shop.folder.write("shop/in/a.ndjson", Export.purchase(1002, day: "2021-01-05"))
    for folder in ["/", root + "/shop"] {
      let ending = try paidline(
        shop, in: folder, "forget", root + "/shop/pipeline.yaml", "--file", "in/a.ndjson")
      #expect(ending.status == 64, "\(ending)")
      #expect(ending.errors.contains("(now at this path)"), "\(ending)")
    }
  }

  @Test func `what was refused in one folder is told in another`() throws {
    let shop = try shop(#""in/*.ndjson""#)
    let root = shop.folder.path
    try shop.folder.write("shop/in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("shop/in/b.ndjson", "{broken\n")
    #expect(try paidline(shop, in: root + "/shop", "run").status == 65)
    for (folder, pipeline) in [
      (root + "/shop", "pipeline.yaml"), (root, "shop/pipeline.yaml"),
      ("/", root + "/shop/pipeline.yaml"),
    ] {
      let status = try paidline(shop, in: folder, "status", pipeline)
      // The run stopped, so that the good file waits, too.
      #expect(status.output.contains("2 held"), "\(folder): \(status)")
      let run = try paidline(shop, in: folder, "run", pipeline)
      #expect(run.errors.contains("no record of in/b.ndjson can be used"), "\(folder): \(run)")
    }
  }

  @Test func `a table that replaces does so from any folder, and only its own path`() throws {
    let shop = try shop(#"{files: "**/all.ndjson", replaces: true}"#)
    let root = shop.folder.path
    try shop.folder.write("shop/all.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("shop/old/all.ndjson", Export.purchase(1002, day: "2021-01-05"))
    #expect(try paidline(shop, in: root + "/shop", "run").status == 0)
    let ids = "SELECT transaction_id FROM fct_revenue ORDER BY 1"
    #expect(try shop.rows(ids) == ["1001", "1002"])
    try shop.folder.write("shop/all.ndjson", Export.purchase(1003, day: "2021-01-06"))
    #expect(try paidline(shop, in: "/", "run", root + "/shop/pipeline.yaml").status == 0)
    #expect(try shop.rows(ids) == ["1002", "1003"])
    // The pattern is written in another way; the files are the same.
    let pipeline = String(decoding: try shop.folder.bytes("shop/pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "shop/pipeline.yaml", pipeline.replacing("\"**/", with: "\"\(root)/shop/**/"))
    try shop.folder.write("shop/all.ndjson", Export.purchase(1004, day: "2021-01-06"))
    #expect(try paidline(shop, in: root, "run", "shop/pipeline.yaml").status == 0)
    #expect(try shop.rows(ids) == ["1002", "1004"])
  }
}
