@testable internal import Pipeline
@testable import StateStore
internal import CivilTime
internal import Testing

@Suite struct `A fault that stands` {
  private let throttle = WarningThrottle(
    stage: "ingest", repeatsAll: false, now: Instant(milliseconds: 1_000_000_000_000))

  private func found(_ duration: GateFinding.Duration) -> WarningThrottle.Found {
    WarningThrottle.Found(fault: "f", message: "m", duration: duration)
  }

  private func known(daysAgo days: Int64) -> StandingFault {
    let time = throttle.now.advanced(by: .days(-days))
    return StandingFault(stage: "ingest", fault: "f", message: "old", since: time, loggedAt: time)
  }

  @Test func `is reported in the first run and weekly`() {
    let first = throttle.decide([found(.standing)], known: [])
    #expect(first.printed.count == 1 && first.kept.map(\.since) == [throttle.now])
    for days: Int64 in 1...6 {
      let quiet = throttle.decide([found(.standing)], known: [known(daysAgo: days)])
      #expect(quiet.printed.isEmpty, "\(days) days")
      #expect(quiet.kept.map(\.since) == [known(daysAgo: days).since])
      #expect(quiet.kept.map(\.message) == ["m"], "in tonight's words")
    }
    let week = throttle.decide([found(.standing)], known: [known(daysAgo: 7)])
    #expect(week.printed.count == 1 && week.kept[0].loggedAt == throttle.now)
  }

  @Test func `is said once for all where once is enough`() {
    #expect(throttle.decide([found(.onceForAll)], known: []).printed.count == 1)
    #expect(throttle.decide([found(.onceForAll)], known: [known(daysAgo: 900)]).printed.isEmpty)
  }

  @Test func `prints a transient fault in every run`() {
    let finding = throttle.decide([found(.transient)], known: [known(daysAgo: 1)])
    #expect(finding.printed.count == 1 && finding.kept.isEmpty)
  }

  @Test func `is said again when it comes back, when the clock was set back, and on demand`() {
    #expect(throttle.decide([], known: [known(daysAgo: 1)]).kept.isEmpty)
    #expect(throttle.decide([found(.standing)], known: [known(daysAgo: -400)]).printed.count == 1)
    let all = WarningThrottle(stage: "ingest", repeatsAll: true, now: throttle.now)
    #expect(all.decide([found(.standing)], known: [known(daysAgo: 1)]).printed.count == 1)
    let other = WarningThrottle(stage: "reconstruct", repeatsAll: false, now: throttle.now)
    #expect(other.decide([found(.standing)], known: [known(daysAgo: 1)]).printed.count == 1)
  }

  @Test func `is kept once where it is found twice, and apart from another stage's`() {
    let twice = throttle.decide([found(.standing), found(.standing)], known: [])
    #expect(twice.printed.count == 1 && twice.kept.count == 1)
    let other = StandingFault(
      stage: "reconstruct", fault: "f", message: "m", since: throttle.now, loggedAt: throttle.now)
    #expect(throttle.decide([found(.standing)], known: [other]).printed.count == 1)
  }

  @Test func `is one message where only a name differs`() {
    func missing(_ day: Int, _ kind: String = "receipts") -> WarningThrottle.Found {
      WarningThrottle.Found(
        fault: "\(kind) \(day)", message: "no \(kind) for day \(day), it says",
        duration: .onceForAll,
        entry: "day \(day)")
    }
    let finding = WarningThrottle.Found(fault: "x", message: "day 1", duration: .transient)
    #expect(
      WarningThrottle.merged([missing(1), finding, missing(2), missing(1, "prices"), missing(3)])
        .map(\.message) == [
          "no receipts for day 1, day 2, day 3, it says", "day 1", "no prices for day 1, it says",
        ])
    #expect(
      WarningThrottle.merged((1...12).map { missing($0) }).map(\.message) == [
        "no receipts for day 1, day 2, day 3, day 4, day 5, day 6, day 7, day 8, day 9, day 10 and 2 "
          + "more, it says"
      ])
  }
}
