internal import Foundation
internal import TestSupport
internal import Testing

/// Outputs never overwrite an input or a database, not even through a symbolic link.
struct OutputPathTests {
  private func shop(_ more: String) throws -> Shop {
    let shop = try Shop(more: more)
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    return shop
  }

  private func link(_ name: String, to target: String, in shop: Shop) throws {
    try FileManager.default.createSymbolicLink(
      atPath: shop.folder.path(name), withDestinationPath: shop.folder.path(target))
  }

  @Test(arguments: ["metrics", "report", "datasette_metadata"])
  func `an output through a link onto an export is refused`(key: String) throws {
    let shop = try shop("\(key): out.txt")
    try link("out.txt", to: "in/a.ndjson", in: shop)
    let before = try shop.folder.bytes("in/a.ndjson")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 78)
    #expect(
      ending.errors.contains(
        "expected \(key) to be a file other than the inputs in/*.ndjson*"), "\(ending.errors)")
    #expect(try shop.folder.bytes("in/a.ndjson") == before)
  }

  @Test func `an output in a linked folder, onto a database, is refused`() throws {
    let shop = try shop("metrics: other/state.db")
    #expect(try shop.run("paidline", "status").status == 66)
    try FileManager.default.createDirectory(
      atPath: shop.folder.path("var"), withIntermediateDirectories: true)
    try link("other", to: "var", in: shop)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 78)
    #expect(ending.errors.contains("to be a file other than state"), "\(ending.errors)")
  }

  @Test func `an output that a pattern would read as an input is refused`() throws {
    let ending = try shop("metrics: in/m.ndjson.prom").run("paidline", "run")
    #expect(ending.status == 78)
  }
}
