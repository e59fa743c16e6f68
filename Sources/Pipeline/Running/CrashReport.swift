internal import CProcess
internal import Diagnostics
internal import Glibc

/// What is told of a crash: its signal, by whoever waits for the process.
///
/// Where a toolchain is installed, Swift's runtime writes more: registers, and the memory they point
/// at, in which a customer's id may lie. It also takes SIGQUIT and goes on.
enum CrashReport {
  /// Leaves crashes to the kernel, unless `SWIFT_BACKTRACE` asks for a report; a page of a database
  /// that cannot be read is no crash and ends with 74.
  ///
  /// To be called before anything else listens to these signals.
  ///
  /// - Parameter name: the executable's name.
  static func withhold(_ name: String) {
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
