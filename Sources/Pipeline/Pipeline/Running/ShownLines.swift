internal import Synchronization

/// The lines that a command prints for people on standard error: at most 40.
///
/// A thousand faulty files must not hide what to do. `paidline status` has the rest.
enum ShownLines {
  /// The largest number of lines of all messages.
  static let most = 40
  /// The number of lines that are kept free for the message with which a command fails.
  static let keptForEnd = 16

  private static let printed = Mutex<Int>(0)

  /// Returns a message of the log as far as it may be printed; `nil` if nothing may be printed.
  static func log(_ text: String) -> String? {
    printed.withLock { printed in
      let room = most - keptForEnd - 1 - printed
      guard room >= 0 else { return nil }
      let shown = shortened(text, to: room)
      printed += shown.split(separator: "\n", omittingEmptySubsequences: false).count
      return shown
    }
  }

  /// Returns the last message of a command as far as it may be printed, and its last line.
  ///
  /// The last line states the result, such as `Nothing was published.`
  static func end(_ text: String) -> String {
    let last = text.split(separator: "\n").last.map(String.init) ?? ""
    return printed.withLock { printed in
      let shown = shortened(text, to: most - 2 - printed)
      return shown == text ? text : shown + "\n" + last
    }
  }

  /// The first lines of a text; further lines are replaced by their number.
  static func shortened(_ text: String, to most: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > most + 1 else { return text }
    let more = "and \(lines.count - most) more lines; `paidline status --all` shows them"
    return (lines.prefix(most) + [more[...]]).joined(separator: "\n")
  }
}
