import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Warehouse

/// Pieces that threads finish in any order.
@Suite struct `Handing on in order` {
  @Test(arguments: [(1, 1), (1, 4), (2, 2), (3, 6), (8, 3)])
  func `every piece comes once, in its place, and few wait`(threads: Int, room: Int) {
    let taken = Mutex<[Int]>([])
    let begun = Mutex(0)
    let most = Mutex(0)
    let isBusy = Mutex(false)
    let handover = Handover<Int>(of: 400, room: room) { piece, number in
      #expect(piece == number * number)
      #expect(
        isBusy.withLock { busy in
          defer { busy = true }
          return !busy
        })
      taken.withLock { $0.append(number) }
      let waiting = begun.withLock { $0 } - taken.withLock { $0.count }
      most.withLock { $0 = max($0, waiting) }
      isBusy.withLock { $0 = false }
    }
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      while let number = handover.begin() {
        begun.withLock { $0 += 1 }
        // Pieces take unequally long.
        for _ in 0..<Int.random(in: 0..<2_000, using: &random) { _ = random.next() }
        handover.bring(number * number, number)
      }
    }
    #expect(taken.withLock { $0 } == Array(0..<400))
    // One is just handed on; the others that were begun have room.
    #expect(most.withLock { $0 } < room)
  }

  @Test func `no piece is no reason to wait`() {
    let handover = Handover<Int>(of: 0, room: 1) { _, _ in }
    #expect(handover.begin() == nil)
    #expect(handover.begin() == nil)
  }
}
