package import Diagnostics
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Starts threads that wait most of the time.
package enum WaitingThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Holds a lock for which the started threads wait, until all of them have been started.
  private final class Gate: Sendable {
    let lock = Mutex(())
  }

  /// Runs a function in a new thread.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the thread cannot be started.
  static func start(_ run: @escaping @Sendable () -> Void) throws(RunFailure) {
    _ = pthread_detach(try make(run))
  }

  /// Checks that `count` threads can exist at the same time, by starting and ending them.
  ///
  /// Without this check, the Dispatch library would retry every second forever.
  ///
  /// - Throws: ``RunFailure`` with status 74 if fewer than `count` threads can be started.
  package static func ensure(_ count: Int) throws(RunFailure) {
    let gate = Gate()
    var threads: [pthread_t] = []
    defer { for thread in threads { _ = pthread_join(thread, nil) } }
    try gate.lock.withLock { _ throws(RunFailure) in
      for _ in 0..<count { threads.append(try make { gate.lock.withLock { _ in } }) }
    }
  }

  private static func make(_ run: @escaping @Sendable () -> Void) throws(RunFailure) -> pthread_t {
    let work = unsafe Unmanaged.passRetained(Work(run))
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    let made: pthread_t? = thread
    guard status == 0, let made else {
      unsafe work.release()
      throw RunFailure(
        .inputOutput,
        "no thread can be started: \(Errno(rawValue: status)); allow more threads or address space "
          + "with ulimit -u or -v, or with TasksMax= or LimitAS= where systemd starts the run")
    }
    return made
  }
}
