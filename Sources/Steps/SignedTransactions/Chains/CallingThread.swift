internal import Synchronization

/// Runs an asynchronous function to its end on the calling thread.
///
/// swift-certificates validates chains in asynchronous functions, because a policy may ask the
/// network. The policies used here never wait. So every job can run at once on this thread, and
/// readers of files need not become asynchronous for one check in a million records.
final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  /// Takes the next piece of the work.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// The result of a function that never waits for another task, thread or process.
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
      preconditionFailure("a function that must not wait did")
    }
    return value
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
