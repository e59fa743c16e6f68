internal import Diagnostics
internal import Yams

/// A settings file that was parsed as YAML.
struct SettingsFile {
  /// The path, for messages.
  let path: String
  /// The root node of the file.
  let root: Node

  /// Parses the text of a settings file.
  ///
  /// Every scalar remains a text: `12.99` does not become a binary float, and `NO` does not become
  /// false.
  init(path: String, text: String) throws(RunFailure) {
    self.path = path
    do {
      guard let root = try Yams.compose(yaml: text) else {
        throw RunFailure(
          .badConfiguration,
          "\(path):1: the file is empty; `paidline init FOLDER` writes a commented pipeline")
      }
      self.root = root
    } catch let failure as RunFailure {
      throw failure
    } catch {
      throw RunFailure(.badConfiguration, "\(path)\(Self.describe(error))")
    }
  }

  /// Returns true if the top level has a key, with any value.
  func has(_ key: String) -> Bool { root[key] != nil }

  /// Returns the line and the reason of a YAML error, to append to the name of the file.
  private static func describe(_ error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let start = context.map { ", \($0.text) that begins in line \($0.mark.line)" } ?? ""
      return ":\(mark.line): the file is not YAML: \(problem)\(start)"
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.sorted().map { "\"\(OneLine.text($0))\"" }.joined(separator: ", ")
      return ":\(context.mark.line): the mapping that begins here holds \(names) more than once"
    default:
      return ": the file is not YAML: "
        + "\(error)".split(separator: "\n").joined(separator: " ")
    }
  }
}

/// A scalar in a settings file, with its line.
struct SettingsScalar: Hashable {
  /// The text as written, without its quotes.
  let text: String
  /// Whether the scalar is in quotes; a quoted number is a text.
  let isQuoted: Bool

  /// Whether the scalar is a YAML null: empty, `~` or `null` without quotes.
  var isNull: Bool { !isQuoted && ["", "~", "null", "Null", "NULL"].contains(text) }
}

/// A mapping in a settings file; unknown keys have been refused.
struct SettingsMapping {
  /// The path of the file, for messages.
  let file: String
  /// The path of the mapping inside the file: `inputs`, `products[2]`; empty for the top level.
  let place: String
  /// The line on which the mapping begins; 1-based.
  let line: Int
  private var values: [String: (line: Int, node: Node)] = [:]

  /// Reads the top level of a file as a mapping.
  ///
  /// - Throws: ``RunFailure`` with status 78 if the top level is not a mapping, or has an unknown
  ///   key.
  init(_ file: SettingsFile, known: [String]) throws(RunFailure) {
    try self.init(file.root, file: file.path, place: "", line: 1, known: known)
  }

  private init(
    _ node: Node, file: String, place: String, line: Int, known: [String]
  ) throws(RunFailure) {
    self.file = file
    self.place = place
    self.line = node.mark?.line ?? line
    guard case .mapping(let mapping) = node else {
      throw RunFailure(
        .badConfiguration,
        "\(file):\(self.line): expected \(Self.title(place)) to be a mapping with the keys "
          + known.joined(separator: ", "))
    }
    for (key, value) in mapping {
      let keyLine = key.mark?.line ?? self.line
      guard let name = key.scalar?.string, known.contains(name) else {
        throw Self.unknownKey(key, line: keyLine, file: file, place: place, known: known)
      }
      values[name] = (keyLine, value)
    }
  }

  /// Returns true if the mapping has a key, with any value.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// Returns true if the value of a key is a single text, not a mapping or list.
  func isScalar(_ key: String) -> Bool {
    guard let (_, node) = values[key] else { return false }
    return Self.scalar(node).map { !$0.isNull } ?? false
  }

  /// The line of a key in the file; if the key is missing, the line on which the mapping begins.
  func line(of key: String) -> Int { values[key]?.line ?? line }

  /// Creates the failure for a key, with the expected and the found value.
  func failure(_ key: String, expected: String, found: String? = nil) -> RunFailure {
    let name = place.isEmpty ? key : "\(place).\(key)"
    let ending =
      found.map { ", found \"\(OneLine.text($0))\"" }
      ?? (values[key] == nil ? ", but the key is missing" : "")
    return RunFailure(
      .badConfiguration, "\(file):\(line(of: key)): expected \(name) to be \(expected)\(ending)")
  }

  /// The scalar under a key; `nil` if the key is missing or null.
  func scalar(_ key: String, expected: String) throws(RunFailure) -> SettingsScalar? {
    guard let (_, node) = values[key] else { return nil }
    guard let scalar = Self.scalar(node) else {
      throw failure(key, expected: expected)
    }
    return scalar.isNull ? nil : scalar
  }

  /// The text under a key; `nil` if the key is missing or null.
  ///
  /// An empty text is refused.
  func text(_ key: String, expected: String) throws(RunFailure) -> String? {
    guard let scalar = try scalar(key, expected: expected) else { return nil }
    guard !scalar.text.isEmpty else { throw failure(key, expected: expected) }
    return scalar.text
  }

