internal import Dispatch
internal import Synchronization

/// A reorder buffer: several threads finish pieces of work in any order, and it passes them on in
/// the order of their numbers.
///
/// No thread waits for its turn. The thread that finishes the next piece in order passes it on and
/// drains the finished successors; every other thread leaves its piece and goes on working. A thread
/// that begins a piece while too many are buffered waits until one is passed on. The next piece in
/// order was begun before, so that there always is one.
final class Handover<Piece: Sendable>: Sendable {
  private struct State {
    var begun = 0
    var next = 0
    var pieces: [Int: Piece] = [:]
    var isBusy = false
  }

  private let count: Int
  private let take: @Sendable (Piece, Int) -> Void
  private let room: DispatchSemaphore
  private let state = Mutex(State())

  /// Hands on so many pieces, of which so many may be begun and not yet handed on; `take` is called
  /// for one after another, by any thread.
  init(of count: Int, room: Int, take: @escaping @Sendable (Piece, Int) -> Void) {
    self.count = count
    self.take = take
    self.room = DispatchSemaphore(value: room)
  }

  /// The number of a piece that nobody has begun, as soon as there is room; `nil` after the last.
  func begin() -> Int? {
    room.wait()
    let number = state.withLock { state -> Int? in
      guard state.begun < count else { return nil }
      state.begun += 1
      return state.begun - 1
    }
    if number == nil { room.signal() }
    return number
  }

  /// Brings a piece that was begun.
  func bring(_ piece: Piece, _ number: Int) {
    state.withLock { $0.pieces[number] = piece }
    while let (piece, number) = claimNext() {
      take(piece, number)
      state.withLock { $0.isBusy = false }
      room.signal()
    }
  }

  /// The piece that comes next, if it is there and nobody hands anything on.
  private func claimNext() -> (Piece, Int)? {
    state.withLock { state in
      guard !state.isBusy, let piece = state.pieces.removeValue(forKey: state.next) else {
        return nil
      }
      state.isBusy = true
      state.next += 1
      return (piece, state.next - 1)
    }
  }
}
