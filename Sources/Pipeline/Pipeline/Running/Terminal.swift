internal import Glibc

/// The terminal and the environment of the process.
package enum Terminal {
  /// Whether standard output is a terminal.
  package static var isOutput: Bool { isatty(1) == 1 }

  /// Whether standard error is a terminal.
  package static var isError: Bool { isatty(2) == 1 }

  /// Whether messages may have colors: standard error is a terminal with colors, and `NO_COLOR` is
  /// not set.
  static var hasColor: Bool {
    isError && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  /// The width of the terminal of standard error, in columns; 80 if it is unknown.
  static var width: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
