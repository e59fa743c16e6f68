package import Diagnostics
internal import Glibc
internal import Synchronization

/// The request to stop: SIGTERM, SIGINT or SIGHUP.
///
/// The signals are blocked in every thread and one thread waits for them, so no code runs inside a
/// signal handler. Work calls ``check()`` wherever it can stop. Work that does not stop in time is
/// cut off, which is safe at any instruction because every result is one database transaction.
package enum StopSignal {
  private static let first = Atomic<Int32>(0)
  private static let child = Atomic<Int32>(0)
  private static let isCuttingOff = Atomic<Bool>(false)
  private static let cutOffWork = Mutex<[Int: @Sendable (RunFailure) -> Void]>([:])

  /// The first signal that stops the run; `nil` if there was none.
  package static var received: Int32? {
    let signal = first.load(ordering: .acquiring)
    return signal == 0 ? nil : signal
  }

  /// The exit status of a command that the signal stopped.
  static func status(of signal: Int32) -> ExitStatus {
    signal == SIGINT ? .interrupted : .terminated
  }

  /// Ends the work at a safe point after a signal.
  package static func check() throws(RunFailure) {
    guard let signal = received else { return }
    throw RunFailure(status(of: signal), "stopped by \(name(of: signal)); run again to continue")
  }

  /// Work to be done before the process is cut off, until it is cancelled.
  struct CutOffWork: Sendable {
    fileprivate let number: Int

    /// Cancels the registration, once nothing is left to be done.
    func cancel() { _ = cutOffWork.withLock { $0.removeValue(forKey: number) } }
  }

  /// Registers work to be done before the process is cut off, in the order of registration.
  ///
  /// - Parameter work: Receives the end of the process.
  /// - Returns: The registration, to be cancelled when the work is over.
  static func beforeCutOff(_ work: @escaping @Sendable (RunFailure) -> Void) -> CutOffWork {
    cutOffWork.withLock { all in
      let number = (all.keys.max() ?? 0) + 1
      all[number] = work
      return CutOffWork(number: number)
    }
  }

  /// Returns unless the process is being cut off, and then never: errors by then come from the
  /// files removed under it.
  package static func letCutOffEnd() {
    while isCuttingOff.load(ordering: .acquiring) { SystemClock.sleep(milliseconds: 1000) }
  }

  /// Begins to wait for signals, and ignores those that would kill in the middle of a write.
  ///
  /// SIGHUP stays ignored where the caller ignores it, for example under `nohup`; signals that the
  /// caller blocks are unblocked. To be called once, on the main thread, before any other thread is
  /// started.
  ///
  /// - Throws: ``RunFailure`` with status 74 if no thread can be started.
  package static func watch() throws(RunFailure) {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    let signals = watched
    unsafe withUnsafePointer(to: signals) { unsafe _ = pthread_sigmask(SIG_SETMASK, $0, nil) }
    try WaitingThread.start { while true { handle(next(of: signals)) } }
  }

  /// Names the process that the signals are passed on to; 0 for none.
  static func forward(to processID: Int32) {
    child.store(processID, ordering: .sequentiallyConsistent)
    // A signal that came before the child existed is passed on now.
    if processID > 0, let signal = received { _ = kill(processID, signal) }
  }

  /// The signals as a set that a child starts with unblocked.
  static var none: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    return signals
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
    var signals = none
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
    let processID = child.load(ordering: .sequentiallyConsistent)
    if processID > 0 { _ = kill(processID, signal) }
    if !isFirst, processID == 0 { cutOff(signal) }
    guard isFirst else { return }
    do throws(RunFailure) {
      try WaitingThread.start {
        SystemClock.sleep(milliseconds: 1500)
        if child.load(ordering: .sequentiallyConsistent) == 0 { cutOff(signal) }
      }
    } catch {
      // Without a child there is no work to wait for.
      if processID == 0 { cutOff(signal) }
    }
  }

  private static func cutOff(_ signal: Int32) -> Never {
    // A second signal finds the first one's end under way.
    if isCuttingOff.exchange(true, ordering: .acquiringAndReleasing) { letCutOffEnd() }
    let failure = RunFailure(
      status(of: signal), "stopped by \(name(of: signal)); run again to continue")
    for (_, work) in cutOffWork.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { work(failure) }
    RunLog.writeEnd(failure, of: FilePaths.name(of: CommandLine.arguments.first ?? "paidline"))
    _exit(failure.status.rawValue)
  }
}

/// The disposition of a signal that this process inherited from its caller.
enum SignalDisposition {
  /// Whether a signal is ignored.
  static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    let handler = unsafe action.__sigaction_handler.sa_handler
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
