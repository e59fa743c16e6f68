internal import Diagnostics
@testable internal import Pipeline
internal import Testing

/// The gate `rejected_share` with its defaults: more than 1 %, and at least twenty records.
@Suite struct `The gate of rejected records` {
  private let gate = RejectedShareGate(GateRules())

  private func tally(used: Int, rejected: Int, rows: (used: Int, rejected: Int) = (0, 0))
    -> RecordTally
  {
    var tally = RecordTally()
    (tally.used, tally.rejected) = (used, rejected)
    (tally.rows.used, tally.rows.rejected) = (rows.used, rows.rejected)
    return tally
  }

  @Test func `lets a broken line pass in however small a run`() {
    #expect(!gate.isExceeded([tally(used: 39, rejected: 1)]))
    #expect(!gate.isExceeded([tally(used: 1, rejected: 1)]), "one of two is not more than half")
    #expect(!gate.isExceeded([]))
  }

  // 19 of 1,000 are 1.9 %, but fewer than twenty; 20 of 2,000 are exactly 1 %.
  @Test func `trips above a share and a number, both`() {
    #expect(!gate.isExceeded([tally(used: 981, rejected: 19)]))
    #expect(!gate.isExceeded([tally(used: 1980, rejected: 20)]))
    #expect(gate.isExceeded([tally(used: 1979, rejected: 20)]))
  }

  @Test func `counts the files of a run together`() {
    let files = (0..<20).map { _ in tally(used: 50, rejected: 1) }
    #expect(gate.isExceeded(files), "20 of 1,020 are 1.9 %")
    #expect(!gate.isExceeded(Array(files.dropLast())))
  }

  @Test func `trips where more than half of one file is rejected`() {
    #expect(gate.isExceeded([tally(used: 5000, rejected: 0), tally(used: 2, rejected: 3)]))
    #expect(!gate.isExceeded([tally(used: 5000, rejected: 0), tally(used: 3, rejected: 3)]))
  }

  @Test func `judges rows as it judges records`() {
    #expect(!gate.isExceeded([tally(used: 100, rejected: 0, rows: (used: 981, rejected: 19))]))
    #expect(gate.isExceeded([tally(used: 100, rejected: 0, rows: (used: 980, rejected: 20))]))
    #expect(gate.isExceeded([tally(used: 100, rejected: 0, rows: (used: 1, rejected: 2))]))
  }

  @Test func `leaves a file without any usable record to another gate`() {
    #expect(!gate.isExceeded([tally(used: 0, rejected: 500)]))
  }
}

/// The severity of findings, by the pipeline's settings and the operator's choice.
@Suite struct `The bench of gates` {
  private func finding(_ gate: Gate, trips: Bool = true) -> GateFinding {
    var finding = GateFinding(
      gate, [GateFinding.Item(subject: "in/a", found: "1", expected: "0")], message: "what is odd.")
    finding.trips = trips
    finding.remedy = "Mend it."
    return finding
  }

  @Test func `stops, warns or is silent as the pipeline says`() {
    var rules = GateRules()
    rules[.volumeDrop] = .off
    let gatePolicy = GatePolicy(rules: rules, accepted: [])
    let gateResult = gatePolicy.evaluate([
      finding(.refusedFile), finding(.emptyFile), finding(.volumeDrop),
    ])
    #expect(gateResult.outcomes.map(\.severity) == [.stop, .warn])
    #expect(gateResult.stops.map(\.gate) == [.refusedFile])
    #expect(gateResult.warnings.map(\.gate) == [.emptyFile])
  }

  @Test func `publishes what the operator accepts, and remembers that he did`() throws {
    let gatePolicy = GatePolicy(rules: GateRules(), accepted: [.refusedFile])
    let gateResult = gatePolicy.evaluate([finding(.refusedFile), finding(.noUsableRecord)])
    #expect(gateResult.outcomes.map(\.severity) == [.accepted, .stop])
    #expect(gatePolicy.stops(.noUsableRecord) && !gatePolicy.stops(.refusedFile))
  }

  @Test func `stops nothing below its limit`() {
    let gateResult = GatePolicy(rules: GateRules(), accepted: [])
      .evaluate([finding(.rejectedShare, trips: false)])
    #expect(gateResult.outcomes.map(\.severity) == [.warn])
    #expect(gateResult.failure == nil)
  }

  @Test func `says what, the way to fix it, the rows and the page`() throws {
    var stop = finding(.coverageFloor)
    stop.query = GateQuery(database: "var/w.db", sql: "SELECT 1;")
    stop.page = .inputs
    var rules = GateRules()
    rules[.coverageFloor] = .stop
    let failure = try #require(GatePolicy(rules: rules, accepted: []).evaluate([stop]).failure)
    #expect(failure.status == .dataRefused)
    #expect(
      failure.message == """
        what is odd.
        Mend it. If these data are right, accept them for one run with --accept coverage_floor.
        To list the rows, in var/w.db:
          SELECT 1;
        More: Docs/inputs.md.
        Nothing was published.
        """)
  }
}
