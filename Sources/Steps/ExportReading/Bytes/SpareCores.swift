internal import Synchronization

/// The idle cores of a run, shared by all readers.
///
/// A reader decompresses on a reserved core while it parses on its own core, so that one huge file
/// uses two cores. After decompression the reserved core must be released.
public final class SpareCores: Sendable {
  private let count: Atomic<Int>

  /// Creates a pool with `count` idle cores; a negative number is treated as 0.
  public init(_ count: Int) {
    self.count = Atomic(max(0, count))
  }

  /// Releases a core that was reserved.
  public func give() {
    count.add(1, ordering: .relaxed)
  }

  /// Reserves a core; `false` if none is idle.
  func take() -> Bool {
    var free = count.load(ordering: .relaxed)
    while free > 0 {
      let (isTaken, found) = count.compareExchange(
        expected: free, desired: free - 1, ordering: .relaxed)
      if isTaken { return true }
      free = found
    }
    return false
  }
}
