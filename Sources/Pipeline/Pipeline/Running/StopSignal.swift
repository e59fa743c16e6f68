package import Diagnostics
internal import Glibc
internal import Synchronization

/// Handles the signals that request a stop: SIGTERM, SIGINT and SIGHUP.
///
/// The signals are blocked in every thread, and one thread waits for them, so no code runs in a
/// signal handler. Work calls ``check()`` at points where it can stop. If work does not stop in
/// time, the process ends. It may end at any instruction, because every result is one database
/// transaction.
package enum StopSignal {
  private static let first = Atomic<Int32>(0)
  private static let isExiting = Atomic<Bool>(false)
  private static let exitHandlers = Mutex<[Int: @Sendable (RunFailure) -> Void]>([:])

  /// The first signal that requested a stop; `nil` if there was none.
  package static var received: Int32? {
    let signal = first.load(ordering: .acquiring)
    return signal == 0 ? nil : signal
  }

  /// Creates the failure of a command that a signal stopped.
  ///
  /// Its message states that completed steps are kept. These are all commits before the signal: a
  /// run commits all new files together, and a backfill commits them in batches.
  static func failure(_ signal: Int32) -> RunFailure {
    RunFailure(
      signal == SIGINT ? .interrupted : .terminated,
      "stopped by \(name(of: signal)); completed steps are kept: run again")
  }

  /// Throws a failure if a signal has requested a stop; work calls it where it can stop.
  package static func check() throws(RunFailure) {
    guard let signal = received else { return }
    throw failure(signal)
  }

  /// A registration of work that must be done before the process ends.
  struct ExitHandler: Sendable {
    fileprivate let number: Int

    /// Cancels the registration, when the work is no longer needed.
    func cancel() { _ = exitHandlers.withLock { $0.removeValue(forKey: number) } }
  }

  /// Registers work that must be done before the process ends, in the order of registration.
  ///
  /// - Returns: The registration; cancel it when the work is no longer needed.
  static func onExit(_ work: @escaping @Sendable (RunFailure) -> Void) -> ExitHandler {
    exitHandlers.withLock { all in
      let number = (all.keys.max() ?? 0) + 1
      all[number] = work
      return ExitHandler(number: number)
    }
  }

  /// Blocks forever if the process is ending; else returns immediately.
  ///
  /// Call this function before an error is reported. While the process ends, its temporary files
  /// are removed, and errors about these files would be misleading.
  package static func waitForExit() {
    while isExiting.load(ordering: .acquiring) { SystemClock.sleep(milliseconds: 1000) }
  }

  /// Starts waiting for signals, and ignores signals that would kill the process during a write.
  ///
  /// SIGHUP stays ignored if the caller ignores it, for example under `nohup`. Signals that the
  /// caller has blocked are unblocked. Call it once, on the main thread, before any other thread
  /// starts.
  ///
  /// - Throws: ``RunFailure`` with status 74 if no thread can be started.
  package static func watch() throws(RunFailure) {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    let signals = watched
    unsafe withUnsafePointer(to: signals) { unsafe _ = pthread_sigmask(SIG_SETMASK, $0, nil) }
    try WaitingThread.start { while true { handle(next(of: signals)) } }
  }

  static func name(of signal: Int32) -> String {
    switch signal {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    case SIGKILL: "SIGKILL"
    default: "signal \(signal)"
    }
  }

  private static var watched: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT] { unsafe sigaddset(&signals, signal) }
    if !SignalDisposition.isIgnored(SIGHUP) { unsafe sigaddset(&signals, SIGHUP) }
    return signals
  }

  private static func next(of signals: sigset_t) -> Int32 {
    var signal: Int32 = 0
    while waitForSignal(signals, &signal) != 0 {}
    return signal
  }

  private static func waitForSignal(_ signals: sigset_t, _ signal: inout Int32) -> Int32 {
    unsafe withUnsafePointer(to: signals) { unsafe sigwait($0, &signal) }
  }

  private static func handle(_ signal: Int32) {
    let isFirst = first.compareExchange(
      expected: 0, desired: signal, ordering: .sequentiallyConsistent
    ).exchanged
    guard isFirst else { endProcess(signal) }
    do throws(RunFailure) {
      try WaitingThread.start {
        SystemClock.sleep(milliseconds: 1500)
        endProcess(signal)
      }
    } catch {
      endProcess(signal)
    }
  }

  private static func endProcess(_ signal: Int32) -> Never {
    // If this is the second signal, the process is already ending.
    if isExiting.exchange(true, ordering: .acquiringAndReleasing) { waitForExit() }
    let failure = failure(signal)
    for (_, work) in exitHandlers.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { work(failure) }
    RunLog.writeEnd(failure, of: FilePaths.name(of: CommandLine.arguments.first ?? "paidline"))
    _exit(failure.status.rawValue)
  }
}

/// Checks whether this process ignores a signal; a process inherits this setting from its caller.
enum SignalDisposition {
  static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    let handler = unsafe action.__sigaction_handler.sa_handler
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
