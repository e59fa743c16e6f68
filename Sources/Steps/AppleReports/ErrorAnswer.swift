/// Recognizes a file with an error answer of the App Store Connect API instead of a report.
///
/// Example: `{"errors":[{"status":"404","code":"NOT_FOUND","title":"…"}]}`, in one or more lines.
struct ErrorAnswer {
  /// The number of bytes, without blanks, after which no line is read.
  private static let longest = 4_096

  /// The beginning of the file's text, without blanks.
  private var text: [UInt8] = []

  /// Reads the next line of the file.
  mutating func read(_ line: [UInt8]) {
    guard text.count < Self.longest else { return }
    text += line.prefix(Self.longest).filter { $0 > 0x20 }
  }

  /// Whether the text is an error answer.
  var isFound: Bool {
    let text = String(decoding: text, as: UTF8.self)
    return text.hasPrefix("{\"errors\":[{") && text.contains("\"status\":")
      && text.contains("\"code\":")
  }
}
