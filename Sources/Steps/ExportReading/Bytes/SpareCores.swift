internal import Synchronization

/// The cores on which no file is being read, for all readers of a run.
///
/// A reader that gets one inflates on it while it looks at the text, so that one huge file uses two
/// cores. A reader that reserves a core must give it back.
public final class SpareCores: Sendable {
  private let count: Atomic<Int>

  /// A number of free cores.
  public init(_ count: Int) {
    self.count = Atomic(max(0, count))
  }

  /// One more core is free.
  public func give() {
    count.add(1, ordering: .relaxed)
  }

  /// Reserves a core; `false` if none is free.
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
