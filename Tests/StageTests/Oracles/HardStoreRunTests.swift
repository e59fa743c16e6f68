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
    // The seventh column: rows that say `exact` and are wrong.
    #expect(line.split(separator: "|")[6] == " 0 ", "\(scored.output)")
  }
}
