internal import Subscriptions
internal import Testing

/// A chain, the newest snapshot of it, and what is known of its end.
struct UnseenCase: CustomTestStringConvertible {
  var story: String
  var rows: [Row]
  var states: [State] = []
  /// The day of the newest snapshot.
  var seen: Int64
  var asOf: Int64 = 60
  /// The day until which the exports are complete; `nil` if no day is complete.
  var complete: Int64? = 50
  var status: SubscriptionStatus
  /// The day until which the chain counts as not seen; `nil` if its end was seen.
  var until: Int64?

  var testDescription: String { story }
}

// A month's row of 31 days counts as unseen for 31 + 60 days.
let unseenEnds: [UnseenCase] = [
  UnseenCase(
    story: "nobody has asked since the end", rows: [.regular(0, 31)], seen: 5, status: .notSeen,
    until: 122),
  UnseenCase(
    story: "a snapshot after the end shows no renewal", rows: [.regular(0, 31)], seen: 32,
    status: .expired),
  UnseenCase(
    story: "a snapshot at the end itself has seen it", rows: [.regular(0, 31)], seen: 31,
    status: .expired),
  UnseenCase(
    story: "auto-renewal was off", rows: [.regular(0, 31)],
    states: [State(on: 5, renews: false)], seen: 5, status: .expired),
  UnseenCase(
    story: "auto-renewal was off and is on again", rows: [.regular(0, 31)],
    states: [State(on: 5, renews: false), State(on: 9, renews: true)], seen: 9, status: .notSeen,
    until: 122),
  UnseenCase(
    story: "the end is not in the days that the exports cover", rows: [.regular(0, 31)], seen: 5,
    complete: 31, status: .expired),
  UnseenCase(
    story: "no day is complete", rows: [.regular(0, 31)], seen: 5, complete: nil,
    status: .expired),
  UnseenCase(
    story: "the row still runs", rows: [.regular(40, 71)], seen: 40, status: .active),
  UnseenCase(
    story: "a trial at which nobody has looked since", rows: [.trial(0, 7)], seen: 1,
    status: .notSeen, until: 74),
  UnseenCase(
    story: "a period and 60 days after the end it is expired", rows: [.regular(0, 31)], seen: 5,
    asOf: 122, complete: 121, status: .expired, until: 122),
  UnseenCase(
    story: "the day before, it is not", rows: [.regular(0, 31)], seen: 5, asOf: 121,
    complete: 121, status: .notSeen, until: 122),
  UnseenCase(
    story: "a refund is seen", rows: [.regular(0, 31).refunded(on: 9)], seen: 10,
    status: .revoked),
]

@Test(arguments: unseenEnds)
func `an end that nobody has looked at is no end`(_ example: UnseenCase) throws {
  var chains = ChainFixture()
  chains.add(example.rows, states: example.states, seen: example.seen)
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts,
    asOf: moment(example.asOf), completeUntil: example.complete.map(moment))
  let subscription = try #require(result.subscriptions.first)
  #expect(subscription.status == example.status)
  #expect(subscription.unseenUntil == example.until.map(moment))
  #expect(subscription.seenThroughAt == example.until.map { _ in moment(example.seen) })
}

@Test(arguments: [(seen: 3, isMature: false), (seen: 8, isMature: true)])
func `an offer that nobody has looked at since stays pending`(seen: Int64, isMature: Bool) throws {
  var chains = ChainFixture()
  chains.add([.trial(0, 7)], seen: seen)
  chains.offers([(chain: 0, rows: 0..<1)])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts,
    asOf: moment(300), completeUntil: moment(299))
  let conversion = try #require(result.conversions.first)
  #expect(conversion.status == (isMature ? .lapsed : .pending))
  #expect(conversion.isMature == isMature)
}

@Test func `an offer with a later row is decided, whoever looked at the end of that row`() throws {
  var chains = ChainFixture()
  chains.add([.trial(0, 7), .regular(100, 131).with { $0.spell = 2 }], seen: 101)
  chains.offers([(chain: 0, rows: 0..<1)])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts,
    asOf: moment(140), completeUntil: moment(139))
  #expect(result.conversions.first?.status == .lapsed)
  #expect(result.subscriptions.first?.status == .notSeen)
}

/// A run of later exports decides a chain again once its end can become an unseen one.
@Test(arguments: [
  (complete: Int64?.some(31), next: Int64?.some(31)), (complete: 30, next: 31),
  (complete: 32, next: 122), (complete: nil, next: 122),
])
func `an end beyond the complete days is news until they reach it`(
  complete: Int64?, next: Int64?
) {
  var chains = ChainFixture()
  chains.add([.regular(0, 31)], seen: 5)
  let moments = nextChanges(
    book: chains.book, timelines: chains.timelines, asOf: moment(33),
    completeUntil: complete.map(moment))
  #expect(moments.first == next.map(moment))
}
