internal import CProcess
package import Diagnostics
internal import Glibc
internal import SystemPackage

/// A stage's executable, run by the runner.
///
/// Bare `posix_spawn`, because the stage must stay in the runner's process group and inherit the
/// lock's descriptor. To be called on the main thread: on Linux the stage asks to be killed when
/// the thread that started it ends.
package enum StageProcess {
  /// Runs a stage to its end.
  ///
  /// - Parameters:
  ///   - name: the executable's name, which lies beside this program's own.
  ///   - arguments: its arguments without the name.
  /// - Returns: its exit status, and its peak memory in KiB.
  /// - Throws: ``RunFailure`` if it cannot be started.
  static func run(_ name: String, arguments: [String]) throws(RunFailure)
    -> (status: ExitStatus, peakKiB: Int)
  {
    let path = try path(of: name)
    guard PathStatus.exists(path) else {
      throw RunFailure(
        .badConfiguration, "\(OneLine.text(path)) is missing; install it beside paidline")
    }
    let processID = try spawn(path, arguments: [name] + arguments)
    StopSignal.forward(to: processID)
    let (waitStatus, peakKiB) = wait(for: processID)
    StopSignal.forward(to: 0)
    return (try status(ofStage: name, waitStatus: waitStatus), peakKiB)
  }

  /// Runs a program that is not ours to its end.
  ///
  /// - Parameters:
  ///   - path: Where it lies.
  ///   - arguments: Its arguments without the name.
  /// - Returns: Its exit status; 128 and the signal's number where one killed it.
  /// - Throws: ``RunFailure`` where it cannot be started.
  package static func runForeign(_ path: String, arguments: [String]) throws(RunFailure) -> Int32 {
    let processID = try spawn(path, arguments: [path] + arguments)
    StopSignal.forward(to: processID)
    let (waitStatus, _) = wait(for: processID)
    StopSignal.forward(to: 0)
    let code = paidline_exit_status(waitStatus)
    return code < 0 ? 128 + paidline_killing_signal(waitStatus) : code
  }

  /// Whether a stage's executable lies beside this program's own.
  static func exists(_ name: String) throws(RunFailure) -> Bool {
    PathStatus.exists(try path(of: name))
  }

  private static func path(of name: String) throws(RunFailure) -> String {
    FilePaths.join(FilePaths.folder(of: try ownPath()), name)
  }

  private static func status(ofStage name: String, waitStatus: Int32) throws(RunFailure)
    -> ExitStatus
  {
    let code = paidline_exit_status(waitStatus)
    if let status = ExitStatus(rawValue: code) { return status }
    let signal = paidline_killing_signal(waitStatus)
    switch signal {
    case 0:
      throw RunFailure(.invariantBroken, "\(name) ended with the unknown exit status \(code)")
    case SIGINT, SIGTERM, SIGHUP:
      throw RunFailure(
        StopSignal.status(of: signal),
        "\(name) was stopped by \(StopSignal.name(of: signal)); run again to go on")
    case SIGKILL:
      throw RunFailure(
        .terminated,
        "\(name) was killed, perhaps because memory ran out; what is committed stays, run again")
    default:
      throw RunFailure(
        .invariantBroken, "\(name) crashed with signal \(signal); please report it as a bug")
    }
  }

  private static func spawn(_ path: String, arguments: [String]) throws(RunFailure) -> pid_t {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var unblocked = StopSignal.none
    unsafe posix_spawnattr_setsigmask(&attributes, &unblocked)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var processID: pid_t = 0
    let vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe vector.forEach { unsafe free($0) } }
    let result = unsafe posix_spawn(&processID, path, nil, &attributes, vector, environ)
    guard result == 0 else {
      throw .system(Errno(rawValue: result), "starting \(path)")
    }
    return processID
  }

  private static func wait(for processID: pid_t) -> (status: Int32, peakKiB: Int) {
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(processID, &status, 0, &usage) < 0, errno == EINTR {}
    return (status, usage.ru_maxrss)
  }

  /// The path of this program.
  static func ownPath() throws(RunFailure) -> String {
    let path = RealPath.of("/proc/self/exe")
    guard let path else {
      throw RunFailure(.inputOutput, "cannot tell where this program lies; is /proc mounted?")
    }
    return path
  }
}

/// The first work of a stage that a runner started.
package enum StageStart {
  /// Ends with the runner: asks the kernel for it, then makes sure the runner is still there.
  package static func bind(toRunner processID: Int32) throws(RunFailure) {
    guard paidline_die_with_parent() == 0 else {
      throw .system(Errno(rawValue: errno), "asking to end with the runner")
    }
    guard getppid() == processID else {
      throw RunFailure(.terminated, "the run that started this stage has ended")
    }
  }
}
