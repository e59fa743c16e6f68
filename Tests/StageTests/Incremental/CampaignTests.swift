internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// Random stores in random runs, with random events between them.
///
/// Whatever happens, the facts are those of one run over everything, in the middle and at the end.
struct CampaignTests {
  /// An event before a run.
  private enum Event: CaseIterable {
    case nothing, kill, erasure, lostPublication, lostState, otherPolicy

    /// Whether all keys have changed for the next run.
    var changesAll: Bool { [.lostPublication, .lostState, .otherPolicy].contains(self) }
  }

  /// A store whose kind is determined by the seed: plain, with signed prices, or with Apple's
  /// reports of a friendly or a hard store.
  private static func store(_ seed: UInt64, _ random: inout SeededGenerator) throws
    -> any SyntheticStore
  {
    let days = Int.random(in: 60...240, using: &random)
    var options = SampleOptions(
      customers: Int.random(in: 20...60, using: &random), seed: seed,
      firstDay: CivilDay(daysSinceEpoch: 18_628), days: days, files: 4)
    let missing = Int.random(in: 0...50, using: &random)
    let faults: [AppleReportFault] = [
      .otherApps, .missingDays, .deleted, .doubled, .prices, .monster,
    ]
    switch seed % 4 {
    case 1:
      let share = SignedShare(
        perMille: [300, 1_000][Int.random(in: 0...1, using: &random)],
        from: CivilDay(daysSinceEpoch: 18_628 + Int64(days / 3)), keepsReceipts: seed % 8 == 1)
      return try SignedStore(options, signing: share)
    case 2:
      options.files = Int.random(in: 20...60, using: &random)
      return AppleReportStore(
        options, faults: seed % 8 == 2 ? faults : [], missingPerMille: missing)
    case 3:
      options.files = Int.random(in: 20...60, using: &random)
      options.firstDay = CivilDay(daysSinceEpoch: 18_993)
      return AppleReportStore(
        options, [.movers, .extensions, .sales, .storefrontPrices], faults: faults,
        missingPerMille: missing)
    default: return SampleStore(options)
    }
  }

  private static func happen(
    _ event: Event, to runs: inout GrowingShop, _ random: inout SeededGenerator
  ) throws {
    switch event {
    case .nothing: break
    case .kill: try runs.kill(at: Int.random(in: 1...60, using: &random), of: 2)
    case .erasure: try runs.erase(using: &random)
    case .lostPublication: try runs.changeState("DELETE FROM last_publication")
    case .lostState: try runs.loseState()
    case .otherPolicy:
      let policies = ["history", "as_purchased", "as_current"]
      try runs.setPolicy(#require(policies.randomElement(using: &random)))
    }
  }

  /// Whether the shares of the last run are those of its rows.
  private static let coverage = """
    SELECT price_coverage_bp IS 10000 * count(paid_milli) / count(1),
      exact_bp IS 10000 * sum(price_status = 'exact') / count(1)
    FROM fct_revenue, (SELECT * FROM audit_run ORDER BY run_id DESC LIMIT 1)
    WHERE COALESCE(paid_milli, 1) > 0
    """

  @Test(.timeLimit(.minutes(30)), arguments: LongTests.seeds(4, long: 200))
  func `whatever happens between runs, the facts are those of one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: 5_000 + seed)
    var runs = try GrowingShop(Self.store(seed, &random))
    let count = Int.random(in: 8...24, using: &random)
    runs.shuffle(using: &random)
    try runs.begin(leaving: count)
    let middle = Int.random(in: 1..<count, using: &random)
    var isBeforeMiddle = true
    var (happened, calmRuns, runsOfNews) = ([String](), 0, 0)
    while runs.waitingCount > 0 {
      let event = try #require(Event.allCases.randomElement(using: &random))
      try Self.happen(event, to: &runs, &random)
      let next = Int.random(in: 1...8, using: &random)
      if Int.random(in: 1...4, using: &random) == 1 {
        happened.append("\(event), backfill")
        try runs.backfill(of: next, stepBytes: Int.random(in: 1...20_000, using: &random))
      } else {
        let jobs = String(Int.random(in: 1...3, using: &random))
        happened.append("\(event), run")
        let messages = try runs.run(of: next, "--audit-slice", "0", "--jobs", jobs)
        calmRuns += event.changesAll ? 0 : 1
        runsOfNews += messages.contains(" changed chains, and ") ? 1 : 0
      }
      if isBeforeMiddle, runs.waitingCount <= middle {
        isBeforeMiddle = false
        #expect(try runs.published() == runs.publishedByOneRun(), "seed \(seed): \(happened)")
      }
    }
    #expect(try runs.published() == runs.publishedByOneRun(), "seed \(seed): \(happened)")
    // In a store of few customers, a few runs may each change more than a third of the chains.
    #expect(runsOfNews > 0 || calmRuns < 5, "seed \(seed): \(calmRuns) runs")
    #expect(try runs.shop.rows(Self.coverage) == ["1|1"], "seed \(seed)")
    let verified = try runs.shop.run("paidline", "verify", runs.shop.pipeline, "--full")
    #expect(verified.status == 0, "seed \(seed): \(verified.output)")
  }
}
