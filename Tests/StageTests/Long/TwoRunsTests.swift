internal import Foundation
internal import TestSupport
internal import Testing

/// Two runs that start at the same time, and readers during runs.
@Suite(.enabled("make test-slow asks for the long tests") { LongRun.isAsked })
struct TwoRunsTests {
  @Test func `of two runs at once one works and one gets 75, a hundred times`() throws {
    let prepared = try ShopBeforeRun.make(isFirst: true, stage: "paidline-ingest")
    var generator = SeededGenerator(seed: 100)
    var turnedAway = 0
    var killed = 0
    for round in 0..<100 {
      let shop = try ShopBeforeRun.copy(of: prepared.shop)
      let runs = try (0..<2).map { _ in try shop.start("paidline", ["run", shop.pipeline]) }
      // In half of the rounds one run is killed: the next run must be able to get its lock.
      let victim =
        Bool.random(using: &generator) ? runs[Int.random(in: 0...1, using: &generator)] : nil
      if let victim {
        usleep(UInt32.random(in: 0..<prepared.runMicroseconds, using: &generator))
        killed += kill(victim.processIdentifier, SIGKILL) == 0 ? 1 : 0
      }
      for run in runs { run.waitUntilExit() }
      let ends = runs.filter { $0 !== victim }.map(\.terminationStatus)
      #expect(ends.allSatisfy { [0, 75].contains($0) }, "round \(round): \(ends)")
      if victim == nil { #expect(ends.contains(0), "round \(round): \(ends)") }
      turnedAway += ends.count { $0 == 75 }
      try prepared.check(shop, after: "round \(round)")
    }
    #expect(turnedAway > 20 && killed > 20)
    LongRun.report("two runs at once: 100 rounds, \(turnedAway) turned away, \(killed) killed")
  }

  /// Repeatedly compares sums of related tables, each time in one transaction.
  @Test func `a reader never waits, never fails and never sees half a run`() throws {
    let prepared = try ShopBeforeRun.make(isFirst: false, stage: "paidline-ingest")
    let shop = try ShopBeforeRun.copy(of: prepared.shop)
    let query = """
      SELECT
        (SELECT SUM(paid_milli) FROM fct_revenue)
          - (SELECT SUM(amount_milli) FROM fct_revenue_entry WHERE entry_kind = 'charge'),
        (SELECT count(1) FROM fct_revenue)
          - (SELECT count(DISTINCT purchase_key) FROM bridge_transaction_id WHERE purchase_key
            NOT IN (SELECT purchase_key FROM excluded_purchase)),
        (SELECT count(1) FROM fct_revenue WHERE changed_run_id
          > (SELECT MAX(run_id) FROM audit_run)),
        (SELECT MAX(run_id) FROM audit_run)
      """
    let reading = Reading()
    let reader = Thread {
      while !reading.isOver {
        do { reading.add(try shop.rows(query)) } catch { reading.add(["\(error)"]) }
      }
    }
    reader.start()
    for round in 0..<10 {
      let arguments = round == 0 ? [] : ["--full-refresh"]
      let run = try shop.start("paidline", ["run", shop.pipeline] + arguments)
      run.waitUntilExit()
      #expect(run.terminationStatus == 0)
    }
    reading.end()
    let seen = reading.answers
    let torn = seen.filter { !$0.hasPrefix("0|0|0|") }
    #expect(torn.isEmpty, "\(torn.prefix(3))")
    #expect(Set(seen).count > 5, "the reader saw several nights")
    LongRun.report("a reader beside 10 runs: \(seen.count) readings of \(Set(seen).count) versions")
  }

  /// The rows that a reader on another thread has read.
  private final class Reading: @unchecked Sendable {
    private let lock = NSLock()
    private var over = false
    private var all: [String] = []

    var isOver: Bool { lock.withLock { over } }
    var answers: [String] { lock.withLock { all } }
    func end() { lock.withLock { over = true } }
    func add(_ rows: [String]) { lock.withLock { all += rows } }
  }
}
