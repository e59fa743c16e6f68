/// The index of a name in one of the key tables of a ``PathTable``.
struct LayoutEdge: RawRepresentable, Sendable {
  let rawValue: UInt8
}

/// The paths of a layout, compiled once, so that one pass over a record finds all values.
///
/// The paths form a tree. Each node is an object, with its known members and the nodes below them.
struct PathTable: Sendable {
  /// The index of a node; the root is 0.
  typealias NodeIndex = Int

  /// An object's member that a path needs.
  struct Edge: BitwiseCopyable, Sendable {
    /// The field whose path ends at this member; `nil` if no path ends here.
    var field: UInt8?
    /// The rank of the path among the paths of the field; the preferred path has 0.
    var rank: UInt16 = 0
    /// The node with the members of an object that is this member's value.
    ///
    /// The object is JSON, or JSON text in a string. `nil` if no path leads into an object.
    var object: NodeIndex?
    /// The node with the members of each element, if this member's value is a list.
    ///
    /// `nil` if no path leads into a list.
    var element: NodeIndex?
    /// Whether each element of the list is an offer; otherwise each element is a report.
    var holdsOffers = false
    /// The position of the ``Picker`` that selects elements of the list by one of their members.
    var picker: Int?
    /// The position of the edge's path in ``PathTable/paths``.
    var path: Int32 = 0

    /// Whether a path continues below the member, in an object or a list.
    var leadsOn: Bool { object != nil || element != nil || picker != nil }
  }

  struct Node: Sendable {
    var names: KeyTable<LayoutEdge>
    var edges: [Edge]
  }

  /// Selects elements of a list by the value of one member.
  struct Picker: Sendable {
    /// A table with one name: the member by which elements are selected, such as `key`.
    var member: KeyTable<LayoutEdge>
    var values: KeyTable<LayoutEdge>
    var nodes: [NodeIndex]
  }

  private(set) var nodes: [Node] = []
  private(set) var pickers: [Picker] = []
  /// The paths as written, for messages; the path at index 0 is empty.
  let paths: [String]

  /// Combines paths into one tree; throws ``PriceLayout/Fault/ambiguous(_:)``.
  ///
  /// - Parameters:
  ///   - targets: The paths, each with its field and its rank; of several paths to a field, the
  ///     path with the lowest rank is preferred.
  ///   - isOfOffer: Returns true for a field of an offer: a list on the path to this field contains
  ///     offers, not reports.
  init(
    _ targets: [(field: UInt8, rank: Int, path: FieldPath)], envelopes: [String] = [],
    isOfOffer: (UInt8) -> Bool = { _ in false }
  ) throws(PriceLayout.Fault) {
    var draft = PathDraft()
    for target in targets {
      try draft.add(
        target.path, target.field, rank: target.rank, isOfOffer: isOfOffer(target.field))
    }
    for name in envelopes { draft.addEnvelope(name) }
    paths = draft.paths
    for node in draft.nodes {
      // A key table has at most 64 members.
      guard node.edges.count <= 64 else { throw .ambiguous(node.edges[64].name) }
      nodes.append(Node(names: Self.table(node.edges.map(\.name)), edges: node.edges.map(\.edge)))
    }
    pickers = draft.pickers.map { picker in
      Picker(
        member: Self.table([picker.member]), values: Self.table(picker.choices.map(\.value)),
        nodes: picker.choices.map(\.node))
    }
  }

  private static func table(_ names: [String]) -> KeyTable<LayoutEdge> {
    KeyTable(names: names.enumerated().map { (Array($1.utf8), LayoutEdge(rawValue: UInt8($0))) })
  }

