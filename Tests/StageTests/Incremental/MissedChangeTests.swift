internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// A run decides what has changed; what it leaves out is found.
struct MissedChangeTests {
  private static func options(_ seed: UInt64, customers: Int, days: Int) -> SampleOptions {
    SampleOptions(
      customers: customers, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: days,
      files: 4)
  }

  @Test func `a run decides the changed chains, and those of one in a hundred households`()
    throws
  {
    var random = SeededGenerator(seed: 7)
    var runs = try GrowingShop(SampleStore(Self.options(11, customers: 150, days: 300)))
    runs.shuffle(using: &random)
    try runs.begin(leaving: 3)
    let said = try runs.run(of: 1)
    let chains = try #require(
      said.firstMatch(of: /decided (\d+) changed chains, and (\d+) unchanged chains as a check/))
    let count = try #require(Int(chains.1)) + #require(Int(chains.2))
    // 150 customers have about as many chains; one record belongs to one or two. Chains that ended
    // after the last complete day are decided again, until the exports cover their end.
    #expect(count > 0 && count < 75, "\(said)")
  }

  // MARK: - A lost or damaged last publication

  /// A shop that waits for its second run, and the facts after that run.
  private static let published = Result {
    var random = SeededGenerator(seed: 7)
    var runs = try GrowingShop(SampleStore(options(12, customers: 60, days: 200)))
    runs.shuffle(using: &random)
    try runs.begin(leaving: 4)
    var second = try runs.copy()
    _ = try second.run(of: 1)
    return (runs, try second.publishedByOneRun())
  }

  /// Damages to the tables that a publication keeps for the next run.
  private static let damages = [
    "chain": "UPDATE link SET body = x'ff' WHERE chain_key = (SELECT max(chain_key) FROM link)",
    "report": "UPDATE placed SET body = x'00'",
    "sums": "UPDATE last_publication SET sums = substr(sums, 1, length(sums) - 2)",
    "missing": "DELETE FROM last_publication",
    "of another run": "UPDATE last_publication SET content_digest = 'another'",
    "of other settings": "UPDATE last_publication SET settings = 'others'",
  ]

  @Test(arguments: damages.keys.sorted() + ["of a lost state"])
  func `without the rows of the last publication all chains are decided`(_ damage: String)
    throws
  {
    let (before, facts) = try Self.published.get()
    var runs = try before.copy()
    if let sql = Self.damages[damage] {
      try runs.changeState(sql)
    } else {
      // All files are read again. The numbers may now belong to other files and texts.
      _ = try runs.run(of: 1)
      try runs.loseState()
    }
    let count = Self.damages[damage] == nil ? 0 : 1
    #expect(try runs.run(of: count).contains("decided all chains"))
    #expect(try runs.published() == facts)
    #expect(try runs.run(of: 1).contains(" changed chains, and "))
  }

  // MARK: - A missed dependency

  /// Whether a path of changes can be interrupted; only debug builds allow it.
  static let hasTestFaults: Bool = {
    #if DEBUG
      true
    #else
      false
    #endif
  }()

  /// A path of changes that can be interrupted, and a store with changes of that kind.
  struct Path: Sendable, CustomTestStringConvertible {
    var fault: String
    /// The folder whose items come last.
    var last: String
    /// The seed of a store in which a run notices the interruption.
    var seed: UInt64
    var testDescription: String { fault }
  }

  static let paths = [
    Path(fault: "reports", last: "prices", seed: 21),
    Path(fault: "prices", last: "prices", seed: 103),
    Path(fault: "reportVerdicts", last: "prices", seed: 103),
    Path(fault: "time", last: "receipts", seed: 21),
    Path(fault: "cells", last: "apple", seed: 1),
  ]

  /// Interrupts each path along which changes are followed.
  ///
  /// The results of the previous run then stay, which is wrong.
  @Test(.enabled(if: hasTestFaults), arguments: paths)
  func `a missed dependency is found by checking households without changes`(_ path: Path)
    throws
  {
    var isFound = false
    // An interruption has an effect only if the store has changes of that kind. Long runs try
    // several stores.
    for seed in [path.seed] + (LongTests.areOn ? Array(101...140) : []) where !isFound {
      let options = Self.options(seed, customers: 60, days: 300)
      var runs: GrowingShop
      if path.last == "apple" {
        var random = SeededGenerator(seed: seed)
        runs = try GrowingShop(AppleReportStore(options))
        runs.shuffle(using: &random)
      } else {
        runs = try GrowingShop(SampleStore(options))
      }
      try runs.begin(leaving: 60, ofFolder: path.last)
      for _ in 0..<10 where !isFound {
        let before = try runs.published()
        let ending = try runs.attempt(6, injecting: path.fault)
        guard ending.status != 0 else { continue }
        #expect(ending.status == 70, "\(ending.errors)")
        #expect(
          ending.errors.contains("would change although its inputs did not"), "\(ending.errors)")
        #expect(try runs.published() == before)
        isFound = true
        LongRun.report("a missed dependency, \(path.fault): noticed with seed \(seed)")
      }
    }
    #expect(isFound, "\(path.fault): no run noticed")
  }
}
