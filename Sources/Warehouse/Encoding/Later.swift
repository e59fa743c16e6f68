internal import Dispatch
internal import Synchronization

/// A value that some thread computes before it is asked for.
final class Later<Value: Sendable>: Sendable {
  private let make: @Sendable () throws -> Value
  private let result = Mutex<Result<Value, any Error>?>(nil)

  /// Tells how the value is computed.
  init(_ make: @escaping @Sendable () throws -> Value) {
    self.make = make
  }

  /// Computes it, once.
  func compute() {
    let value = Result { try make() }
    result.withLock { $0 = value }
  }

  /// The value, computed now if it was not before.
  func get() throws -> Value {
    if let known = result.withLock({ $0 }) { return try known.get() }
    return try make()
  }
}

/// Runs jobs on so many threads, the first ones first.
func runTogether(_ jobs: [@Sendable () -> Void], workers: Int) {
  let next = Mutex(0)
  DispatchQueue.concurrentPerform(iterations: max(1, min(workers, jobs.count))) { _ in
    while let job = next.withLock({ next -> Int? in
      guard next < jobs.count else { return nil }
      next += 1
      return next - 1
    }) {
      jobs[job]()
    }
  }
}