  /// The edges for the columns that a text table may have, keyed by column name.
  ///
  /// A cell contains a value, or JSON text of an object or list.
  var columns: [String: Edge] {
    var columns: [String: Edge] = [:]
    func add(_ node: NodeIndex, under prefix: String, depth: Int) {
      for edge in nodes[node].edges.indices {
        let name = prefix + nodes[node].names.name(ofRawValue: UInt8(edge))
        if columns[name] == nil { columns[name] = nodes[node].edges[edge] }
        // An envelope has the members of the root, so it has the same columns.
        if let object = nodes[node].edges[edge].object, object != 0, depth < 8 {
          add(object, under: name + ".", depth: depth + 1)
        }
      }
    }
    add(0, under: "", depth: 0)
    return columns
  }
}

/// The tree of paths while a ``PathTable`` is created.
private struct PathDraft {
  struct Node {
    var edges: [(name: String, edge: PathTable.Edge)] = []
  }

  struct Picker {
    var member: String
    var choices: [(value: String, node: Int)] = []
  }

  var nodes = [Node()]
  var pickers: [Picker] = []
  var paths = [""]

  mutating func add(
    _ path: FieldPath, _ field: UInt8, rank: Int, isOfOffer: Bool
  ) throws(PriceLayout.Fault) {
    var node = 0
    var edge = 0
    var lists = 0
    for (index, step) in path.steps.enumerated() {
      switch step {
      case .member(let name):
        if index > 0, case .member = path.steps[index - 1] { node = object(behind: edge, of: node) }
        edge = self.edge(name, of: node)
      case .elements:
        lists += 1
        guard lists == 1 else { throw .ambiguous(path.text) }
        nodes[node].edges[edge].edge.holdsOffers = isOfOffer
        node = element(behind: edge, of: node)
      case .element(let member, let value):
        node = element(with: member, value, behind: edge, of: node)
      }
    }
    // Another field has this path.
    guard nodes[node].edges[edge].edge.field == nil else { throw .ambiguous(path.text) }
    nodes[node].edges[edge].edge.field = field
    nodes[node].edges[edge].edge.rank = UInt16(clamping: rank)
    nodes[node].edges[edge].edge.path = Int32(paths.count)
    paths.append(path.text)
  }

  /// Adds an envelope: a member of the root whose own members are treated like members of the root.
  ///
  /// The envelope is an object or a list of objects. Does nothing if the name is already the start
  /// of a longer path, such as `data` of `data.price`.
  mutating func addEnvelope(_ name: String) {
    let edge = edge(name, of: 0)
    guard !nodes[0].edges[edge].edge.leadsOn else { return }
    nodes[0].edges[edge].edge.object = 0
    nodes[0].edges[edge].edge.element = 0
  }

  private mutating func edge(_ name: String, of node: Int) -> Int {
    if let known = nodes[node].edges.firstIndex(where: { $0.name == name }) { return known }
    var edge = PathTable.Edge()
    // Until a path ends here, messages name the member itself.
    edge.path = Int32(paths.count)
    paths.append(FieldPath.text(of: name))
    nodes[node].edges.append((name, edge))
    return nodes[node].edges.count - 1
  }

  private mutating func newNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func object(behind edge: Int, of node: Int) -> Int {
    if let known = nodes[node].edges[edge].edge.object { return known }
    let new = newNode()
    nodes[node].edges[edge].edge.object = new
    return new
  }

  private mutating func element(behind edge: Int, of node: Int) -> Int {
    if let known = nodes[node].edges[edge].edge.element { return known }
    let new = newNode()
    nodes[node].edges[edge].edge.element = new
    return new
  }

  private mutating func element(
    with member: String, _ value: String, behind edge: Int, of node: Int
  ) -> Int {
    let picker = nodes[node].edges[edge].edge.picker ?? pickers.count
    if picker == pickers.count { pickers.append(Picker(member: member)) }
    nodes[node].edges[edge].edge.picker = picker
    if let known = pickers[picker].choices.first(where: { $0.value == value }) { return known.node }
    let new = newNode()
    pickers[picker].choices.append((value, new))
    return new
  }
}
