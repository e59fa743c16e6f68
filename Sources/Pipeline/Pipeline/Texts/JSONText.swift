internal import Diagnostics

/// A JSON value; the keys of an object keep the order in which they were added.
package enum JSONText: Hashable {
  case null
  case flag(Bool)
  case number(Int64)
  case text(String)
  case list([JSONText])
  case object([Member])

  /// A key and its value.
  package struct Member: Hashable {
    var key: String
    var value: JSONText
    package init(_ key: String, _ value: JSONText) {
      self.key = key
      self.value = value
    }
  }

  /// A text, or null for `nil`.
  package static func text(orNull text: String?) -> JSONText { text.map(JSONText.text) ?? .null }

  /// A number, or null for `nil`.
  package static func number(orNull number: Int64?) -> JSONText {
    number.map(JSONText.number) ?? .null
  }

  /// A flag, or null for `nil`.
  package static func flag(orNull flag: Bool?) -> JSONText { flag.map(JSONText.flag) ?? .null }

  /// The value as JSON on one line.
  package var line: String {
    var output = ""
    write(to: &output, indent: nil)
    return output
  }

  /// The value as JSON on several lines, indented by two spaces per level.
  ///
  /// Each element of a list and each member of an object is on a separate line.
  package var page: String {
    var output = ""
    write(to: &output, indent: 0)
    return output
  }

  private func write(to output: inout String, indent: Int?) {
    switch self {
    case .null: output += "null"
    case .flag(let flag): output += flag ? "true" : "false"
    case .number(let number): output += String(number)
    case .text(let text): Self.write(text, to: &output)
    case .list(let items):
      Self.write(items, brackets: ("[", "]"), to: &output, indent: indent) {
        $0.write(to: &$1, indent: $2)
      }
    case .object(let members):
      Self.write(members, brackets: ("{", "}"), to: &output, indent: indent) {
        Self.write($0.key, to: &$1)
        $1 += ": "
        $0.value.write(to: &$1, indent: $2)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], brackets: (String, String), to output: inout String, indent: Int?,
    item: (Item, inout String, Int?) -> Void
  ) {
    output += brackets.0
    let inner = indent.map { $0 + 2 }
    for (index, member) in items.enumerated() {
      if index > 0 { output += inner == nil ? ", " : "," }
      if let inner { output += "\n" + String(repeating: " ", count: inner) }
      item(member, &output, inner)
    }
    if let indent, !items.isEmpty { output += "\n" + String(repeating: " ", count: indent) }
    output += brackets.1
  }

  private static func write(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case _ where OneLine.isControl(scalar):
        let hex = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
