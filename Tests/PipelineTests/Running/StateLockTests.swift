internal import Diagnostics
internal import Foundation
@testable internal import Pipeline
internal import TestSupport
internal import Testing

struct StateLockTests {
  @Test func `a second run is told who holds the lock, and gets it when the first has ended`()
    throws
  {
    let folder = try TemporaryFolder()
    let state = folder.path("var/state.db")
    do {
      let lock = try StateLock(statePath: state, waitSeconds: 0)
      let failure = #expect(throws: RunFailure.self) {
        _ = try StateLock(statePath: state, waitSeconds: 0)
      }
      #expect(failure?.status == .tryAgain)
      #expect(failure?.message.contains("process \(getpid()), started ") == true)
      withExtendedLifetime(lock) {}
    }
    _ = try StateLock(statePath: state, waitSeconds: 0)
  }

  @Test func `a lock file that is removed or replaced is noticed`() throws {
    let folder = try TemporaryFolder()
    let lock = try StateLock(statePath: folder.path("state.db"), waitSeconds: 0)
    try lock.check()
    try FileManager.default.removeItem(atPath: folder.path(".paidline.lock"))
    #expect(throws: RunFailure.self) { try lock.check() }
    try folder.write(".paidline.lock", "")
    let failure = #expect(throws: RunFailure.self) { try lock.check() }
    #expect(failure?.status == .inputOutput)
  }

  @Test func `a folder that cannot be created is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "x")
    let failure = #expect(throws: RunFailure.self) {
      _ = try StateLock(statePath: folder.path("file/state.db"), waitSeconds: 0)
    }
    #expect(failure?.status == .cannotCreate)
    #expect(failure?.message.contains(folder.path("file")) == true)
  }

  @Test func `a folder in the place of the lock is named, with the remedy`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/.paidline.lock/inside", "x")
    try folder.write("b/target", "")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("b/.paidline.lock"), withDestinationPath: "target")
    for (name, found) in [("a", "a folder"), ("b", "a symbolic link")] {
      let failure = #expect(throws: RunFailure.self) {
        _ = try StateLock(statePath: folder.path("\(name)/state.db"), waitSeconds: 0)
      }
      #expect(failure?.status == .cannotCreate)
      #expect(
        failure?.message == folder.path("\(name)/.paidline.lock") + " is \(found), but the lock "
          + "of the runs must be a regular file; move it away and run again")
    }
  }

  @Test func `a process that has ended is not alive`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    #expect(!LockOwner(processID: process.processIdentifier, start: SystemClock.now).isAlive)
    #expect(LockOwner(processID: getpid(), start: SystemClock.now).isAlive)
  }
}
