internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// Incremental runs in any number and order, with late files and with backfills between them.
struct IncrementalSplitTests {
  @Test(arguments: LongTests.seeds(3, long: 20))
  func `any split into runs and backfills gives the facts of one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let told = try StoreShop(seed: seed)
    var waiting = Array(0..<told.store.exportCount).shuffled(using: &random)
    // A pattern that matches no file is an error, so the first run has an export of each kind.
    let files = told.store.options.files
    try told.export([0, files])
    waiting.removeAll { $0 == 0 || $0 == files }
    try told.run("run")
    while !waiting.isEmpty {
      let count = Int.random(in: 1...8, using: &random)
      try told.export(Array(waiting.prefix(count)))
      waiting.removeFirst(min(count, waiting.count))
      if Bool.random(using: &random) {
        try told.run("run", "--jobs", String(Int.random(in: 1...3, using: &random)))
      } else {
        let (first, last) = told.days
        let half = first.advanced(
          by: (last.daysSinceEpoch - first.daysSinceEpoch) / 2)
        let window = Bool.random(using: &random) ? (first, half) : (first, last)
        try told.run(
          "backfill", "--from", window.0.text, "--through", window.1.text, "--step-bytes",
          String(Int.random(in: 1...20_000, using: &random)))
      }
    }
    try told.run("run")
    #expect(try told.shop.contentHash() == told.hashOfOneRun(), "seed \(seed)")
    try told.run("verify", "--full")
  }
}
