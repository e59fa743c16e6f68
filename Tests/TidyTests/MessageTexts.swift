/// The texts in a source file that people may read: string literals of at least four words.
///
/// Literals joined by `+` are one text. A value within a text, or joined to it, is written as `…`.
/// Left out are preconditions, SQL, and tables of keys or codes.
struct MessageTexts {
  /// The texts in the order of the file; what an input should be begins with `expected:`.
  private(set) var texts: [String] = []
  private let bytes: [UInt8]
  private var position = 0
  /// The functions of the open parentheses, outermost first.
  private var callees: [String] = []
  /// The last name before the position, and the last label in front of an argument.
  private var (name, label) = ("", "")
  /// True directly after a `+`.
  private var isJoined = false

  /// Reads the literals of Swift code.
  init(_ code: String) {
    bytes = Array(code.utf8)
    while position < bytes.count {
      if starts("//") {
        skip(to: UInt8(ascii: "\n"))
      } else if starts("#\"") {
        // A raw literal is a pattern or a format, not a message.
        position += 2
        while position < bytes.count, !starts("\"#") { position += 1 }
        position += 2
      } else if bytes[position] == UInt8(ascii: "\"") {
        var text = isJoined ? Array("…".utf8) : []
        repeat { text += literal() } while isContinued()
        if hasPlus() { text += Array("…".utf8) }
        add(text)
      } else {
        readCode()
      }
    }
  }

  /// Reads a name or a sign of the code outside of literals.
  private mutating func readCode() {
    let start = position
    while position < bytes.count, Self.isInName(bytes[position]) { position += 1 }
    if position > start {
      name = String(decoding: bytes[start..<position], as: UTF8.self)
      isJoined = false
      return
    }
    switch bytes[position] {
    case UInt8(ascii: "("): callees.append(name)
    case UInt8(ascii: ")"): _ = callees.popLast()
    case UInt8(ascii: ":"): label = name
    case UInt8(ascii: ","): label = ""
    default: break
    }
    if bytes[position] == UInt8(ascii: "(") { label = "" }
    if bytes[position] != UInt8(ascii: " "), bytes[position] != UInt8(ascii: "\n") {
      isJoined = bytes[position] == UInt8(ascii: "+")
    }
    position += 1
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func add(_ text: [UInt8]) {
    let text = String(decoding: text, as: UTF8.self)
    let words = text.split { $0 == " " || $0 == "\n" }
    let checks: Set = ["precondition", "preconditionFailure", "fatalError", "assert"]
    guard words.count >= 4, checks.isDisjoint(with: callees),
      !Self.statements.contains(words.first ?? ""),
      text.hasSuffix(".") || words.contains(where: { Self.particles.contains($0) })
    else { return }
    texts.append((label == "expected" ? "expected: " : "") + words.joined(separator: " "))
  }

  /// The first words of SQL and of scripts.
  private static let statements: Set<Substring> = [
    "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "PRAGMA", "ATTACH", "DROP", "REPLACE",
    "EXISTS", "CASE", "COPY", "DO", "import",
  ]

  /// Words of which a sentence has at least one, and a table of keys or codes none.
  private static let particles: Set<Substring> = [
    "a", "an", "the", "is", "are", "was", "of", "in", "to", "on", "at", "by", "for", "from", "with",
    "without", "as", "and", "or", "no", "not", "than", "it", "its", "that", "this", "only", "have",
    "has", "be", "may", "must", "expected", "found", "all", "every", "one", "so", "there", "too",
    "you", "each",
  ]

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

  /// Returns true if a value follows that is joined to the text by `+`.
  private func hasPlus() -> Bool {
    bytes[position...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
      == UInt8(ascii: "+")
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
