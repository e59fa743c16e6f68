internal import TestSupport
internal import Testing

/// Runs hard stores with their own pipelines, as `make bench-truth` does.
struct HardStoreRunTests {
  @Test func `a hard store runs by its own pipeline, and is scored`() throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample", "hard-movers-1", "--hard", "movers", "--customers", "40")
    #expect(made.status == 0, "\(made.errors)")
    let scored = try shop.run("paidline-bench", "truth", "hard-movers-1")
    #expect(scored.status == 0, "\(scored.errors)")
    let line = try #require(scored.output.split(separator: "\n").last)
    #expect(line.hasPrefix("| movers |"), "\(scored.output)")
    // The seventh column: rows that are `exact` but wrong.
    #expect(line.split(separator: "|")[6] == " 0 ", "\(scored.output)")
  }

  @Test(arguments: ["1", "2"])  // the table of charges as JSON, and as CSV
  func `charges of three kinds are read by the pipeline of their store`(_ seed: String) throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample", "hard-1", "--hard", "decoded,charges,webhooks", "--customers", "40",
      "--seed", seed)
    #expect(made.status == 0, "\(made.errors)")
    let run = try shop.run("paidline", "run", "hard-1/pipeline.yaml", "-q")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: ["fetched.yaml", "fetched-last-month.yaml"])
  func `a store in which everything happens at once runs with the list of App Store Connect`(
    _ list: String
  ) throws {
    let shop = try Shop()
    let made = try shop.run("paidline-sample", "hard-1", "--hard", "all", "--customers", "60")
    #expect(made.status == 0, "\(made.errors)")
    let pipeline = String(
      decoding: try shop.folder.bytes("hard-1/pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "hard-1/pipeline.yaml",
      pipeline.replacing("catalog: catalog.yaml", with: "catalog: [\(list), catalog.yaml]"))
    let run = try shop.run("paidline", "run", "hard-1/pipeline.yaml", "-q")
    #expect(run.status == 0, "\(run.errors)")
  }
}