  /// The text under a required key.
  func requiredText(_ key: String, expected: String) throws(RunFailure) -> String {
    guard let text = try text(key, expected: expected) else {
      throw failure(key, expected: expected)
    }
    return text
  }

  /// Returns the result of `read` for the text under a key.
  ///
  /// Returns `nil` if the key is missing or null. Fails if `read` returns `nil`.
  func value<Value>(_ key: String, expected: String, read: (String) -> Value?) throws(RunFailure)
    -> Value?
  {
    guard let text = try text(key, expected: expected) else { return nil }
    guard let value = read(text) else { throw failure(key, expected: expected, found: text) }
    return value
  }

  /// Returns the result of `read` for the text under a key; fails if the key is missing or null.
  func requiredValue<Value>(_ key: String, expected: String, read: (String) -> Value?)
    throws(RunFailure) -> Value
  {
    guard let value = try value(key, expected: expected, read: read) else {
      throw failure(key, expected: expected)
    }
    return value
  }

  /// The list of texts under a key.
  ///
  /// A single text is a list with one element; a missing key is an empty list.
  func texts(_ key: String, expected: String) throws(RunFailure) -> [String] {
    guard let (_, node) = values[key] else { return [] }
    if let scalar = Self.scalar(node) {
      if scalar.isNull { return [] }
      guard !scalar.text.isEmpty else { throw failure(key, expected: expected) }
      return [scalar.text]
    }
    guard case .sequence(let sequence) = node else { throw failure(key, expected: expected) }
    var texts: [String] = []
    for item in sequence {
      guard let scalar = Self.scalar(item), !scalar.isNull, !scalar.text.isEmpty else {
        throw failure(key, expected: expected)
      }
      texts.append(scalar.text)
    }
    return texts
  }

  /// The mapping under a key; `nil` if the key is missing or null.
  func mapping(_ key: String, known: [String]) throws(RunFailure) -> SettingsMapping? {
    guard let (line, node) = values[key] else { return nil }
    if let scalar = Self.scalar(node), scalar.isNull { return nil }
    let place = place.isEmpty ? key : "\(place).\(key)"
    return try SettingsMapping(node, file: file, place: place, line: line, known: known)
  }

  /// The list of mappings under a key; empty if the key is missing or null.
  func mappings(_ key: String, known: [String]) throws(RunFailure) -> [SettingsMapping] {
    guard let (line, node) = values[key] else { return [] }
    if let scalar = Self.scalar(node), scalar.isNull { return [] }
    guard case .sequence(let sequence) = node else {
      throw failure(key, expected: "a list of mappings")
    }
    let place = place.isEmpty ? key : "\(place).\(key)"
    var mappings: [SettingsMapping] = []
    for (index, item) in sequence.enumerated() {
      mappings.append(
        try SettingsMapping(
          item, file: file, place: "\(place)[\(index + 1)]", line: line, known: known))
    }
    return mappings
  }

  /// One entry of a list: a text, or a mapping.
  enum Entry {
    case text(String)
    case mapping(SettingsMapping)
  }

  /// The list of texts and mappings under a key.
  ///
  /// A single value is a list with one element; a missing key is an empty list.
  func entries(_ key: String, expected: String, known: [String]) throws(RunFailure) -> [Entry] {
    guard let (line, node) = values[key] else { return [] }
    let place = place.isEmpty ? key : "\(place).\(key)"
    if case .mapping = node {
      return [
        .mapping(
          try SettingsMapping(node, file: file, place: place, line: line, known: known))
      ]
    }
    guard case .sequence(let sequence) = node else {
      return try texts(key, expected: expected).map(Entry.text)
    }
    var entries: [Entry] = []
    for (index, item) in sequence.enumerated() {
      if case .mapping = item {
        entries.append(
          .mapping(
            try SettingsMapping(
              item, file: file, place: "\(place)[\(index + 1)]", line: line, known: known)))
        continue
      }
      guard let scalar = Self.scalar(item), !scalar.isNull, !scalar.text.isEmpty else {
        throw failure(key, expected: expected)
      }
      entries.append(.text(scalar.text))
    }
    return entries
  }

  private static func scalar(_ node: Node) -> SettingsScalar? {
    guard case .scalar(let scalar) = node else { return nil }
    let isQuoted = scalar.style != .plain && scalar.style != .any
    return SettingsScalar(text: scalar.string, isQuoted: isQuoted)
  }

  private static func title(_ place: String) -> String { place.isEmpty ? "the file" : place }

  private static func unknownKey(
    _ key: Node, line: Int, file: String, place: String, known: [String]
  ) -> RunFailure {
    let name = key.scalar?.string ?? "?"
    let container = place.isEmpty ? "" : " in \(place)"
    let hint =
      NearestWord.suggestion(for: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    return RunFailure(
      .badConfiguration,
      "\(file):\(line): unknown key \"\(OneLine.text(name))\"\(container); expected one of "
        + known.joined(separator: ", ") + hint)
  }
}
