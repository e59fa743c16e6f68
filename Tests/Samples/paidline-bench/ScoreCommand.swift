internal import ArgumentParser
internal import CivilTime
internal import Foundation
internal import SampleStore

/// Measures one run over a synthetic store, and compares its facts with the truth.
struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Runs a pipeline over a store that paidline-sample wrote, and prints the figures.",
    discussion: """
      Removes the store's databases first. The options must be those the store was written with.

      EXAMPLE
        paidline-bench score store --customers 15000 --files 8
      """)

  @Argument(help: "The folder that paidline-sample wrote.")
  var folder: String
  @Option(help: "How many customers the store has.") var customers = 15_000
  @Option(help: "The seed of every choice.") var seed: UInt64 = 1
  @Option(help: "How many days the store lives.") var days = 730
  @Option(help: "Export files of receipts, and as many of prices.") var files = 8
  @Option(help: "How many files are read at once.") var jobs: Int?

  func run() throws {
    try? FileManager.default.removeItem(atPath: "\(folder)/var")
    let measured = try MeasuredRun(pipeline: "\(folder)/pipeline.yaml", jobs: jobs)
    let day = CivilDay(daysSinceEpoch: 18_628)  // 2021-01-01, as paidline-sample begins.
    let store = SampleStore(
      SampleOptions(customers: customers, seed: seed, firstDay: day, days: days, files: files))
    let facts = try PublishedFacts(warehouse: "\(folder)/var/warehouse.db")
    let score = TruthScore(store.truth, purchases: facts.purchases, offers: facts.offers)
    print(measured.text)
    print(Self.text(score, facts: facts))
    for example in score.examples { print("  \(example)") }
    let statusScore = StatusScore(
      store.truth, subscriptions: facts.subscriptions, eligibility: facts.eligibility,
      chainsOf: facts.chains)
    print(Self.text(statusScore))
    for example in statusScore.examples { print("  \(example)") }
  }

  private static func text(_ score: StatusScore) -> String {
    """
    status  \(score.subscriptionsRight) of \(score.subscriptions) subscriptions right, \
    \(score.subscriptionsUnexpected) unexpected; \(score.eligibilitiesRight) of \
    \(score.eligibilities) answers about offers right, \(score.eligibilitiesUnexpected) unexpected
    """
  }

  private static func text(_ score: TruthScore, facts: PublishedFacts) -> String {
    """
    truth   \(score.purchases) purchases: \(score.right) right, \(score.wrong) wrong \
    (\(score.wrongButExact) of them exact), \(score.unresolved) unresolved \
    (\(score.outOfBounds) out of bounds), \(score.missing) missing, \(score.unexpected) unexpected
            \(score.resolvableRight) of \(score.resolvable) resolvable amounts right, \
    \(AccuracyTable.percent(score.resolvableRightBasisPoints))
            \(score.offersRight) of \(score.offers) offers right, \(score.offersUnexpected) unexpected
    facts   \(facts.contentDigest)
    """
  }
}
