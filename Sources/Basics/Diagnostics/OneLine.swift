/// Makes text from exports and files safe for one line of a message.
public enum OneLine {
  /// Replaces control characters by `\u{…}`.
  ///
  /// So a file name or value cannot look like another line, or change the colors of a terminal.
  public static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var clean = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        clean += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        clean.unicodeScalars.append(scalar)
      }
    }
    return clean
  }

  /// Makes each line of a message safe for a log.
  ///
  /// All line ends in the message were written by the program. ``text(_:)`` has already replaced
  /// line ends in texts from exports and files.
  public static func lines(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { text(String($0)) }.joined(separator: "\n")
  }

  /// Returns true for C0 and C1 control characters, and for marks that reverse the writing
  /// direction.
  public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
