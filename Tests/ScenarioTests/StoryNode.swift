internal import Yams

/// The place and the fault of a scenario that cannot be read.
struct StoryError: Error, Hashable, CustomStringConvertible {
  var description: String
}

/// A piece of a scenario's YAML, read strictly.
///
/// An unknown key is refused, and so are money and times without quotes: bare `1.10` is a number
/// that loses its zero, and bare `no` is a truth value to some readers.
struct StoryNode {
  var node: Node
  /// The path of the piece, as in `timeline[2].rows[0].to`.
  var path: String

  func failure(_ message: String) -> StoryError { StoryError(description: "\(path): \(message)") }

  /// The piece as a map that holds no key but these.
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

  /// Any scalar, as it was written.
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

/// A map of a scenario whose keys are all known.
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

  /// A list, empty where the key is absent.
  func list(_ key: String) throws -> [StoryNode] { try values[key]?.list() ?? [] }

  /// A text whose absence means `standard` and whose value `none` means none.
  func text(_ key: String, standard: String?) throws -> String? {
    guard let text = try text(key) else { return standard }
    return text == "none" ? nil : text
  }

  /// A truth value whose absence means `standard` and whose value `none` means none.
  func bool(_ key: String, standard: Bool?) throws -> Bool? {
    guard let node = values[key] else { return standard }
    return try node.text() == "none" ? nil : node.bool()
  }
}
