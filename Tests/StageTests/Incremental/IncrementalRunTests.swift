internal import CivilTime
internal import Foundation
internal import GRDB
internal import SampleStore
internal import TestSupport
internal import Testing

/// Compares incremental runs, which decide only the changes, with runs that decide all rows.
struct IncrementalRunTests {
  @Test func `a run decides the changed chains, and those of one in a hundred households`()
    throws
  {
    let runs = try IncrementalShop(seed: 11, customers: 150, days: 300)
    try runs.begin(leaving: 3)
    let said = try runs.run(of: 1)
    let chains = try #require(
      said.firstMatch(of: /decided (\d+) changed chains, and (\d+) unchanged chains as a check/))
    let count = try #require(Int(chains.1)) + #require(Int(chains.2))
    // 150 customers have about as many chains; one record belongs to one or two.
    #expect(count > 0 && count < 40, "\(said)")
    #expect(try runs.hash() == runs.hashOfOneRun())
  }

  @Test(arguments: LongTests.seeds(2, long: 100))
  func `after every run the facts are those of one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let runs = try IncrementalShop(
      seed: seed, customers: Int.random(in: 30...120, using: &random),
      days: Int.random(in: 100...400, using: &random))
    try runs.begin(leaving: Int.random(in: 3...40, using: &random), shuffledBy: &random)
    while runs.hasMore {
      _ = try runs.run(of: Int.random(in: 1...10, using: &random), "--audit-slice", "0")
      #expect(try runs.hash() == runs.hashOfOneRun(), "seed \(seed)")
    }
  }

  @Test(arguments: LongTests.seeds(2, long: 50))
  func `signed prices in several runs give the facts of one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: 1_000 + seed)
    let days = Int.random(in: 100...400, using: &random)
    let runs = try IncrementalShop(
      seed: seed, customers: Int.random(in: 30...120, using: &random), days: days,
      signing: SignedShare(
        perMille: [300, 1_000][Int.random(in: 0...1, using: &random)],
        from: CivilDay(daysSinceEpoch: 18_628 + Int64(days / 3)), keepsReceipts: seed % 2 == 0))
    try runs.begin(leaving: Int.random(in: 3...40, using: &random), shuffledBy: &random)
    var (count, incrementalRuns) = (0, 0)
    while runs.hasMore {
      count += 1
      let said = try runs.run(of: Int.random(in: 1...10, using: &random), "--audit-slice", "0")
      incrementalRuns += said.contains(" changed chains, and ") ? 1 : 0
      #expect(try runs.hash() == runs.hashOfOneRun(), "seed \(seed)")
    }
    // In a store of few customers, a few runs may each change more than a third of the chains.
    #expect(incrementalRuns > 0 || count < 5, "seed \(seed): \(count) runs")
  }

  /// Damages to the tables that a publication keeps for the next run.
  private static let faults = [
    "chain": "UPDATE link SET body = x'ff' WHERE chain_key = (SELECT max(chain_key) FROM link)",
    "report": "UPDATE placed SET body = x'00'",
    "sums": "UPDATE last_publication SET sums = substr(sums, 1, length(sums) - 2)",
    "missing": "DELETE FROM last_publication",
    "of another run": "UPDATE last_publication SET content_digest = 'another'",
    "of other settings": "UPDATE last_publication SET settings = 'others'",
  ]

  @Test(arguments: faults.keys.sorted() + ["of a lost state"])
  func `without the rows of the last publication all chains are decided`(_ fault: String) throws {
    let runs = try IncrementalShop(seed: 12, customers: 60, days: 200)
    try runs.begin(leaving: 4)
    switch fault {
    case "of a lost state":
      // All files are read again. The numbers may now belong to other files and texts.
      _ = try runs.run(of: 1)
      for suffix in ["", "-wal", "-shm"] {
        try FileManager.default.removeItem(
          atPath: runs.shop.folder.path("var/state.db" + suffix))
      }
    default: try runs.changeState(#require(Self.faults[fault]))
    }
    let count = fault == "of a lost state" ? 0 : 1
    #expect(try runs.run(of: count).contains("decided all chains"))
    #expect(try runs.hash() == runs.hashOfOneRun())
    #expect(try runs.run(of: 1).contains(" changed chains, and "))
  }

  /// Whether a path of changes can be interrupted; only debug builds allow it.
  static let hasTestFaults: Bool = {
    #if DEBUG
      true
    #else
      false
    #endif
  }()

  /// Interrupts each path along which changes are followed.
  ///
  /// The results of the previous run then stay, which is wrong.
  @Test(.enabled(if: hasTestFaults), arguments: ["reports", "prices", "judgements", "time"])
  func `a missed dependency is found by checking households without changes`(_ fault: String)
    throws
  {
    var isFound = false
    // An interruption has an effect only if the store has changes of that kind. So several stores
    // are tried.
    for seed in 21...(LongTests.areOn ? 60 : 32) as ClosedRange<UInt64> where !isFound {
      let runs = try IncrementalShop(seed: seed, customers: 60, days: 300)
      try runs.begin(leaving: 60, endingWith: fault == "time" ? "receipts" : "prices")
      for _ in 0..<10 where runs.hasMore && !isFound {
        let before = try runs.hash()
        let ending = try runs.attempt(6, injecting: fault, "--audit-slice", "100")
        guard ending.status != 0 else { continue }
        #expect(ending.status == 70, "\(ending.errors)")
        #expect(
          ending.errors.contains("would change although its inputs did not"), "\(ending.errors)")
        #expect(try runs.hash() == before)
        isFound = true
      }
    }
    #expect(isFound, "\(fault): no run noticed")
  }
}

