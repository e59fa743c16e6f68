@testable import StateStore
import CivilTime
import Testing

@Suite struct `The run ledger` {
  @Test func `tells how each run ended, and which was killed`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    let first = try state.beginRun(
      RunRecord(
        kind: "run", startedAt: Instant(milliseconds: 1000), programVersion: "0.1.0",
        rulesVersion: "3", asOf: Instant(milliseconds: 500)))
    try state.finishRun(first, at: Instant(milliseconds: 2000), exitStatus: 0)
    let second = try state.beginRun(.sample)
    try state.finishRun(
      second, at: Instant(milliseconds: 4000), exitStatus: 65, asOf: Instant(milliseconds: 7),
      message: "too many rejects")
    _ = try state.beginRun(.sample)
    let runs = try state.runs()
    #expect(runs.map(\.id) == [1, 2, 3])
    #expect(runs.map(\.status) == [.succeeded, .failed, .running])
    #expect(runs.map(\.exitStatus) == [0, 65, nil])
    #expect(runs[0].startedAt == Instant(milliseconds: 1000))
    #expect(runs[0].finishedAt == Instant(milliseconds: 2000))
    #expect(runs[0].asOf == Instant(milliseconds: 500))
    #expect(runs[0].programVersion == "0.1.0")
    #expect(runs[0].rulesVersion == "3")
    #expect(runs[1].asOf == Instant(milliseconds: 7))
    #expect(runs[1].message == "too many rejects")
    #expect(runs[2].finishedAt == nil)
    #expect(try state.generation() == 0)
  }

  @Test func `and settings outlive the run that made them`() throws {
    let folder = try StateFolder()
    try folder.open().set("1", for: "key")
    let state = try folder.open()
    #expect(try state.setting("key") == "1")
    try state.set("2", for: "key")
    #expect(try state.setting("key") == "2")
    try state.set(nil, for: "key")
    #expect(try state.setting("key") == nil)
  }
}
