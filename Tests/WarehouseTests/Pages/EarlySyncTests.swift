internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Testing
@testable internal import Warehouse

/// A file that goes to the disk while more of it is written.
struct EarlySyncTests {
  @Test func `a sync begins whenever enough is written`() {
    let syncs = Mutex(0)
    let early = EarlySync(step: 100) {
      syncs.withLock { $0 += 1 }
      return 0
    }
    early.wrote(99)
    #expect(early.failure == 0)
    #expect(syncs.withLock(\.self) == 0)
    early.wrote(1)
    #expect(early.failure == 0)
    #expect(syncs.withLock(\.self) == 1)
    early.wrote(250)
    #expect(early.failure == 0)
    #expect(syncs.withLock(\.self) == 2)
  }

  @Test func `a slow disk has one sync at a time, and gets the next when it is ready`() {
    let syncs = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    let early = EarlySync(step: 100) {
      _ = gate.wait(timeout: .now() + 2)
      syncs.withLock { $0 += 1 }
      return 0
    }
    for _ in 0..<10 { early.wrote(100) }
    gate.signal()
    #expect(early.failure == 0)
    #expect(syncs.withLock(\.self) == 1)
    gate.signal()
    early.wrote(100)
    #expect(early.failure == 0)
    #expect(syncs.withLock(\.self) == 2)
  }

  @Test func `the first failure stays, whatever later syncs say`() {
    let answers = Mutex([EIO, ENOSPC, 0])
    let early = EarlySync(step: 1) { answers.withLock { $0.removeFirst() } }
    for _ in 0..<3 {
      early.wrote(1)
      #expect(early.failure == EIO)
    }
  }
}
