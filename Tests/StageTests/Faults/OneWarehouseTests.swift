internal import Foundation
internal import TestSupport
internal import Testing

/// Two pipelines with separate state folders and one warehouse.
///
/// Also files left behind by a reader and by a killed run.
struct OneWarehouseTests {
  /// A shop with a second pipeline that has its own state and exports.
  private func twoPipelines() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in2/b.ndjson", Export.purchase(1002, day: "2021-01-06"))
    try shop.folder.write(
      "second.yaml",
      """
      state: var2/state.db
      warehouse: out/warehouse.db
      inputs: {receipts: ["in2/*.ndjson"]}
      customer_key_file: customer.key
      """)
    return shop
  }

  /// Locks a file of the shop as another run would, until the descriptor is closed.
  private func hold(_ file: String, in shop: Shop) throws -> Int32 {
    let descriptor = unsafe open(shop.folder.path(file), O_RDONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return descriptor
  }

  @Test(arguments: [false, true])
  func `a run that finds another one publishing is 75 and changes nothing, or waits`(
    exists: Bool
  ) throws {
    let shop = try twoPipelines()
    if exists { #expect(try shop.run("paidline", "run", shop.pipeline).status == 0) }
    try shop.folder.write("out/.keep", "")
    let file = exists ? "out/warehouse.db" : "out/warehouse.db.building"
    let holder = try hold(file, in: shop)
    let ending = try shop.run("paidline", "run", "second.yaml")
    #expect(ending.status == 75)
    #expect(
      ending.errors.contains("another run publishes to out/warehouse.db and has locked \(file)"))
    #expect(shop.folder.has("out/warehouse.db") == exists)
    let errors = shop.folder.path("errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let waiting = try shop.start(
      "paidline", ["run", "second.yaml", "--wait", "60"], errors: try Shop.writing(errors))
    usleep(300_000)
    #expect(waiting.isRunning)
    close(holder)
    waiting.waitUntilExit()
    let said = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(waiting.terminationStatus == 0, "\(said)")
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1002"])
    #expect(!shop.folder.has("out/warehouse.db.building"))
  }

  @Test func `two first runs at once publish one after the other, whole`() throws {
    for _ in 0..<3 {
      let shop = try twoPipelines()
      let runs = try [shop.pipeline, "second.yaml"].map {
        try shop.start("paidline", ["run", $0, "--wait", "60"])
      }
      for run in runs { run.waitUntilExit() }
      #expect(runs.map(\.terminationStatus) == [0, 0])
      let ids = try shop.rows("SELECT transaction_id FROM fct_revenue")
      #expect(ids == ["1001"] || ids == ["1002"])
      #expect(try shop.rows("SELECT run_id FROM audit_run ORDER BY 1") == ["1", "2"])
      #expect(try shop.rows("PRAGMA integrity_check") == ["ok"])
      for pipeline in [shop.pipeline, "second.yaml"] {
        #expect(try shop.run("paidline", "run", pipeline).status == 0)
        let own = pipeline == shop.pipeline ? "1001" : "1002"
        #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == [own])
      }
    }
  }

  @Test func `the draft of a killed first run is told by status, and removed by the next run`()
    throws
  {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try shop.folder.write("out/warehouse.db.building", "half a warehouse")
    let line = "\nLeft behind    16 bytes of a warehouse that a killed run began"
    #expect(try shop.run("paidline", "status", shop.pipeline).output.contains(line))
    #expect(
      try shop.run("paidline", "status", shop.pipeline, "--json").output.contains(
        "\"unfinished_bytes\": 16"))
    // The run removes the unfinished warehouse although there is no new input.
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(!shop.folder.has("out/warehouse.db.building"))
    #expect(!(try shop.run("paidline", "status", shop.pipeline).output.contains("Left behind")))
  }
}
