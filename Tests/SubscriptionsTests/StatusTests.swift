internal import CivilTime
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import Testing

struct StatusCase: CustomTestStringConvertible {
  var story: String
  var rows: [Row]
  var states: [State] = []
  var asOf: Int64
  var status: SubscriptionStatus
  var expires: Int64

  var testDescription: String { story }
}

private let statuses: [StatusCase] = [
  StatusCase(
    story: "within a trial", rows: [.trial(0, 7)], asOf: 6, status: .trial, expires: 7),
  StatusCase(
    story: "the end itself is outside", rows: [.trial(0, 7)], asOf: 7, status: .expired,
    expires: 7),
  StatusCase(
    story: "within a paid introductory period", rows: [.paid(.intro, 0, 31, 1)], asOf: 6,
    status: .intro, expires: 31),
  StatusCase(
    story: "within a promotional offer", rows: [.regular(0, 31), .paid(.promo, 31, 60, 5)],
    asOf: 40, status: .promo, expires: 60),
  StatusCase(
    story: "under an offer code", rows: [.paid(.offerCode, 0, 31, nil)], asOf: 6, status: .promo,
    expires: 31),
  StatusCase(
    story: "within a regular period", rows: [.trial(0, 7), .regular(7, 38)], asOf: 7,
    status: .active, expires: 38),
  StatusCase(
    story: "auto-renew off is still active", rows: [.regular(0, 31)],
    states: [State(on: 5, renews: false)], asOf: 6, status: .active, expires: 31),
  StatusCase(
    story: "a renewal charged before its period begins does not end the trial",
    rows: [.trial(0, 7), .regular(7, 38)], asOf: 6, status: .trial, expires: 38),
  StatusCase(
    story: "a renewal that begins after the moment counts where nothing covers it",
    rows: [.trial(0, 7), .regular(9, 40)], asOf: 8, status: .active, expires: 40),
  StatusCase(
    story: "over, and nothing more is known", rows: [.regular(0, 31)], asOf: 31,
    status: .expired, expires: 31),
  StatusCase(
    story: "a grace period counts as access", rows: [.regular(0, 31)],
    states: [State(on: 31, retry: true, graceEnds: 47)], asOf: 46, status: .grace, expires: 31),
  StatusCase(
    story: "after the grace period Apple still tries to charge", rows: [.regular(0, 31)],
    states: [State(on: 31, retry: true, graceEnds: 47)], asOf: 47, status: .billingRetry,
    expires: 31),
  StatusCase(
    story: "without a grace period retry begins at the end", rows: [.regular(0, 31)],
    states: [State(on: 31, retry: true)], asOf: 31, status: .billingRetry, expires: 31),
  StatusCase(
    story: "Apple gives up after 60 days, even if no later snapshot says so",
    rows: [.regular(0, 31)], states: [State(on: 31, retry: true)], asOf: 91, status: .expired,
    expires: 31),
  StatusCase(
    story: "the newest state says that Apple gave up", rows: [.regular(0, 31)],
    states: [State(on: 31, retry: true), State(on: 40, renews: false, retry: false)], asOf: 40,
    status: .expired, expires: 31),
  StatusCase(
    story: "a state older than the newest row says nothing about its end",
    rows: [.regular(0, 31), .regular(35, 66)], states: [State(on: 32, retry: true)], asOf: 66,
    status: .expired, expires: 66),
  StatusCase(
    story: "a state that a newer snapshot repeats says something about the newest row's end",
    rows: [.regular(0, 31), .regular(35, 66)],
    states: [State(on: 32, seenUntil: 67, retry: true)], asOf: 68, status: .billingRetry,
    expires: 66),
  StatusCase(
    story: "a recovered renewal is active", rows: [.regular(0, 31), .regular(35, 66)],
    states: [State(on: 32, retry: true)], asOf: 40, status: .active, expires: 66),
  StatusCase(
    story: "a refunded row gives no access", rows: [.regular(0, 31).refunded(on: 9)], asOf: 10,
    status: .revoked, expires: 9),
  StatusCase(
    story: "a refund is no grace period", rows: [.regular(0, 31).refunded(on: 9)],
    states: [State(on: 31, retry: true, graceEnds: 47)], asOf: 40, status: .revoked, expires: 9),
  StatusCase(
    story: "a refund of an old row leaves the newest one standing",
    rows: [.regular(0, 31).refunded(on: 35), .regular(31, 60)], asOf: 40, status: .active,
    expires: 60),
  StatusCase(
    story: "an older row that still runs gives access although the newest was refunded",
    rows: [.regular(0, 365), .regular(20, 51).refunded(on: 25)], asOf: 30, status: .active,
    expires: 365),
  StatusCase(
    story: "an upgraded row follows its successor",
    rows: [.trial(0, 31).upgraded(on: 3), .regular(3, 34)], asOf: 4, status: .active,
    expires: 34),
  StatusCase(
    story: "an upgraded row whose successor was refunded gives no access",
    rows: [.regular(0, 365).upgraded(on: 3), .regular(3, 34).refunded(on: 5)], asOf: 6,
    status: .revoked, expires: 5),
  StatusCase(
    story: "an upgraded row without a known successor runs to its own end",
    rows: [.regular(0, 31).upgraded(on: 31)], asOf: 20, status: .active, expires: 31),
]

@Test(arguments: statuses)
func `a subscription is what its rows and its newest state say`(_ example: StatusCase) throws {
  var chains = ChainFixture()
  chains.add(example.rows, states: example.states)
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts,
    asOf: moment(example.asOf), completeUntil: nil)
  let subscription = try #require(result.subscriptions.first)
  #expect(subscription.status == example.status)
  #expect(subscription.expiresAt == moment(example.expires))
}

@Test func `the cases above name every status`() {
  #expect(
    Set(statuses.map(\.status)).union(unseenEnds.map(\.status))
      == Set(SubscriptionStatus.allCases))
}

@Test func `a subscription tells its firsts, its spells and its newest product and group`() throws {
  var chains = ChainFixture()
  chains.add(
    [
      .trial(0, 7).with { $0.group = 5 },
      .regular(7, 38, paid: nil).with { $0.group = 6 },
      .regular(200, 231).of(product: 2).with { $0.spell = 2 },
    ], states: [State(on: 3), State(on: 201)])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: moment(210),
    completeUntil: nil)
  let subscription = try #require(result.subscriptions.first)
  #expect(subscription.firstStartedAt == moment(0))
  #expect(subscription.firstTrialAt == moment(0))
  #expect(subscription.firstPaidAt == moment(7))
  #expect(subscription.currentProductID == ProductID(Symbol(rawValue: 2)))
  #expect(subscription.subscriptionGroupID == SubscriptionGroupID(Symbol(rawValue: 6)))
  #expect(subscription.spells == 2)
  #expect(subscription.paidCount == 2)
  #expect(subscription.renewalState == 1)
}

@Test func `a purchase that does not renew is no subscription`() {
  let coins = Row.paid(.oneTime, 0, 0, 3).with { $0.isSubscription = false }
  let chains = ChainFixture([[coins], [.regular(0, 31)]])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: moment(1),
    completeUntil: nil)
  #expect(result.subscriptions.map(\.chain.index) == [1])
  #expect(result.paidNumbers == [1, 1])
}

@Test func `nothing leads to nothing`() {
  let chains = ChainFixture()
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: .epoch,
    completeUntil: nil)
  #expect(result.subscriptions.isEmpty && result.conversions.isEmpty && result.paidNumbers.isEmpty)
}
