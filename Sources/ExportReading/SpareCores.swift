internal import Synchronization

/// The cores that no file is being read on, for all readers of a run.
///
/// A reader that gets one inflates on it while it looks at the text; so one huge file uses two
/// cores. Who takes a core gives it back.
public final class SpareCores: Sendable {
  private let count: Atomic<Int>

  /// So many cores are free.
  public init(_ count: Int) {
    self.count = Atomic(max(0, count))
  }

  /// How many cores are free at this moment.
  public var free: Int { count.load(ordering: .relaxed) }

  /// One more core is free.
  public func give() {
    count.add(1, ordering: .relaxed)
  }

  /// Takes a core; false where none is free.
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