/// A shop whose exports are the records of a synthetic store; each run gets a few of them.
final class IncrementalShop {
  let shop: Shop
  private let accompanyingFiles: [SampleFile]
  private var waiting: [(kind: String, line: [UInt8])] = []
  private var exported: [(kind: String, line: [UInt8])] = []
  private var number = 0
  private var policy = "history"
  private var erased: [String] = []

  /// Creates a store with a number of customers and days; some of its responses may be signed.
  init(seed: UInt64, customers: Int, days: Int, signing share: SignedShare? = nil) throws {
    let options = SampleOptions(
      customers: customers, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: days,
      files: 4)
    let store: any SyntheticStore =
      if let share { try SignedStore(options, signing: share) } else { SampleStore(options) }
    accompanyingFiles = store.accompanyingFiles().filter {
      $0.name == "catalog.yaml" || $0.name == "signed/root.der"
    }
    shop = try Self.shop(accompanyingFiles)
    for file in 0..<store.exportCount {
      let export = try store.export(file)
      let kind = String(export.name.prefix { $0 != "/" })
      waiting += gunzip(export.bytes).split(separator: UInt8(ascii: "\n")).map { (kind, Array($0)) }
    }
  }

  private static func shop(_ accompanyingFiles: [SampleFile], policy: String = "history") throws
    -> Shop
  {
    let shop = try Shop()
    for file in accompanyingFiles { try shop.folder.write(file.name, bytes: file.bytes) }
    try writePipeline(to: shop, accompanyingFiles, policy: policy)
    return shop
  }

