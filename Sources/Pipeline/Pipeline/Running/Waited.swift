package import Diagnostics
internal import Dispatch
internal import Synchronization

/// Runs asynchronous work and blocks the calling thread until the work is finished.
///
/// The main thread only waits. If the runtime used the main thread for work, that thread could
/// receive signals for which another thread waits.
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

/// The result of work for which another thread waits.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, RunFailure>>(
    .failure(
      RunFailure(
        .invariantBroken,
        "asynchronous work ended without a result; this is a bug, please report it")))
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
