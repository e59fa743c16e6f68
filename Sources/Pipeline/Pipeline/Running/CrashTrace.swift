internal import CProcess
internal import Diagnostics
internal import Glibc

/// Lets the system handle crashes: the signal ends the process, and the parent reports it.
///
/// Otherwise, if a toolchain is installed, Swift's runtime would print registers and the memory to
/// which they point, which may contain a customer id. It would also catch SIGQUIT and continue.
/// Core dumps are off, because they contain customer ids.
package enum CrashTrace {
  /// Restores the system's handling of crash signals, unless `SWIFT_BACKTRACE` is set.
  ///
  /// SIGBUS is different: it means that a page of a database cannot be read, and ends the process
  /// with status 74. Call this before any other code handles these signals.
  package static func useSystemHandlers(_ name: String) {
    paidline_keep_memory_private()
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
