internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// Incremental runs in any number and order, with late files and with backfills between them.
struct IncrementalSplitTests {
  @Test(arguments: LongTests.seeds(3, long: 20))
  func `any split into runs and backfills gives the facts of one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let generated = try StoreShop(seed: seed)
    var waiting = Array(0..<generated.store.exportCount).shuffled(using: &random)
    // A pattern that matches no file is an error, so the first run has an export of each kind.
    let files = generated.store.options.files
    try generated.export([0, files])
    waiting.removeAll { $0 == 0 || $0 == files }
    try generated.run("run")
    while !waiting.isEmpty {
      let count = Int.random(in: 1...8, using: &random)
      try generated.export(Array(waiting.prefix(count)))
      waiting.removeFirst(min(count, waiting.count))
      if Bool.random(using: &random) {
        try generated.run("run", "--jobs", String(Int.random(in: 1...3, using: &random)))
      } else {
        let (first, last) = generated.days
        let half = first.advanced(
          by: (last.daysSinceEpoch - first.daysSinceEpoch) / 2)
        let window = Bool.random(using: &random) ? (first, half) : (first, last)
        try generated.run(
          "backfill", "--from", window.0.text, "--through", window.1.text, "--step-bytes",
          String(Int.random(in: 1...20_000, using: &random)))
      }
    }
    try generated.run("run")
    #expect(try generated.shop.contentHash() == generated.hashOfOneRun(), "seed \(seed)")
    #expect(
      try generated.shop.rows(
        """
        SELECT
          price_coverage_bp IS 10000 * count(paid_milli) / count(1),
          exact_bp IS 10000 * sum(price_status = 'exact') / count(1)
        FROM fct_revenue, (SELECT * FROM audit_run ORDER BY run_id DESC LIMIT 1)
        WHERE price_status <> 'zero_by_rule'
        """) == ["1|1"], "seed \(seed)")
    try generated.run("verify", "--full")
  }
}
