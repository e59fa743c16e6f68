internal import Dispatch
internal import Glibc
internal import Synchronization

/// Brings a file to the disk on a thread of its own while more of it is written, so that the sync
/// at its end has little left to wait for.
///
/// The system tells of a lost write once: who syncs early has to ask for ``failure`` as well.
final class EarlySync: Sendable {
  private struct State {
    var unsyncedBytes = 0
    var isSyncing = false
    var failure: Int32 = 0
  }

  private let step: Int
  private let sync: @Sendable () -> Int32
  private let queue = DispatchQueue(label: "paidline.early-sync")
  private let state = Mutex(State())

  /// Makes ready for a file that stays open.
  ///
  /// - Parameters:
  ///   - step: After so many written bytes a sync begins, unless one is still at work.
  ///   - sync: Syncs the file; tells the errno, 0 for success.
  init(step: Int = 32 << 20, sync: @escaping @Sendable () -> Int32) {
    self.step = step
    self.sync = sync
  }

  /// Notes that so many bytes were written.
  func wrote(_ bytes: Int) {
    let begins = state.withLock { state in
      state.unsyncedBytes += bytes
      guard !state.isSyncing, state.unsyncedBytes >= step else { return false }
      state.unsyncedBytes = 0
      state.isSyncing = true
      return true
    }
    guard begins else { return }
    queue.async { [self] in
      let failure = sync()
      state.withLock { state in
        state.isSyncing = false
        if state.failure == 0 { state.failure = failure }
      }
    }
  }

  /// The errno of the first sync that failed, 0 for none; waits for the one at work.
  var failure: Int32 {
    queue.sync {}
    return state.withLock(\.failure)
  }
}
