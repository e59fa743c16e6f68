internal import Diagnostics
internal import Testing

@testable import Pipeline

/// The gate `limits.rejected_share`, at the usual hundredth.
@Suite struct `The gate of rejected records` {
  private let gate = RejectGate(perMillion: 10_000)

  private func file(used: Int, rejected: Int, bytes: Int64) -> InputAccount {
    var tally = RecordTally()
    tally.used = used
    tally.rejected = rejected
    return InputAccount(tally: tally, bytes: bytes)
  }

  @Test func `lets one reject in a hundred records pass, and no more`() {
    #expect(gate.finding([file(used: 99, rejected: 1, bytes: 1000)]) == nil)
    #expect(
      gate.finding([file(used: 98, rejected: 1, bytes: 1000)])
        == .records(rejected: 1, of: 99))
    #expect(gate.finding([]) == nil)
    #expect(gate.finding([file(used: 0, rejected: 0, bytes: 0)]) == nil)
  }

  // A whole export in one object is one record of 751: 0.13 %. Its bytes are half of all.
  @Test func `counts the bytes of a file without one usable record`() throws {
    let files = [
      file(used: 750, rejected: 0, bytes: 100_000), file(used: 0, rejected: 1, bytes: 100_000),
    ]
    let finding = try #require(gate.finding(files))
    #expect(finding == .bytes(barrenFiles: 1, barren: 100_000, of: 200_000))
    #expect(
      finding.text(files: 2)
        == "no record of 1 file could be used, 50.0 % of the bytes of 2 files")
  }

  // One answer of 150 bytes among 20,000 of a hundred files is 0.75 %.
  @Test func `lets a small file that is one bad answer pass`() {
    let good = (0..<100).map { _ in file(used: 1, rejected: 0, bytes: 200) }
    #expect(gate.finding(good + [file(used: 0, rejected: 1, bytes: 150)]) == nil)
    #expect(gate.finding(good + [file(used: 0, rejected: 1, bytes: 210)]) != nil)
  }

  @Test func `offers to accept a single reject only where its file is of use`() {
    #expect(gate.isSmallNight([file(used: 39, rejected: 1, bytes: 1000)]))
    #expect(
      !gate.isSmallNight([
        file(used: 40, rejected: 0, bytes: 1), file(used: 0, rejected: 1, bytes: 1),
      ]))
    #expect(!gate.isSmallNight([file(used: 100, rejected: 2, bytes: 1000)]))
  }

  @Test func `does not lose count of very large files`() {
    let vast = Int64.max / 4
    #expect(
      gate.finding([
        file(used: 9_999, rejected: 0, bytes: vast), file(used: 0, rejected: 1, bytes: vast),
      ])
        != nil)
  }
}
