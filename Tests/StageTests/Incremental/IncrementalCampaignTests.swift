internal import CivilTime
internal import SampleStore
internal import TestSupport
internal import Testing

/// Random stores in random runs, with random events between them: a killed run, erased customers, a
/// lost publication, changed settings.
struct IncrementalCampaignTests {
  /// An event before an incremental run.
  private enum Event: CaseIterable {
    case nothing, kill, erasure, lostPublication, otherPolicy
  }

  @Test(arguments: LongTests.seeds(2, long: 100))
  func `whatever happens between runs, the facts are those of one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: 5_000 + seed)
    let days = Int.random(in: 60...300, using: &random)
    let signed = SignedShare(
      perMille: 300, from: CivilDay(daysSinceEpoch: 18_628 + Int64(days / 2)), keepsReceipts: true)
    let runs = try IncrementalShop(
      seed: seed, customers: Int.random(in: 20...60, using: &random), days: days,
      signing: seed % 3 == 0 ? signed : nil)
    try runs.begin(leaving: Int.random(in: 8...30, using: &random), shuffledBy: &random)
    var happened: [String] = []
    while runs.hasMore {
      let event = try #require(Event.allCases.randomElement(using: &random))
      happened.append("\(event)")
      switch event {
      case .nothing: break
      case .kill:
        try runs.kill(at: Int.random(in: 1...60, using: &random), of: 2)
      case .erasure: try runs.erase(using: &random)
      case .lostPublication:
        try runs.changeState("DELETE FROM last_publication")
      case .otherPolicy:
        let policies = ["history", "as_purchased", "as_current"]
        try runs.setPolicy(#require(policies.randomElement(using: &random)))
      }
      _ = try runs.run(of: Int.random(in: 1...8, using: &random), "--audit-slice", "0")
      #expect(try runs.hash() == runs.hashOfOneRun(), "seed \(seed): \(happened)")
    }
  }
}
