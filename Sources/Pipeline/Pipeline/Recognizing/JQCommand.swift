/// A command of jq that writes each record of a nested object or list on a line of its own.
///
/// Example: `{"users":{"u1":{"name":"Ana","receipt":{…}},…}}` →
/// `jq -c '.users | to_entries[] | {customer_id: .key} + (.value | objects) | select(.receipt)'`.
struct JQCommand: Hashable {
  enum Step: Hashable {
    case name(String)
    /// Each member of an object, or each element of a list.
    case each
  }

  /// The command.
  let text: String
  /// Whether the key of a member is written as the customer.
  let usesKey: Bool

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - steps: The path to a record; its last step is ``Step/each``.
  ///   - tail: The names from a record to Apple's response in it; empty for a record that is the
  ///     response itself; `nil` for records without a response.
  ///   - usesKey: Whether the first key at which the path has ``Step/each`` is the customer.
  init(to steps: [Step], tail: [String]? = nil, usesKey: Bool) {
    self.usesKey = usesKey
    var outer: [Step] = steps
    var inner: [Step] = []
    if usesKey, let first = steps.firstIndex(of: .each) {
      (outer, inner) = (Array(steps[..<first]), Array(steps[(first + 1)...]))
    }
    let response = (tail ?? []).map { ".\(Self.name($0))" }.joined()
    var filter = Self.path(outer)
    if usesKey {
      let value = Self.path([.name("value")] + inner)
      filter = (filter == "." ? "" : "\(filter) | ") + "to_entries[] | "
      filter +=
        tail == []
        ? "{customer_id: .key, response: \(value)}"
        : "{customer_id: .key} + (\(value) | objects)"
      // Most customers buy nothing.
      if !response.isEmpty { filter += " | select(\(response))" }
    }
    text = "jq -c '\(filter.replacing("'", with: "'\\''"))'"
  }

  /// A path as jq writes it: `.users[].purchases[]?`.
  private static func path(_ steps: [Step]) -> String {
    var text = steps.first == .each ? "." : ""
    for step in steps {
      switch step {
      case .name(let name): text += ".\(Self.name(name))"
      // Not every member has what one has.
      case .each: text += steps[0] == .name("value") || text.contains("[]") ? "[]?" : "[]"
      }
    }
    return text.isEmpty ? "." : text
  }

  /// A name as jq writes it.
  private static func name(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil ? name : RecognizedInput.quoted(name)
  }
}
