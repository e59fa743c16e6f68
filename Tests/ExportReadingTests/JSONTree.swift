/// A JSON value that keeps the order of members and the text of numbers, for tests that change an
/// export.
indirect enum JSONTree: Equatable, Sendable {
  case object([(key: String, value: JSONTree)])
  case list([JSONTree])
  case text(String)
  /// A number, `true`, `false` or `null`, as written.
  case word(String)

  static func == (left: JSONTree, right: JSONTree) -> Bool { left.json == right.json }

  /// Reads a text; `nil` if it is not JSON.
  init?(_ text: String) {
    var parser = JSONTreeParser(bytes: Array(text.utf8))
    guard let value = parser.value() else { return nil }
    self = value
  }

  /// The value as JSON on one line.
  var json: String {
    switch self {
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ",") + "}"
    case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .text(let text): Self.quoted(text)
    case .word(let word): word
    }
  }

  /// The value after applying a function to every value in it, innermost first; `nil` removes a
  /// member or an element.
  func mapped(
    under name: String = "", _ change: (_ key: String, JSONTree) -> JSONTree?
  ) -> JSONTree? {
    switch self {
    case .object(let members):
      let changed = members.compactMap { member -> (key: String, value: JSONTree)? in
        member.value.mapped(under: member.key, change).map { (member.key, $0) }
      }
      return change(name, .object(changed))
    case .list(let elements):
      return change(name, .list(elements.compactMap { $0.mapped(under: name, change) }))
    case .text, .word: return change(name, self)
    }
  }

  /// The value with renamed keys.
  func renamed(_ key: (String) -> String) -> JSONTree {
    switch self {
    case .object(let members): .object(members.map { (key($0.key), $0.value.renamed(key)) })
    case .list(let elements): .list(elements.map { $0.renamed(key) })
    case .text, .word: self
    }
  }

  /// A text between quotes, with the escapes that JSON needs.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Parses the sample's exports; supports only the escapes that occur in them.
private struct JSONTreeParser {
  let bytes: [UInt8]
  var position = 0

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipBlanks() {
    while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
  }

  mutating func value() -> JSONTree? {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"):
      var members: [(key: String, value: JSONTree)] = []
      position += 1
      while true {
        skipBlanks()
        if next == UInt8(ascii: "}") { break }
        if next == UInt8(ascii: ",") { position += 1 }
        skipBlanks()
        guard let key = string() else { return nil }
        skipBlanks()
        guard next == UInt8(ascii: ":") else { return nil }
        position += 1
        guard let value = value() else { return nil }
        members.append((key, value))
      }
      position += 1
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      position += 1
      while true {
        skipBlanks()
        if next == UInt8(ascii: "]") { break }
        if next == UInt8(ascii: ",") { position += 1 }
        guard let element = value() else { return nil }
        elements.append(element)
      }
      position += 1
      return .list(elements)
    case UInt8(ascii: "\""): return string().map(JSONTree.text)
    default:
      let start = position
      while !",]} \n\r".utf8.contains(next), next != 0 { position += 1 }
      guard position > start else { return nil }
      return .word(String(decoding: bytes[start..<position], as: UTF8.self))
    }
  }

  private mutating func string() -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    position += 1
    var text: [UInt8] = []
    while next != UInt8(ascii: "\"") {
      guard position < bytes.count else { return nil }
      if next == UInt8(ascii: "\\") {
        position += 1
        switch next {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "u"): return nil
        default: text.append(next)
        }
      } else {
        text.append(next)
      }
      position += 1
    }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }
}
