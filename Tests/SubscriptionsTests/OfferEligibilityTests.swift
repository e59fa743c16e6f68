internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import Testing

struct EligibilityCase: CustomTestStringConvertible {
  var story: String
  /// The customer's chains in the group.
  var chains: [[Row]]
  var states: [State] = []
  var asOf: Int64
  var reason: IntroReason
  var isEligible: Bool?

  var testDescription: String { story }
}

private let reasons: [EligibilityCase] = [
  EligibilityCase(
    story: "a full-price subscription that is over uses up nothing",
    chains: [[.regular(0, 31)]], asOf: 40, reason: .eligible, isEligible: true),
  EligibilityCase(
    story: "a trial is used for ever", chains: [[.trial(0, 7)]], asOf: 900, reason: .usedTrial,
    isEligible: false),
  EligibilityCase(
    story: "a refunded trial was used all the same",
    chains: [[.trial(0, 7).refunded(on: 2)]], asOf: 900, reason: .usedTrial, isEligible: false),
  EligibilityCase(
    story: "a paid introductory price is used for ever", chains: [[.paid(.intro, 0, 31, 1)]],
    asOf: 900, reason: .usedIntro, isEligible: false),
  EligibilityCase(
    story: "no introductory price while a subscription runs", chains: [[.regular(0, 31)]],
    asOf: 30, reason: .active, isEligible: false),
  EligibilityCase(
    story: "a promotional offer is active and no introductory one",
    chains: [[.paid(.promo, 0, 31, 1)]], asOf: 30, reason: .active, isEligible: false),
  EligibilityCase(
    story: "not after a refund in the group", chains: [[.regular(0, 31).refunded(on: 9)]],
    asOf: 40, reason: .refunded, isEligible: false),
  EligibilityCase(
    story: "an upgrade is no refund",
    chains: [[.regular(0, 31).upgraded(on: 3), .regular(3, 34)]], asOf: 40, reason: .eligible,
    isEligible: true),
  EligibilityCase(
    story: "not decided in a grace period", chains: [[.regular(0, 31)]],
    states: [State(on: 31, retry: true, graceEnds: 47)], asOf: 40, reason: .inGracePeriod),
  EligibilityCase(
    story: "decided again in billing retry, when the access is over", chains: [[.regular(0, 31)]],
    states: [State(on: 31, retry: true)], asOf: 40, reason: .eligible, isEligible: true),
  EligibilityCase(
    story: "a trial was used even in a grace period", chains: [[.trial(0, 7), .regular(7, 38)]],
    states: [State(on: 38, retry: true, graceEnds: 54)], asOf: 40, reason: .usedTrial,
    isEligible: false),
  EligibilityCase(
    story: "of two chains the one that rules the offer out decides",
    chains: [[.regular(0, 31)], [.trial(40, 47)]], asOf: 90, reason: .usedTrial,
    isEligible: false),
]

@Test(arguments: reasons)
func `an introductory offer may be shown or not, for a reason`(_ example: EligibilityCase) throws {
  var fixture = ChainFixture()
  for rows in example.chains {
    fixture.add(
      rows.map { row in row.with { $0.group = 7 } }, states: example.states, customer: 3)
  }
  let rows = eligibility(fixture, asOf: example.asOf)
  #expect(rows.count == 1)
  let row = try #require(rows.first)
  #expect(row.introReason == example.reason)
  #expect(row.isIntroEligible == example.isEligible)
  #expect(row.isPromoEligible)
}

@Test func `the cases above name every reason`() {
  #expect(Set(reasons.map(\.reason)) == Set(IntroReason.allCases))
}

@Test func `each customer and each group is judged alone, and only where both are known`() {
  var fixture = ChainFixture()
  fixture.add([Row.regular(0, 31).with { $0.group = 8 }], customer: 2)
  fixture.add([Row.trial(0, 7).with { $0.group = 7 }], customer: 2)
  fixture.add([Row.trial(0, 7).with { $0.group = 8 }], customer: 1)
  fixture.add([Row.trial(0, 7).with { $0.group = 8 }])
  fixture.add([Row.trial(0, 7)], customer: 4)
  let rows = eligibility(fixture, asOf: 100)
  #expect(rows.map(\.customer.symbol.rawValue) == [1, 2, 2])
  #expect(rows.map(\.subscriptionGroupID.symbol.rawValue) == [8, 7, 8])
  #expect(rows.map(\.introReason) == [.usedTrial, .usedTrial, .eligible])
}

private func eligibility(_ fixture: ChainFixture, asOf: Int64) -> [OfferEligibility] {
  let result = subscriptions(
    book: fixture.book, timelines: fixture.timelines, amounts: fixture.amounts, asOf: moment(asOf),
    completeUntil: nil)
  return offerEligibility(
    book: fixture.book, timelines: fixture.timelines, subscriptions: result.subscriptions)
}
