internal import CProcess
internal import Diagnostics
internal import Glibc

/// The handling of crashes: the process ends by the signal, and its parent reports that.
///
/// With a toolchain installed, Swift's runtime would write more: registers, and the memory they
/// point at, which may contain a customer's id. It would also catch SIGQUIT and continue.
package enum CrashTrace {
  /// Leaves crashes to the kernel, unless `SWIFT_BACKTRACE` is set.
  ///
  /// A page of a database that cannot be read is not a crash: the process ends with 74. Call this
  /// before anything else listens to these signals.
  ///
  /// - Parameter name: the executable's name.
  package static func withhold(_ name: String) {
    let words =
      "\(name): a database was cut off while it was read, or its disk failed; check the disk, then "
      + "run again\n"
    _ = unsafe paidline_end_on_bus_error(words, ExitStatus.inputOutput.rawValue)
    guard unsafe getenv("SWIFT_BACKTRACE") == nil else { return }
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV]
    where !SignalDisposition.isIgnored(number) {
      _ = signal(number, SIG_DFL)
    }
  }
}
