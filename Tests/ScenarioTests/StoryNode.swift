internal import Yams

/// The place and the fault in a scenario that cannot be read.
struct StoryError: Error, Hashable, CustomStringConvertible {
  var description: String
}

/// A node of a scenario's YAML; it is read strictly.
///
/// An unknown key is refused. Money and times without quotes are refused too: YAML readers may read
/// `1.10` as the number 1.1, and `no` as false.
struct StoryNode {
  var node: Node
  /// The path of the node, as in `timeline[2].rows[0].to`.
  var path: String

  func failure(_ message: String) -> StoryError { StoryError(description: "\(path): \(message)") }

  /// The node as a map with only known keys.
  func map(_ known: Set<String>) throws -> StoryMap {
    guard case .mapping(let mapping) = node else { throw failure("expected a map") }
    var values: [String: StoryNode] = [:]
    for (key, value) in mapping {
      guard let name = key.scalar?.string else { throw failure("a key is no text") }
      guard known.contains(name) else {
        throw failure("unknown key '\(name)'; known: \(known.sorted().joined(separator: ", "))")
      }
      guard values[name] == nil else { throw failure("the key '\(name)' occurs twice") }
      values[name] = StoryNode(node: value, path: path.isEmpty ? name : "\(path).\(name)")
    }
    return StoryMap(values: values, path: path)
  }

  func list() throws -> [StoryNode] {
    guard case .sequence(let sequence) = node else { throw failure("expected a list") }
    return sequence.enumerated().map { StoryNode(node: $1, path: "\(path)[\($0)]") }
  }

  /// Any scalar as it is written.
  func text() throws -> String {
    guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
      throw failure("expected a text")
    }
    return scalar.string
  }

  /// A scalar that must be in quotes: money or a time.
  func quoted() throws -> String {
    let text = try text()
    guard case .scalar(let scalar) = node,
      scalar.style == .doubleQuoted || scalar.style == .singleQuoted
    else { throw failure("money and times stand in quotes: \"\(text)\"") }
    return text
  }

  func bool() throws -> Bool {
    switch try text() {
    case "true": return true
    case "false": return false
    default: throw failure("expected true or false")
    }
  }

  func number() throws -> Int32 {
    guard let number = Int32(try text()) else { throw failure("expected a whole number") }
    return number
  }
}

/// A map of a scenario; all its keys are known.
struct StoryMap {
  var values: [String: StoryNode]
  var path: String

  subscript(_ key: String) -> StoryNode? { values[key] }

  func required(_ key: String) throws -> StoryNode {
    guard let value = values[key] else {
      throw StoryError(description: "\(path.isEmpty ? "story" : path): '\(key)' is missing")
    }
    return value
  }

  func text(_ key: String) throws -> String? { try values[key]?.text() }
  func quoted(_ key: String) throws -> String? { try values[key]?.quoted() }
  func bool(_ key: String) throws -> Bool? { try values[key]?.bool() }
  func number(_ key: String) throws -> Int32? { try values[key]?.number() }

  /// A list; empty if the key is missing.
  func list(_ key: String) throws -> [StoryNode] { try values[key]?.list() ?? [] }

  /// A text; `standard` if the key is missing, and `nil` for the value `none`.
  func text(_ key: String, standard: String?) throws -> String? {
    guard let text = try text(key) else { return standard }
    return text == "none" ? nil : text
  }

  /// A Boolean value; `standard` if the key is missing, and `nil` for the value `none`.
  func bool(_ key: String, standard: Bool?) throws -> Bool? {
    guard let node = values[key] else { return standard }
    return try node.text() == "none" ? nil : node.bool()
  }
}
