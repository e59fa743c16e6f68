internal import Diagnostics
internal import Testing

@testable import Pipeline

/// The gate `limits.rejected_share`, at the usual hundredth.
@Suite struct `The gate of rejected records` {
  private let gate = RejectGate(perMillion: 10_000)

  private func tally(used: Int, rejected: Int) -> RecordTally {
    var tally = RecordTally()
    tally.used = used
    tally.rejected = rejected
    return tally
  }

  @Test func `lets one reject in a hundred records pass, and no more`() {
    #expect(!gate.stops(tally(used: 99, rejected: 1)))
    #expect(gate.stops(tally(used: 98, rejected: 1)))
    #expect(!gate.stops(tally(used: 0, rejected: 0)))
  }

  @Test func `says how many of how many`() {
    #expect(
      gate.finding(tally(used: 98, rejected: 2), files: 1)
        == "2 of 100 records of 1 file rejected, 2.0 %")
  }

  @Test func `offers to accept a single reject only where its file is of use`() {
    #expect(gate.isSmallNight([tally(used: 39, rejected: 1)]))
    #expect(!gate.isSmallNight([tally(used: 40, rejected: 0), tally(used: 0, rejected: 1)]))
    #expect(!gate.isSmallNight([tally(used: 100, rejected: 2)]))
  }
}
