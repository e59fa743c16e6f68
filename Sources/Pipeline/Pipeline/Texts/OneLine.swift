/// Text from outside made fit for one line of a message.
package enum OneLine {
  /// The text with control characters written as `\u{…}`, so that neither a file name nor a value
  /// can forge a line or colour a terminal.
  package static func text(_ text: String) -> String {
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

  /// A message of several lines, each of them fit for a log.
  ///
  /// Only the program ends lines: texts from outside have gone through ``text(_:)`` before.
  package static func lines(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { text(String($0)) }.joined(separator: "\n")
  }

  /// C0 and C1 controls, and the marks that reverse the direction of writing.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
