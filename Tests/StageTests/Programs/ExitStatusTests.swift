internal import Foundation
internal import TestSupport
internal import Testing

struct ExitStatusTests {
  private static let truncatedGzip: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0xAE, 0x05,
  ]

  @Test(arguments: [
    ["run", "pipeline.yaml", "--quiet", "--verbose"], ["run", "pipeline.yaml", "--jobs", "0"],
    ["run", "pipeline.yaml", "--jobs", "many"],
    ["frobnicate"], ["run", "pipeline.yaml", "--as-of", "yesterday"],
    ["status", "pipeline.yaml", "--max-age", "36"], ["run", "pipeline.yaml", "--wait", "-1"],
    ["explain", "pipeline.yaml"], ["run", "--accept", "data_test"], ["run", "--look", "-1"],
  ])
  func `a wrong command line is 64`(_ arguments: [String]) throws {
    let shop = try Shop()
    let process = try shop.start("paidline", arguments)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(!shop.folder.has("var"))
  }

  @Test func `a damaged file is 65 in every run until it is replaced, and the others are read`()
    throws
  {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in/b.ndjson.gz", bytes: Self.truncatedGzip)
    for _ in 0..<2 {
      let ending = try shop.run("paidline", "run", shop.pipeline)
      #expect(ending.status == 65)
      #expect(
        ending.errors.contains("refused in/b.ndjson.gz: the gzip data end too early, at byte 13;"))
      #expect(ending.errors.contains("Replace the file, or remove it from the inputs."))
      #expect(!shop.folder.has("out/warehouse.db"))
    }
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect(status.output.contains("\n               refused: in/b.ndjson.gz: "))
    try FileManager.default.removeItem(atPath: shop.folder.path("in/b.ndjson.gz"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
    #expect(
      try shop.rows("SELECT status, records FROM audit_file ORDER BY 1") == ["refused|0", "used|1"])
  }

  @Test func `a refused file that is a warning is named and stops nothing`() throws {
    let shop = try Shop(gates: "{refused_file: warn}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in/b.ndjson.gz", bytes: Self.truncatedGzip)
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0)
    #expect(ending.errors.contains("in/b.ndjson.gz"))
  }

  @Test func `too many rejects are 65 and hold the files until they are accepted`() throws {
    let shop = try Shop(gates: "{rejected_share: {share: 0.3, at_least: 1}}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try shop.folder.write(
      "in/b.ndjson", Export.purchase(1002, day: "2021-01-06") + "{\"broken\n")
    for _ in 0..<2 {
      let ending = try shop.run("paidline", "run", shop.pipeline)
      #expect(ending.status == 65)
      #expect(
        ending.errors.contains(
          "1 of 2 records (50.0 %) of 1 new file of receipts cannot be used. gates.rejected_share "
            + "allows at most 30.0 %, or fewer than 1:\n  in/b.ndjson:2: invalid_json, at byte 8"))
      #expect(ending.errors.contains("accept them for one run with --accept rejected_share."))
      #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
    }
    #expect(
      try shop.run("paidline", "run", shop.pipeline, "--accept=rejected_share,no_usable_record")
        .status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["2"])
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
  }

  @Test func `held files are checked by the gate of the run`() throws {
    let shop = try Shop(gates: "{rejected_share: {share: 0.3, at_least: 1}}")
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06") + "{\"broken\n")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65)
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write("pipeline.yaml", pipeline.replacing("share: 0.3", with: "share: 0.5"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1002"])
  }

  @Test func `a new file without a record is a word, or 65 until it is accepted`() throws {
    let usual = try Shop()
    try usual.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try usual.folder.write("in/empty.ndjson", "\n")
    let ending = try usual.run("paidline", "run", usual.pipeline)
    #expect(ending.status == 0)
    #expect(ending.errors.contains("1 new file without a record:\n  in/empty.ndjson\n"))
    #expect(try usual.run("paidline", "run", usual.pipeline).errors == "", "told once")

    let shop = try Shop(gates: "{empty_file: stop}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in/empty.ndjson", "\n")
    for _ in 0..<2 {
      let ending = try shop.run("paidline", "run", shop.pipeline)
      #expect(ending.status == 65)
      #expect(ending.errors.contains("in/empty.ndjson"))
    }
    #expect(try shop.run("paidline", "run", shop.pipeline, "--accept=empty_file").status == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
  }

  @Test func `a missing input is 66 and named`() throws {
    let shop = try Shop()
    let noInput = try shop.run("paidline", "run", shop.pipeline)
    #expect(noInput.status == 66)
    #expect(noInput.errors.contains("no file matches \"in/*.ndjson*\""))
    #expect(noInput.errors.contains("below in; there is no such folder"))
    try shop.folder.write("in/.hidden", "")
    #expect(
      try shop.run("paidline", "run", shop.pipeline).errors.contains(
        "below in; the folder is empty: does the export exist at this path?"))
    try shop.folder.write("in/a.csv", "")
    #expect(
      try shop.run("paidline", "run", shop.pipeline).errors.contains(
        "below in; the folder holds a.csv"))
    #expect(try shop.run("paidline", "run", "missing.yaml").status == 66)
    #expect(try shop.run("paidline", "explain", shop.pipeline, "1").status == 66)
    #expect(try shop.run("paidline", "check", shop.pipeline).status == 66)
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 66)
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let unknown = try shop.run("paidline", "explain", shop.pipeline, "42")
    #expect(unknown.status == 66)
    #expect(
      unknown.errors
        == "paidline: transaction 42 occurs in no file that was read; check the id, or run the "
        + "pipeline if its export is new\n")
  }

  @Test func `a place that cannot be written is 73`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("out", "a file where a folder belongs")
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 73)
    #expect(ending.errors.contains("out"))
    #expect(try shop.run("paidline", "init", "new").status == 0)
    #expect(try shop.run("paidline", "init", "new").status == 73)
  }

  @Test func `a result that cannot be written is 74, and the facts are published all the same`()
    throws
  {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    for arguments in [["run", "pipeline.yaml", "--table"], ["--help"], ["--version"]] {
      let full = try Shop.writing("/dev/full")
      let process = try shop.start("paidline", arguments, output: full)
      process.waitUntilExit()
      #expect(process.terminationStatus == 74)
    }
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a missing permission is 77`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: shop.folder.path("in/a.ndjson"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 77)
  }

  @Test func `a wrong setting or a foreign database is 78 and stays untouched`() throws {
    let shop = try Shop(more: "colour: blue")
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 78)
    #expect(ending.errors.hasPrefix("paidline: pipeline.yaml:7: unknown key \"colour\""))

    let foreign = try Shop()
    try foreign.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try foreign.folder.write("var/state.db", "somebody's notes")
    #expect(try foreign.run("paidline", "run", foreign.pipeline).status == 78)
    #expect(try foreign.folder.bytes("var/state.db") == Array("somebody's notes".utf8))

    let key = try Shop()
    try key.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try key.folder.write("customer.key", "short")
    #expect(try key.run("paidline", "run", key.pipeline).status == 78)
  }

  @Test(arguments: [
    "paidline run", "paidline status", "paidline-ingest", "paidline-reconstruct",
    "paidline-publish", "paidline-validate",
  ])
  func `too few open files are 74, before any work`(_ command: String) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    for limit in [10, 20, 63] {
      let path = Shop.executables.path
      let ending = try shop.run(
        "/bin/sh", "-c", "ulimit -n \(limit) && exec \(path)/\(command) pipeline.yaml")
      #expect(ending.status == 74, "\(limit): \(ending.errors)")
      #expect(
        ending.errors.contains(
          "only \(limit) files may be open at once, and 64 are needed; allow more with ulimit -n"))
      #expect(!shop.folder.has("var"))
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["paidline run", "paidline-ingest", "paidline-reconstruct", "paidline-validate"])
  func `a limit that allows no thread is 74, and no wait for one`(_ command: String) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    // Each thread gets a stack of 8 GB, and the process has 4 GB of addresses.
    let ending = try shop.run(
      "/bin/bash", "-c",
      "ulimit -s 8000000 -v 4000000 && exec \(Shop.executables.path)/\(command) pipeline.yaml")
    #expect(ending.status == 74)
    #expect(ending.errors.contains("no thread can be started: "))
    #expect(ending.errors.contains("; allow more threads or address space with ulimit -u or -v"))
    #expect(!shop.folder.has("var"))
  }

  @Test func `a broken fact is found by check`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    _ = try shop.run("paidline", "run", shop.pipeline)
    let good = try shop.run("paidline", "check", shop.pipeline)
    #expect(good.status == 0)
    #expect(good.output.contains(#/^All \d+ data tests passed\.\n$/#))
    try shop.change("DELETE FROM fct_revenue_entry")
    let bad = try shop.run("paidline", "check", shop.pipeline)
    #expect(bad.status == 65)
    #expect(bad.output.contains("error: ledger_charge_missing: 1 row,"))
  }

  @Test func `status is 65 when the facts are old`() throws {
    let shop = try Shop(receipts: "in/{date}.ndjson")
    try shop.folder.write("in/2021-01-05.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in/2021-01-08.ndjson", Export.purchase(1002, day: "2021-01-08"))
    _ = try shop.run("paidline", "run", shop.pipeline)
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect(status.status == 0)
    #expect(status.output.contains("2021-01-08; no export for 2021-01-06, 2021-01-07"))
    let old = try shop.run("paidline", "status", shop.pipeline, "--max-age", "36h")
    #expect(old.status == 65)
    #expect(old.errors == "paidline: too old: the newest export is from 2021-01-08\n")
  }
}
