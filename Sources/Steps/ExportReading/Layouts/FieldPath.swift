/// The path to one value of a record, as a pipeline writes it.
///
/// A path consists of names joined by dots; `\.` is a dot within a name. `[]` is each element of a
/// list; `[key=price]` is the element whose member `key` is `price`. Example:
/// `event_params[key=price].value.int_value` finds 9990000 in
/// `{"event_params":[{"key":"price","value":{"int_value":9990000}}]}`.
struct FieldPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// The value of an object's member: `price`.
    case member(String)
    /// Each element of a list: `[]`.
    case elements
    /// The element of a list whose `member` equals `value`.
    case element(member: String, value: String)
  }

  /// The steps of the path; the first step is a member.
  let steps: [Step]
  /// The path as it was written.
  let text: String

  /// Parses a path; `nil` for an empty name, an unbalanced bracket, and a name of more than
  /// ``longestName`` bytes.
  init?(_ text: String) {
    var steps: [Step] = []
    var name = ""
    var mayEnd = false  // behind a bracket a name may be missing
    var rest = Substring(text)
    func isName(_ name: String) -> Bool {
      (1...Self.longestName).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 }
    }
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        name.append(next)
      case ".":
        if !(mayEnd && name.isEmpty) {
          guard isName(name) else { return nil }
          steps.append(.member(name))
        }
        guard !rest.isEmpty else { return nil }
        name = ""
        mayEnd = false
      case "[":
        guard let end = rest.firstIndex(of: "]") else { return nil }
        if !(mayEnd && name.isEmpty) {
          guard isName(name) else { return nil }
          steps.append(.member(name))
        }
        let inner = rest[..<end]
        rest = rest[rest.index(after: end)...]
        guard let step = Self.bracket(inner) else { return nil }
        steps.append(step)
        name = ""
        mayEnd = true
        guard rest.isEmpty || rest.first == "." else { return nil }
      default: name.append(character)
      }
    }
    if !(mayEnd && name.isEmpty) {
      guard isName(name) else { return nil }
      steps.append(.member(name))
    }
    guard case .member = steps.first else { return nil }
    self.steps = steps
    self.text = text
  }

  /// The longest name that a step may have, in bytes.
  static let longestName = KeyTable<LayoutEdge>.longest

  /// Returns the path that consists of one name, with its special characters escaped: `a.b` →
  /// `a\.b`.
  static func text(of name: String) -> String {
    name.reduce(into: "") { text, character in
      if "\\.[".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  /// Returns the path to another member of the same object.
  ///
  /// Example: the path `a.price` and the name `fee` result in `a.fee`. `nil` for a path that ends
  /// with a bracket.
  func beside(_ name: String) -> FieldPath? {
    guard case .member(let own) = steps.last, text.hasSuffix(own) else { return nil }
    return FieldPath(text.dropLast(own.count) + name)
  }

  /// Whether the path ends with a bracket.
  var endsInList: Bool {
    if case .member = steps.last { return false }
    return true
  }

  /// Parses the declaration of a format: on each line a field and the paths to it.
  ///
  /// A backslash before a blank makes the blank part of a name.
  static func declared<Field>(in text: String, field: (String) -> Field?)
    -> [(field: Field, paths: [FieldPath])]
  {
    text.split(separator: "\n").map { line in
      let words = line.replacing("\\ ", with: "\u{A0}").split(separator: " ").map {
        String($0).replacing("\u{A0}", with: " ")
      }
      guard let field = words.first.flatMap(field) else {
        preconditionFailure("\(line) does not begin with a field")
      }
      let paths = words.dropFirst().compactMap(FieldPath.init)
      precondition(paths.count == words.count - 1, "\(line) has a word that is not a path")
      return (field, paths)
    }
  }

  /// Parses the step `[]` or `[key=price]`.
  private static func bracket(_ inner: Substring) -> Step? {
    if inner.isEmpty { return .elements }
    let parts = inner.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      parts.allSatisfy({ $0.utf8.count <= longestName })
    else { return nil }
    return .element(member: String(parts[0]), value: String(parts[1]))
  }
}
