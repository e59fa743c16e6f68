package import Diagnostics
internal import Glibc
internal import SystemPackage

/// Runs another program, such as DuckDB.
///
/// The program stays in this process group. It starts with all signals unblocked, although this
/// process blocks the signals that request a stop.
package enum ForeignProgram {
  /// Runs a program to its end, and forwards signals that request a stop.
  ///
  /// - Returns: The exit status of the program; 128 plus the signal's number if a signal killed it.
  package static func run(_ path: String, arguments: [String]) throws(RunFailure) -> Int32 {
    let processID = try spawn(path, arguments: [path] + arguments)
    StopSignal.forward(to: processID)
    var status: Int32 = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    StopSignal.forward(to: 0)
    // This is equal to the macros WIFEXITED, WEXITSTATUS and WTERMSIG, which Swift cannot import.
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
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
}
