@testable import PaidAmounts
import PriceLearning
import Testing
import TestSupport

struct PropertyTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `no exact amount is wrong and no bound leaves the truth out`(seed: UInt64) throws {
    let store = SimulatedStore(seed: seed, reportShare: Int(seed % 10) * 10 + 5)
    let story = try Story(store.builder())
    for row in store.rows {
      let amount = try story.amount(row.id)
      let truth = milliunits(row.paid)
      if amount.status == .exact || amount.status == .zeroByRule {
        #expect(amount.paid == truth, "seed \(seed), row \(row.id)")
      }
      if amount.status == .unresolved {
        #expect(amount.low <= truth, "seed \(seed), row \(row.id)")
        #expect(amount.high.map { truth <= $0 } ?? true, "seed \(seed), row \(row.id)")
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a report that arrives later shows an amount within the bounds of before`(seed: UInt64)
    throws
  {
    let store = SimulatedStore(seed: seed, reportShare: 35)
    let before = try Story(store.builder())
    for row in store.rows where !row.isReported {
      let earlier = try before.amount(row.id)
      guard earlier.status == .unresolved else { continue }
      let after = try Story(store.builder { $0.isReported || $0.id == row.id })
      let later = try after.amount(row.id)
      guard later.rule == .reportedWithPurchase, let paid = later.paid else { continue }
      #expect(earlier.low <= paid, "seed \(seed), row \(row.id)")
      #expect(earlier.high.map { paid <= $0 } ?? true, "seed \(seed), row \(row.id)")
    }
  }

  // In addition to the honest customers, one customer in six always reports half the price.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `an honest report more turns no right amount into a wrong exact one`(seed: UInt64) throws {
    let store = SimulatedStore(seed: seed, reportShare: 40)
    func makeStory(_ more: String?) throws -> Story {
      var builder = store.builder { $0.isReported || $0.id == more }
      for row in store.rows where row.customer == "c0" || row.customer == "c1" {
        builder.report(
          at: SimulatedStore.date(row.day), customer: row.customer, naming: row.id,
          storefront: "USA", price: "4.99")
      }
      return try Story(builder)
    }
    for added in store.rows where !added.isReported {
      let story = try makeStory(added.id)
      for row in store.rows {
        let amount = try story.amount(row.id)
        guard amount.status == .exact else { continue }
        #expect(
          amount.paid == milliunits(row.paid), "seed \(seed), row \(row.id), with \(added.id)")
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the order in which anything was told changes no amount`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = SimulatedStore(seed: seed, reportShare: 50)
    var shuffled = store
    shuffled.rows.shuffle(using: &random)
    let one = try Story(store.builder())
    let other = try Story(shuffled.builder())
    for row in store.rows {
      #expect(try one.line(row.id) == other.line(row.id), "seed \(seed), row \(row.id)")
      #expect(
        try one.result.voters(of: one.amount(row.id))
          == other.result.voters(of: other.amount(row.id)),
        "seed \(seed), row \(row.id)")
    }
    #expect(one.regularIntervals() == other.regularIntervals(), "seed \(seed)")
    #expect(one.result.questions == other.result.questions, "seed \(seed)")
  }

  /// Of n honest voters and l voters with one false price, an honest report is compared with n - 1
  /// honest and l false reports; if l ≤ ⅔ n, l is less than n - 1 from n = 4 on.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `two fifths of liars move no amount that an honest report names`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let honest = Int.random(in: 4...12, using: &random)
    let liars = honest * 2 / 3
    let isOneLie = Bool.random(using: &random)
    let lie = Int.random(in: 1...99_999, using: &random)
    var store = StoreBuilder()
    for number in 0..<(honest + liars) {
      let day = SimulatedStore.date(Int.random(in: 0...25, using: &random))
      store.record(
        at: "2022-01-01", customer: "c\(number)", storefront: "USA",
        latest: [
          StoreRow(
            "r\(number)", item: "i\(number)", bought: day, until: "2021-02-28", trial: false,
            intro: false)
        ])
      let claim = isOneLie ? lie : Int.random(in: 1...99_999, using: &random)
      store.report(
        at: day, customer: "c\(number)", naming: "r\(number)", storefront: "USA",
        price: number < honest ? "9.99" : "\(claim / 100).\(claim % 100 / 10)\(claim % 10)")
    }
    let story = try Story(store)
    for number in 0..<honest {
      let line = try story.line("r\(number)")
      // A price that many contradict in the same weeks is not exact.
      #expect(
        ["exact", "derived"].contains { line == "9.99 USD \($0) reported_with_purchase" },
        "seed \(seed), row \(number), lie \(lie)")
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `implausible lies price nobody, not even the liar`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var store = StoreBuilder()
    let honest = Int.random(in: 4...9, using: &random)
    store.votes("9.99", by: (0..<honest).map { "h\($0)" }, at: "2021-01-10", storefront: "USA")
    // At most three of them report the same false price, so no false price is confirmed.
    for number in 0..<3 {
      let lie = Bool.random(using: &random) ? "0.01" : "9990"
      store.months("e\(number)", customer: "e\(number)", storefront: "USA", from: ["2021-01-15"])
      store.report(
        at: "2021-01-15", customer: "e\(number)", naming: "e\(number)1", storefront: "USA",
        price: lie)
    }
    store.months("a", customer: "ann", storefront: "USA", from: ["2021-01-20"])
    let story = try Story(store)
    for id in ["a1", "e01", "e11", "e21"] {
      #expect(try story.line(id) == "9.99 USD inferred price_history", "seed \(seed), row \(id)")
    }
  }

  @Test func `a voter with hundreds of prices is left out of his own references only`() throws {
    // eve reports 300 prices from 100.00; ann and bob agree on 9.99. For eve the reference is 9.99,
    // with two voters. For ann it would be a tie of bob's 9.99 and each of eve's 300 prices, so she
    // has none.
    let story = try Story { store in
      for price in 100..<400 {
        store.report(at: "2022-01-01", customer: "eve", price: "\(price)")
      }
      store.votes("9.99", by: ["ann", "bob"], at: "2022-01-02")
    }
    let references = story.reportVerdicts.map(\.reference)
    #expect(Set(references.prefix(300)) == [milliunits("9.99")])
    #expect(Set(references.suffix(2)) == [nil])
  }
}
