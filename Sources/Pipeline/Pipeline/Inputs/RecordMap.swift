/// An object whose members are records: `{"doc1":{…},"doc2":{…}}`, as databases of documents export
/// a collection.
///
/// Its keys are ids, not columns. A search for columns among them would mix the values of several
/// records, and would take longer with each of them.
struct RecordMap: Hashable {
  /// The path of the object, as jq writes it: `.__collections__.purchases`.
  let path: String

  /// The description of a file that holds the object, with what to do.
  var words: String { Self.words(path) }

  static func words(_ path: String) -> String {
    "one object with a key for each record; write one record per line, for example with "
      + "jq -c '\(path)[]'"
  }

  /// The number of values that two records have in common at least.
  private static let commonValues = 3
  /// The number of records from which an object is a map although other values stand beside it.
  private static let manyRecords = 10

  /// Finds the first such object among the paths to the values of a file's only record.
  ///
  /// `nil` if the record has none.
  init?(among paths: [String]) {
    var root = Node()
    for path in paths { root.insert(Self.names(of: path)[...]) }
    guard let names = Self.find(in: root, below: [], isAlone: true) else { return nil }
    path = "." + names.map(Self.jq).joined(separator: ".")
  }

  // MARK: Search

  /// A value of the record, with its members in their order.
  private struct Node {
    var names: [String] = []
    var members: [String: Node] = [:]

    mutating func insert(_ path: ArraySlice<String>) {
      guard let name = path.first else { return }
      if members[name] == nil { names.append(name) }
      members[name, default: Node()].insert(path.dropFirst())
    }

    /// Whether the members are objects with mostly equal names.
    var holdsRecords: Bool {
      guard names.count > 1, let first = members[names[0]] else { return false }
      // The list of paths may end within the last record.
      let others = names.count > 2 ? names.dropFirst().dropLast() : names.dropFirst()
      return others.allSatisfy { name in
        guard let other = members[name] else { return false }
        let common = first.names.count { other.members[$0] != nil }
        return common >= RecordMap.commonValues
          && common * 2 >= max(first.names.count, other.names.count)
      } && members[names[names.count - 1]]?.names.isEmpty == false
    }
  }

  private static func find(in node: Node, below path: [String], isAlone: Bool) -> [String]? {
    if node.holdsRecords, isAlone || node.names.count >= manyRecords { return path }
    let isAlone = isAlone && node.members.values.allSatisfy { !$0.names.isEmpty }
    for name in node.names where !name.hasSuffix("[]") {
      guard let member = node.members[name],
        let found = find(in: member, below: path + [name], isAlone: isAlone)
      else { continue }
      return found
    }
    return nil
  }

  // MARK: Paths

  /// The names that a path joins by dots: `a.b\.c` → `a` and `b.c`.
  private static func names(of path: String) -> [String] {
    var names = [""]
    var isEscaped = false
    for character in path {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "." where !isEscaped: names.append("")
      default:
        names[names.count - 1].append(character)
        isEscaped = false
      }
    }
    return names
  }

  /// A name as jq writes it.
  private static func jq(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil ? name : RecognizedInput.quoted(name)
  }
}
