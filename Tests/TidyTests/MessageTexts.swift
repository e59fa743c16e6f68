/// The texts in a source file that people may read: string literals of at least four words.
///
/// Literals joined by `+` are one text. A value within a text is written as `…`.
struct MessageTexts {
  /// The texts in the order of the file.
  private(set) var texts: [String] = []
  private let bytes: [UInt8]
  private var position = 0

  /// Reads the literals of Swift code.
  init(_ code: String) {
    bytes = Array(code.utf8)
    var text: [UInt8] = []
    while position < bytes.count {
      if starts("//") {
        skip(to: UInt8(ascii: "\n"))
      } else if starts("#\"") {
        // A raw literal is a pattern or a format, not a message.
        position += 2
        while position < bytes.count, !starts("\"#") { position += 1 }
        position += 2
      } else if bytes[position] == UInt8(ascii: "\"") {
        text += literal()
        if !isContinued() {
          add(text)
          text = []
        }
      } else {
        position += 1
      }
    }
    add(text)
  }

  private mutating func add(_ text: [UInt8]) {
    let text = String(decoding: text, as: UTF8.self)
    let words = text.split { $0 == " " || $0 == "\n" }
    let isStatement = [
      "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "PRAGMA", "ATTACH", "DROP",
      "REPLACE", "EXISTS", "CASE",
    ].contains(words.first ?? "")
    guard words.count >= 4, !isStatement, words.contains(where: { $0.allSatisfy(\.isLetter) })
    else { return }
    texts.append(words.joined(separator: " "))
  }

  private func starts(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

  private mutating func skip(to end: UInt8) {
    while position < bytes.count, bytes[position] != end { position += 1 }
  }

  /// Returns true if only `+` stands before the next literal; then moves to that literal.
  private mutating func isContinued() -> Bool {
    var next = position
    var hasPlus = false
    while next < bytes.count {
      switch bytes[next] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"): next += 1
      case UInt8(ascii: "+") where !hasPlus:
        hasPlus = true
        next += 1
      case UInt8(ascii: "\"") where hasPlus:
        position = next
        return true
      default: return false
      }
    }
    return false
  }

  /// Reads a literal, including its quotation marks.
  private mutating func literal() -> [UInt8] {
    let isLong = starts("\"\"\"")
    position += isLong ? 3 : 1
    var text: [UInt8] = []
    while position < bytes.count {
      if isLong ? starts("\"\"\"") : bytes[position] == UInt8(ascii: "\"") {
        position += isLong ? 3 : 1
        return text
      }
      guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count else {
        text.append(bytes[position])
        position += 1
        continue
      }
      let escaped = bytes[position + 1]
      position += 2
      switch escaped {
      case UInt8(ascii: "("):
        skipValue()
        text += Array("…".utf8)
      case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "\n"): text.append(UInt8(ascii: " "))
      default: text.append(escaped)
      }
    }
    return text
  }

  /// Skips a value within a text, including its closing parenthesis; the value may contain
  /// literals.
  private mutating func skipValue() {
    var depth = 1
    while position < bytes.count, depth > 0 {
      switch bytes[position] {
      case UInt8(ascii: "\""): _ = literal()
      case UInt8(ascii: "("):
        depth += 1
        position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
      default: position += 1
      }
    }
  }
}
