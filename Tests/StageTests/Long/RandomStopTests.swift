internal import Foundation
internal import TestSupport
internal import Testing

/// Signals at random times.
@Suite(.enabled("make test-slow asks for the long tests") { LongRun.isAsked }, .serialized)
struct RandomStopTests {
  @Test(arguments: zip([SIGTERM, SIGINT], [143, 130] as [Int32]))
  func `fifty signals at random moments end a run in time, and the next run goes on`(
    _ signal: Int32, _ status: Int32
  ) throws {
    let prepared = try ShopBeforeRun.make(isFirst: false, stage: "paidline-ingest")
    var generator = SeededGenerator(seed: UInt64(signal))
    var delays: [Double] = []
    var stopped = 0
    for round in 0..<50 {
      let shop = try ShopBeforeRun.copy(of: prepared.shop)
      let run = try shop.start("paidline", ["run", shop.pipeline])
      usleep(UInt32.random(in: 0..<prepared.runMicroseconds, using: &generator))
      let start = Date()
      kill(run.processIdentifier, signal)
      run.waitUntilExit()
      delays.append(Date().timeIntervalSince(start))
      // A signal that arrives before the program has installed its handler kills the program. It
      // must leave as few files behind as after a stop.
      let isDeath = run.terminationReason == .uncaughtSignal && run.terminationStatus == signal
      let isStop = run.terminationReason == .exit && run.terminationStatus == status
      #expect(isDeath || isStop || run.terminationStatus == 0, "round \(round)")
      stopped += isStop ? 1 : 0
      try prepared.check(shop, after: "round \(round)")
    }
    delays.sort()
    #expect(stopped > 10)
    #expect(delays[47] < 2, "95 of 100 within two seconds")
    #expect(delays[49] < 5, "none above five")
    LongRun.report(
      "\(signal == SIGTERM ? "SIGTERM" : "SIGINT") at 50 random moments: \(stopped) stopped a run, "
        + "the slowest after \(Int(delays[49] * 1000)) ms")
  }
}
