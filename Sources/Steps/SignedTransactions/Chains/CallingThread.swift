internal import Synchronization

/// Runs an asynchronous function to its end on the calling thread.
///
/// swift-certificates validates chains in asynchronous functions, because a policy may use the
/// network. The policies of this program never wait, so all jobs can run on the calling thread, and
/// the functions that read files can stay synchronous.
final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  /// Stores a job of the function; `run` executes it on the calling thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs a function that never waits for another task, thread or process, and returns its result.
  ///
  /// - Precondition: The function does not wait.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let executor = CallingThread()
    let result = Box<Value>()
    Task(executorPreference: executor) {
      let value = await body()
      result.value.withLock { $0 = value }
    }
    while let job = executor.jobs.withLock({ $0.popLast() }) {
      unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
    guard let value = result.value.withLock({ $0 }) else {
      preconditionFailure("a function that must never wait has waited")
    }
    return value
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