  private static func writePipeline(
    to shop: Shop, _ accompanyingFiles: [SampleFile], policy: String
  ) throws {
    let isSigned = accompanyingFiles.contains { $0.name == "signed/root.der" }
    let signed = """
        signed: ["in/signed-{date}.ndjson.gz"]
        signed_roots: [signed/root.der]

      """
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: ["in/receipts-{date}.ndjson.gz"]
        prices: ["in/prices-{date}.ndjson.gz"]
      \(isSigned ? signed : "")  catalog: catalog.yaml
      gates: {rejected_share: off, no_usable_record: off, volume_drop: off, empty_file: off}
      customer_key_file: customer.key
      renewal_prices: \(policy)
      """)
  }

  /// Changes rows of state.db directly.
  func changeState(_ sql: String) throws {
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { try $0.execute(sql: sql) }
  }

  /// Changes the renewal policy, on which amounts depend.
  func setPolicy(_ policy: String) throws {
    self.policy = policy
    try Self.writePipeline(to: shop, accompanyingFiles, policy: policy)
  }

  /// Runs with some more records; a simulated power failure may end the run.
  func kill(at boundary: Int, of count: Int) throws {
    try export(count)
    _ = try shop.run(
      "paidline", arguments: ["run", shop.pipeline],
      environment: ["PAIDLINE_FAILPOINT": "kill:\(boundary):\(shop.folder.path("boundaries"))"])
    try? FileManager.default.removeItem(atPath: shop.folder.path("boundaries"))
  }

  /// Erases one of the customers in the exports so far.
  func erase(using random: inout SeededGenerator) throws {
    let line = try #require(exported.randomElement(using: &random)).line
    let text = String(decoding: line, as: UTF8.self)
    guard let found = text.firstMatch(of: /"customer_id":"([^"]+)"/) else { return }
    erased.append(String(found.1))
    try Self.erase(erased, in: shop)
  }

  private static func erase(_ ids: [String], in shop: Shop) throws {
    try shop.folder.write("ids.txt", ids.joined(separator: "\n") + "\n")
    let ending = try shop.run(
      "paidline", "erase", shop.pipeline, "--customer-id-file", "ids.txt")
    try #require(ending.status == 0, "\(ending.errors)")
  }

  /// Whether a record is left for another run.
  var hasMore: Bool { !waiting.isEmpty }

  /// Runs for the first time, with all records except a number of them.
  func begin(leaving count: Int, endingWith kind: String? = nil) throws {
    if let kind {
      waiting = waiting.filter { $0.kind != kind } + waiting.filter { $0.kind == kind }
    } else {
      var random = SeededGenerator(seed: 7)
      waiting.shuffle(using: &random)
    }
    _ = try run(of: waiting.count - count)
  }

  /// Runs for the first time, with all records except a number of them, in random order.
  func begin(leaving count: Int, shuffledBy random: inout SeededGenerator) throws {
    waiting.shuffle(using: &random)
    _ = try run(of: waiting.count - count)
  }

  /// Runs with a number of further records.
  ///
  /// - Returns: The messages of the run.
  func run(of count: Int, _ more: String...) throws -> String {
    try export(count)
    let ending = try shop.run(
      "paidline", arguments: ["run", shop.pipeline, "--log-level", "info"] + more)
    try #require(ending.status == 0, "\(ending.errors)")
    return ending.errors
  }

  /// Runs with one path of changes interrupted; the run may fail.
  func attempt(_ count: Int, injecting fault: String, _ more: String...) throws -> Ending {
    try export(count)
    return try shop.run(
      "paidline", arguments: ["run", shop.pipeline] + more,
      environment: ["PAIDLINE_TEST_FAULT": fault])
  }

  private func export(_ count: Int) throws {
    let records = waiting.prefix(count)
    number += 1
    try write(Array(records), to: shop, day: number)
    exported += records
    waiting.removeFirst(records.count)
  }

  private func write(
    _ records: [(kind: String, line: [UInt8])], to shop: Shop, day: Int
  ) throws {
    let date = CivilDay(daysSinceEpoch: 18_000 + Int64(day)).text
    let hasSigned = accompanyingFiles.contains { $0.name == "signed/root.der" }
    for kind in ["receipts", "prices"] + (hasSigned ? ["signed"] : []) {
      let lines = records.filter { $0.kind == kind }.flatMap { $0.line + [UInt8(ascii: "\n")] }
      // A pattern that matches no file is an error, so the first run has an export of each kind.
      guard !lines.isEmpty || day == 1 else { continue }
      try shop.folder.write("in/\(kind)-\(date).ndjson.gz", bytes: gzip(lines))
    }
  }

  /// The digest of the published facts, and the results of the data tests that warn.
  func hash() throws -> [String] { try Self.hash(of: shop) }

  /// The same values after a single run over all exports so far.
  func hashOfOneRun() throws -> [String] {
    let other = try Self.shop(accompanyingFiles, policy: policy)
    try write(exported, to: other, day: 1)
    let ending = try other.run("paidline", "run", "-q")
    try #require(ending.status == 0, "\(ending.errors)")
    if !erased.isEmpty { try Self.erase(erased, in: other) }
    return try Self.hash(of: other)
  }

  private static func hash(of shop: Shop) throws -> [String] {
    let counts = try shop.rows(
      """
      SELECT test || ' ' || failing_rows FROM data_test_result
      WHERE run_id = (SELECT max(run_id) FROM audit_run) AND severity = 'warn' ORDER BY test
      """)
    return [try shop.contentHash() ?? "no digest"] + counts
  }
}
