internal import Foundation
internal import TestSupport
internal import Testing

/// The order in which data are synced to the disk, recorded by strace.
@Suite(.enabled("strace is not installed") { LongRun.has("strace") })
struct SyncOrderTests {
  /// The system calls of a program on files of the shop, in order: `fsync(out)`, `rename(out/a,
  /// out/b)`.
  private func calls(
    _ names: String, of program: String, in shop: Shop, command: [String] = [],
    _ arguments: [String] = [], status: Int32 = 0, inject: String? = nil
  ) throws -> [String] {
    let ending = try shop.run(
      "/usr/bin/strace",
      arguments: ["-f", "-y", "-qq", "-o", shop.folder.path("trace"), "-e", "trace=\(names)"]
        + (inject.map { ["-e", "inject=\($0)"] } ?? [])
        + [Shop.executables.appendingPathComponent(program).path] + command + [shop.pipeline]
        + arguments)
    try #require(ending.status == status, "\(ending.errors)")
    let trace = try String(contentsOfFile: shop.folder.path("trace"), encoding: .utf8)
    return trace.split(separator: "\n").compactMap { line in
      guard let call = line.firstMatch(of: #/(\w+)\((.*)\) += 0$/#) else { return nil }
      let path = call.2.replacing(shop.folder.path + "/", with: "")
        .replacing(#/[0-9]+</#, with: "").replacing(">", with: "").replacing("\"", with: "")
      return "\(call.1)(\(path))"
    }
  }

  private func shop(_ more: String = "") throws -> Shop {
    let shop = try Shop(more: more)
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    return shop
  }

  @Test func `a new warehouse is synced, named, and its folder synced`() throws {
    let shop = try shop()
    try #require(try shop.run("paidline-ingest", shop.pipeline).status == 0)
    let calls = try calls("fsync,fdatasync,rename", of: "paidline-reconstruct", in: shop)
    let named = try #require(
      calls.firstIndex(of: "rename(out/warehouse.db.building, out/warehouse.db)"))
    try #require(named > 0)
    #expect(calls[named - 1] == "fsync(out/warehouse.db.building)")
    #expect(calls[named + 1] == "fsync(out)")
  }

  @Test func `a report is synced before it takes the place of the old one`() throws {
    let shop = try shop("report: out/report.html")
    try #require(try shop.run("paidline-ingest", shop.pipeline).status == 0)
    try #require(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    let calls = try calls("fsync,rename", of: "paidline-publish", in: shop)
    #expect(
      calls == [
        "fsync(out/.report.html.draft)", "rename(out/.report.html.draft, out/report.html)",
        "fsync(out)",
      ])
  }

  @Test func `an exported table is synced, named, and its folder synced`() throws {
    let shop = try shop()
    try #require(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let calls = try calls(
      "fsync,rename", of: "paidline", in: shop, command: ["export"],
      ["--format", "csv", "--table", "dim_date", "--output", "tables"])
    #expect(
      calls == [
        "fsync(tables/.dim_date.csv.draft)",
        "rename(tables/.dim_date.csv.draft, tables/dim_date.csv)", "fsync(tables)",
      ])
  }

  @Test func `rows that waited in a file are synced before they are committed`() throws {
    let shop = try shop()
    let calls = try calls(
      "fsync,fdatasync", of: "paidline-ingest", in: shop, MemoryTests.scarce)
    let rows = try #require(calls.lastIndex { $0.hasPrefix("fsync(var/state.db-rows") })
    // The commit writes the log's end and syncs it.
    #expect(calls[rows...].contains { $0.hasPrefix("fdatasync(var/state.db-wal") })
  }

  @Test func `rows that the disk has refused meanwhile are not committed`() throws {
    let shop = try shop()
    let calls = try calls(
      "fsync", of: "paidline-ingest", in: shop, MemoryTests.scarce, status: 74,
      inject: "fsync:error=EIO")
    #expect(calls == [])
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect(status.output.contains("0 used"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
  }
}
