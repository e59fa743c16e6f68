internal import Dispatch
internal import Glibc
internal import Synchronization

/// Syncs a file to the disk on a thread of its own while more of it is written.
///
/// So the sync at its end has little left to wait for. The system reports a lost write only once,
/// so a caller that syncs early must check ``failure`` as well.
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

  /// Prepares for a file that stays open.
  ///
  /// - Parameters:
  ///   - step: The number of written bytes after which a sync begins, unless one is still at work.
  ///   - sync: Syncs the file; tells the errno, 0 for success.
  init(step: Int = 32 << 20, sync: @escaping @Sendable () -> Int32) {
    self.step = step
    self.sync = sync
  }

  /// Notes a number of written bytes.
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

  /// The errno of the first sync that failed, 0 if none did; waits for the one at work.
  var failure: Int32 {
    queue.sync {}
    return state.withLock(\.failure)
  }
}
