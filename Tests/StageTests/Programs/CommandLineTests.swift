internal import Foundation
internal import TestSupport
internal import Testing

/// Commands as typed, and the program's messages.
struct CommandLineTests {
  @Test(arguments: [
    ("explian", "there is no command \"explian\"; did you mean \"explain\"?"),
    ("stauts", "there is no command \"stauts\"; did you mean \"status\"?"),
    ("backfil", "there is no command \"backfil\"; did you mean \"backfill\"?"),
    ("shop.yaml", "shop.yaml is a pipeline, not a command; to run it: paidline run shop.yaml"),
  ])
  func `a word that is no command is told what it may have been`(word: String, words: String)
    throws
  {
    let ending = try Shop().run("paidline", word, "pipeline.yaml")
    #expect(ending.status == 64)
    #expect(ending.errors.hasPrefix("paidline: \(words)"), "\(ending.errors)")
  }

  @Test func `a word like no command is told all of them`() throws {
    let ending = try Shop().run("paidline", "frobnicate")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("the commands are run, backfill, "))
  }

  @Test func `the pipeline is pipeline.yaml where none is named`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    for arguments in [
      ["run"], ["status"], ["check"], ["verify"], ["explain", "1001"], ["run", "-n"],
      ["compare-policies"], ["eligibility", "--customer", "c-1"],
      ["export", "--format", "csv", "--table", "revenue_daily"],
    ] {
      let ending = try shop.run(arguments: arguments)
      #expect(ending.status == 0, "\(arguments): \(ending.errors)")
    }
    for program in ["paidline-ingest", "paidline-reconstruct"] {
      #expect(try shop.run(program, arguments: []).status == 0)
    }
    try FileManager.default.moveItem(
      atPath: shop.folder.path("pipeline.yaml"), toPath: shop.folder.path("shop.yaml"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 66)
    #expect(
      ending.errors
        == "paidline: there is no pipeline.yaml in this folder: name a pipeline file, or "
        + "write one with `paidline init .`\n", "\(ending.errors)")
  }

  /// The four names that a Debian package installs.
  @Test func `one executable under four names publishes the facts`() throws {
    let shop = try Shop(more: "report: out/report.html")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    let files = FileManager.default
    let program = shop.folder.path("bin/paidline")
    try files.createDirectory(
      atPath: shop.folder.path("bin"), withIntermediateDirectories: true)
    try files.copyItem(
      atPath: Shop.executables.appendingPathComponent("paidline").path, toPath: program)
    for stage in ["paidline-ingest", "paidline-reconstruct", "paidline-publish"] {
      try files.createSymbolicLink(
        atPath: shop.folder.path("bin/\(stage)"), withDestinationPath: "paidline")
    }
    #expect(try shop.run(program, "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
    #expect(files.fileExists(atPath: shop.folder.path("out/report.html")))
    let ending = try shop.run(shop.folder.path("bin/paidline-ingest"), "--help")
    #expect(ending.output.contains("USAGE: paidline-ingest "), "\(ending.output)")
  }

  @Test func `quiet reports only errors, verbose also good runs`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    #expect(try shop.run("paidline", "run", "-q").errors == "")
    try shop.folder.write(
      "in/b.ndjson", Export.purchase(1002, day: "2021-02-01", customer: "c-2", price: nil))
    let good = try shop.run("paidline", "run", "-v").errors
    #expect(good.contains("read 1 new file: 1 record\n"))
    #expect(good.contains(#/paidline-ingest ended after \d+\.\d s, peak memory so far \d+ MiB/#))
    #expect(!good.contains("_"), "\(good)")  // No key of the JSON log.
    try shop.folder.write("in/c.ndjson", "id\n")
    #expect(try shop.run("paidline", "run", "-q").errors.contains("no record of in/c.ndjson"))
    let both = try shop.run("paidline", "run", "-q", "-v")
    #expect(both.status == 64)
    #expect(both.errors.contains("give only one of --log-level, --quiet and --verbose"))
  }

  @Test func `jobs and dry runs have their letters`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run", "-n").output.contains("A run would read 1 of 1 file"))
    #expect(!shop.folder.has("var/state.db"))
    #expect(try shop.run("paidline", "run", "-j", "1").status == 0)
  }

  @Test func `the help tells which number is taken if none is given`() throws {
    let help = try Shop().run("paidline", "run", "--help").output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("for another run to end; 0 if not given."))
    #expect(help.contains("0 for none, 100 if not given."))
  }

  @Test(arguments: [
    ("--wait", "soon", "--wait <seconds>", "a number of seconds from 0 to 86400", "--wait 600"),
    ("--wait", "90000", "--wait <seconds>", "a number of seconds from 0 to 86400", "--wait 600"),
    ("--look", "all", "--look <records>", "a number of records from 0 to 1000000", "--look 500"),
    (
      "--look", "1000001", "--look <records>", "a number of records from 0 to 1000000",
      "--look 500"
    ),
    ("--jobs", "0", "--jobs <n>", "a number of threads from 1 to 256", "--jobs 2"),
  ])
  func `a number out of bounds is told with what is expected and an example`(
    _ option: String, _ value: String, _ name: String, _ expected: String, _ example: String
  ) throws {
    let ending = try Shop().run("paidline", "run", option, value)
    #expect(ending.status == 64)
    #expect(
      ending.errors.contains(
        "The value '\(value)' is invalid for '\(name)': expected \(expected), such as \(example)"),
      "\(ending.errors)")
  }

  @Test func `lines off the terminal begin with the time`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    try shop.folder.write("said", "")
    let process = try shop.start(
      "paidline", ["run"], errors: try Shop.writing(shop.folder.path("said")))
    process.waitUntilExit()
    let said = String(decoding: try shop.folder.bytes("said"), as: UTF8.self)
    #expect(
      said.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ paidline-reconstruct: warning: 0 of 1/#),
      "\(said)")
  }

  @Test(arguments: ["volume", "rejected_share,", "data_test", ""])
  func `a gate that does not exist is not accepted`(gates: String) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    let ending = try shop.run("paidline", "run", "--accept", gates)
    #expect(ending.status == 64)
    #expect(ending.errors.contains("rejected_share"), "it names those that do: \(ending.errors)")
  }

  @Test func `the sample says its version`() throws {
    let ending = try Shop().run("paidline-sample", "--version")
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("paidline-sample 0."))
  }

  @Test func `a new pipeline has a section of every kind`() throws {
    let shop = try Shop()
    #expect(try shop.run("paidline", "init", "shop").status == 0)
    let text = String(decoding: try shop.folder.bytes("shop/pipeline.yaml"), as: UTF8.self)
    for key in ["gates:", "validate:", "receipt_keys:", "price_keys:", "price_unit:", "metrics:"] {
      #expect(text.contains(key), "\(key)")
    }
  }

  @Test func `machines get an event for each kind of message`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    let ending = try shop.run("paidline", "run", "--log-format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(ending.errors.utf8)) as? [String: Any]
    #expect(object?["event"] as? String == "useless_result")
    #expect(object?["level"] as? String == "warning")
  }
}
