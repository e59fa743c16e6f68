package import Diagnostics
internal import Dispatch
internal import Synchronization

/// Waits for work of several threads on one that does nothing else.
///
/// So the main thread never becomes one of the runtime's, which could take the signals that the one
/// waiting thread is there for.
package func waited<Value: Sendable>(
  for work: @escaping @Sendable () async throws(RunFailure) -> Value
) throws(RunFailure) -> Value {
  let outcome = Outcome<Value>()
  Task.detached {
    do throws(RunFailure) {
      outcome.set(.success(try await work()))
    } catch {
      outcome.set(.failure(error))
    }
  }
  return try outcome.wait().get()
}

/// The outcome of work that another thread waits for.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, RunFailure>>(
    .failure(RunFailure(.invariantBroken, "the work ended without an outcome")))
  private let isDone = DispatchSemaphore(value: 0)

  func set(_ result: Result<Value, RunFailure>) {
    self.result.withLock { $0 = result }
    isDone.signal()
  }

  func wait() -> Result<Value, RunFailure> {
    isDone.wait()
    return result.withLock { $0 }
  }
}
