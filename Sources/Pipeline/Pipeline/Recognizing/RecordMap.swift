/// An object whose members are records: `{"doc1":{…},"doc2":{…}}`, as databases of documents export
/// a collection.
///
/// Its keys are ids, not columns. A search for columns among them would mix the values of several
/// records, and would take longer with each of them.
struct RecordMap: Hashable {
  /// The command that writes one record per line.
  let command: JQCommand

  /// The description of a file that holds the object, with what to do.
  var words: String {
    "one object with a key for each \(command.usesKey ? "customer" : "record"); write one record "
      + "per line, for example with \(command.text)"
  }

  /// The number of values that two records have in common at least; of many records, two.
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
    // The object may itself be one of several: `{"users":{"u1":{"purchases":{"p1":{…}}}}}`.
    let several = names.indices.dropLast().filter { place in
      let others = root.at(names[..<place])?.members.filter { $0.key != names[place] } ?? [:]
      return others.values.contains { $0.at(names[(place + 1)...])?.holdsObjects ?? false }
    }
    let first = several.first ?? names.count
    command = JQCommand(
      to: names.indices.map { several.contains($0) ? .each : .name(names[$0]) } + [.each],
      usesKey: Self.isOfCustomers(names[..<first]) ?? false)
  }

  /// Describes the responses of Apple in a file's only record.
  ///
  /// - Parameters:
  ///   - answers: The paths to the responses.
  ///   - paths: The paths to the record's values.
  /// - Returns: `nil` if the responses are not those of several records.
  init?(of answers: [String], among paths: [String]) {
    let customers = KeySearch.places(of: "customer_id", among: paths).map(Self.names)
    // Of responses with different names, such as `receipt` and `old`, the most common are meant.
    let groups = Dictionary(grouping: answers.map(Self.names), by: \.count).values.flatMap { all in
      [all] + Dictionary(grouping: all) { $0.last ?? "" }.values
    }
    var best: (answers: [[String]], each: [Int])?
    for group in groups {
      let each = Self.placesOfEach(in: group)
      guard !each.isEmpty else { continue }
      let isBetter = best.map { ($0.answers.count, -$0.each.count) < (group.count, -each.count) }
      if isBetter ?? true { best = (group, each) }
    }
    guard let best, let names = best.answers.first, let first = best.each.first,
      let last = best.each.last
    else { return nil }
    let isOfOne = customers.contains { names[..<first].starts(with: $0.dropLast()) }
    guard !isOfOne || best.answers.count >= Self.manyRecords else { return nil }
    let hasCustomer = customers.contains {
      $0.starts(with: names[...last]) && $0.count > last + 1 && !$0.starts(with: names)
    }
    command = JQCommand(
      to: names[...last].enumerated().map { best.each.contains($0) ? .each : .name($1) },
      tail: Array(names[(last + 1)...]),
      usesKey: Self.isOfCustomers(names[..<first]) ?? !hasCustomer)
  }

  /// Whether an object with a path has a member for each customer; `nil` if its name says nothing.
  private static func isOfCustomers(_ path: ArraySlice<String>) -> Bool? {
    let name = path.last?.lowercased().filter { $0.isLetter || $0.isNumber } ?? ""
    if ["users", "customers", "accounts", "members", "clients"].contains(name) { return true }
    let purchases = [
      "receipts", "purchases", "transactions", "orders", "payments", "subscriptions", "responses",
    ]
    return purchases.contains(name) ? false : nil
  }

  /// The places at which paths of one length differ, or have a list.
  ///
  /// Empty if all are equal.
  private static func placesOfEach(in paths: [[String]]) -> [Int] {
    guard let first = paths.first else { return [] }
    let differing = first.indices.filter { place in paths.contains { $0[place] != first[place] } }
    guard !differing.isEmpty else { return [] }
    return first.indices.filter { differing.contains($0) || first[$0] == "[]" }
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

    /// The value at a path; `nil` if there is none.
    func at(_ path: ArraySlice<String>) -> Node? {
      guard let name = path.first else { return self }
      return members[name]?.at(path.dropFirst())
    }

    /// Whether a member is an object.
    var holdsObjects: Bool { members.values.contains { !$0.names.isEmpty } }

    /// The paths to the values in it.
    var places: Set<[String]> {
      var places: Set<[String]> = []
      for (name, member) in members {
        let inner = member.places
        places.formUnion(inner.isEmpty ? [[name]] : Set(inner.map { [name] + $0 }))
      }
      return places
    }

    /// Whether the members are objects with mostly equal values.
    var holdsRecords: Bool {
      guard names.count > 1, let first = members[names[0]]?.places,
        members[names[names.count - 1]]?.names.isEmpty == false
      else { return false }
      // The list of paths may end within the last record.
      let others = names.count > 2 ? names.dropFirst().dropLast() : names.dropFirst()
      let least = names.count < RecordMap.manyRecords ? RecordMap.commonValues : 2
      return others.allSatisfy { name in
        guard let other = members[name]?.places else { return false }
        let common = first.intersection(other).count
        return common >= least && common * 2 >= max(first.count, other.count)
      }
    }
  }

  private static func find(in node: Node, below path: [String], isAlone: Bool) -> [String]? {
    if node.holdsRecords, isAlone || node.names.count >= manyRecords { return path }
    let isAlone = isAlone && node.members.values.allSatisfy { !$0.names.isEmpty }
    for name in node.names where name != "[]" {
      guard let member = node.members[name],
        let found = find(in: member, below: path + [name], isAlone: isAlone)
      else { continue }
      return found
    }
    return nil
  }

  /// The names that a path joins by dots: `a[].b\.c` → `a`, `[]` and `b.c`.
  private static func names(of path: String) -> [String] {
    var names = [""]
    var isEscaped = false
    var rest = path[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "." where !isEscaped: names.append("")
      case "[" where !isEscaped && rest.first == "]":
        rest.removeFirst()
        names.append("[]")
      default:
        names[names.count - 1].append(character)
        isEscaped = false
      }
    }
    return names
  }
}
