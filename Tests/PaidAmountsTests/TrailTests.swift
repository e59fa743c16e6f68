import CivilTime
@testable import PaidAmounts
import PriceLearning
import PurchaseModel
import Purchases
import Testing
import TestSupport

struct TrailTests {
  @Test func `a trail lists every rule with its candidates and why it passed`() throws {
    let story = try Story { store in
      store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-01", "2022-02-01"])
      store.report(
        at: "2022-01-01", customer: "ann", naming: "a1", storefront: "USA", price: "9.99")
      store.report(
        at: "2022-02-02", customer: "eve", naming: "a2", storefront: "USA", price: "999")
      store.votes("9.99", by: ["x", "y"], at: "2022-01-01", storefront: "USA")
    }
    let trail = try story.trail("a2")
    #expect(trail.steps.map(\.rule) == PriceRule.allCases)
    #expect(
      trail.steps.map(\.outcome) == [
        .passed(.observationsAgree), .passed(.noSignedPrice), .passed(.noProofByReports),
        .passed(.noCorrection), .passed(.notFree), .passed(.notFree), .passed(.noCharge),
        .passed(.namingReportsNotBelieved(count: 1)), .passed(.notAnOffer), .decided, .skipped,
        .skipped, .skipped, .skipped, .skipped, .skipped,
      ])
    // eve's report of 999.00 is a day later, and a hundred times the price.
    let named = try #require(trail.steps[7].candidates.first)
    #expect(named.origin == .report(ReportPosition(1)))
    #expect(named.price == milliunits("999"))
    #expect(story.verdicts[1] == .unitError)
    #expect(named.distance == .days(1))
    // January's row, then the only interval.
    #expect(trail.steps[9].candidates.map(\.origin) == [.row(RowPosition(0)), .interval(0)])
    // A rule that was not applied has no candidates.
    #expect(trail.steps[10...].allSatisfy { $0.candidates.isEmpty })
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a trail ends in the amount that the bulk run books`(seed: UInt64) throws {
    let store = SimulatedStore(seed: seed, reportShare: 40)
    for policy in RenewalPolicy.allCases {
      let story = try Story(store.builder(), policy: policy)
      for row in 0..<story.book.revenueCount {
        let trail = try story.result.evidence.trail(of: row, policy: policy)
        #expect(trail.amount == story.amounts[row], "seed \(seed), row \(row)")
        let decided = trail.steps.filter { $0.outcome == .decided }.map(\.rule)
        #expect(decided == [trail.amount.rule], "seed \(seed), row \(row)")
      }
    }
  }

  @Test func `every rule has a text of its own`() {
    #expect(RuleText.all.map(\.rule) == PriceRule.allCases.map(\.rawValue))
    #expect(Set(RuleText.all.map(\.condition)).count == RuleText.all.count)
    for text in RuleText.all {
      for part in [text.condition, text.result, text.why] {
        #expect(part.hasSuffix("."), "\(text.rule): \(part)")
      }
    }
  }
}

extension Story {
  func trail(_ id: String) throws -> DecisionTrail {
    guard let row = row(id) else { throw UnknownRow(id: id) }
    return try result.evidence.trail(of: row, policy: policy)
  }
}
