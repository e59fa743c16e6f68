@testable internal import AppStoreClient
internal import CivilTime
internal import Testing

private let plan = RetryPlan(attempts: 5, firstWait: .seconds(1))

@Test func `waits double, and jitter takes at most a half away`() {
  for key in (0..<200).map({ [UInt8($0), 7] }) {
    // 1, 2, 4, 8, 16, 32 seconds, then a minute; jitter leaves at least half of each.
    for (attempt, full) in zip(1..., [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      let wait = plan.wait(afterAttempt: attempt, key: key).rawValue
      #expect((Int64(full) / 2...Int64(full)).contains(wait))
    }
  }
}

@Test func `jitter follows from the receipt and the attempt alone, and spreads`() {
  let waits = (0..<100).map { plan.wait(afterAttempt: 3, key: [UInt8($0)]).rawValue }
  #expect(waits == (0..<100).map { plan.wait(afterAttempt: 3, key: [UInt8($0)]).rawValue })
  #expect(Set(waits).count > 80)
  // The hundred waits must be spread over 2 to 4 seconds: no third of that range is empty.
  for third in [2000..<2667, 2667..<3334, 3334..<4001] {
    #expect(waits.contains { third.contains(Int($0)) })
  }
}

@Test func `Apple's own wish is a floor, within the longest wait`() {
  #expect(plan.wait(afterAttempt: 1, key: [1], after: 30) == .seconds(30))
  #expect(plan.wait(afterAttempt: 1, key: [1], after: 1_000_000) == .seconds(60))
  #expect(plan.wait(afterAttempt: 1, key: [1], after: .max) == .seconds(60))
  let usual = plan.wait(afterAttempt: 1, key: [1])
  #expect(plan.wait(afterAttempt: 1, key: [1], after: -5) == usual)
}

@Test func `questions are spread evenly, however many come at once`() {
  var rateLimiter = RateLimiter(perSecond: 4)
  // One request is allowed every 250 milliseconds: the first immediately, the fifth a second later.
  let waits = (0..<5).map { _ in rateLimiter.reserve(now: .seconds(100)).rawValue }
  #expect(waits == [0, 250, 500, 750, 1000])
  // Two seconds later there is nothing to wait for.
  #expect(rateLimiter.reserve(now: .seconds(102)) == .seconds(0))
  #expect(rateLimiter.reserve(now: .seconds(102)) == Milliseconds(250))
}

@Test func `an outage is as many receipts in a row as the patience, or a run in vain`() {
  var watch = OutageDetector(failureLimit: 3)
  #expect(!watch.isUnreachable)
  watch.receiptGivenUp()
  #expect(watch.isUnreachable && !watch.isOut)
  watch.receiptSettled()
  watch.receiptGivenUp()
  watch.receiptGivenUp()
  #expect(!watch.isUnreachable)
  watch.receiptSettled()
  for _ in 0..<3 { watch.receiptGivenUp() }
  #expect(watch.isOut && watch.isUnreachable)
}
