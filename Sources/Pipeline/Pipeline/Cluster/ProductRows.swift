internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Purchases

/// The data about products that `merge` found, read from the rows `term`, `kind`, `group`,
/// `sold` and `lengths`.
///
/// Each task of `merge` writes rows for the chains that the task reads. The rows of all tasks may
/// be in any order.
struct ProductRows {
  /// The tags of the rows that `merge` writes about products.
  static let tags: Set<String> = ["group", "kind", "lengths", "sold", "term"]

  private let rows: [FilterRow]

  /// Writes the product facts that one task found in its chains.
  static func write(
    _ facts: ProductFacts, _ symbols: SymbolTable, to output: FilterOutput
  ) throws(RunFailure) {
    func fields(_ product: ProductID) -> ProductFields { ProductFields(product, symbols) }
    for (term, count) in facts.counts.sorted(by: { $0.key < $1.key }) {
      try output.row(TermRow(product: fields(term.productID), period: term.period, rows: count))
    }
    for (product, kind) in facts.shownKinds.sorted(by: { $0.key < $1.key }) {
      try output.row(
        KindRow(product: fields(product), kind: kind, firstSold: facts.firstSold[product]))
    }
    for (product, named) in facts.groups.sorted(by: { $0.key < $1.key }) {
      try output.row(
        GroupRow(
          product: fields(product), at: named.at, group: Array(symbols.utf8(named.group.symbol))))
    }
    for (product, count) in facts.sold.sorted(by: { $0.key < $1.key }) {
      try output.row(SoldRow(product: fields(product), rows: count))
    }
    for (product, chains) in facts.lengths.sorted(by: { $0.key < $1.key }) {
      try output.row(LengthsRow(product: fields(product), chains: chains))
    }
  }

  init(rows: [FilterRow]) { self.rows = rows }

  /// The ids of all products in the rows.
  func names() throws(RunFailure) -> Set<String> {
    var names: Set<String> = []
    for var row in rows { names.insert(String(decoding: try row.requiredText(), as: UTF8.self)) }
    return names
  }

  /// Combines the facts of all tasks.
  ///
  /// The result uses the symbols of `table`, to which missing texts are added.
  func facts(in table: inout SymbolTable) throws(RunFailure) -> ProductFacts {
    var facts = ProductFacts()
    for var row in rows {
      var found = ProductFacts()
      switch row.tag {
      case TermRow.tag:
        let read = try row.read(TermRow.self)
        guard let period = read.period else { throw row.failure("a period") }
        let term = ProductFacts.Term(productID: read.product.product(in: &table), period: period)
        found = ProductFacts(counts: [term: read.rows], shownKinds: [:], groups: [:])
      case KindRow.tag:
        let read = try row.read(KindRow.self)
        let product = read.product.product(in: &table)
        found = ProductFacts(
          counts: [:], shownKinds: [product: read.kind], groups: [:],
          firstSold: read.firstSold.map { [product: $0] } ?? [:])
      case SoldRow.tag:
        let read = try row.read(SoldRow.self)
        found = ProductFacts(
          counts: [:], shownKinds: [:], groups: [:],
          sold: [read.product.product(in: &table): read.rows])
      case LengthsRow.tag:
        let read = try row.read(LengthsRow.self)
        found = ProductFacts(
          counts: [:], shownKinds: [:], groups: [:],
          lengths: [read.product.product(in: &table): read.chains])
      default:
        let read = try row.read(GroupRow.self)
        let product = read.product.product(in: &table)
        let group = ProductFacts.NamedGroup(
          at: read.at, group: SubscriptionGroupID(table.intern(read.group.span)))
        found = ProductFacts(counts: [:], shownKinds: [:], groups: [product: group])
      }
      facts.add(found)
    }
    return facts
  }
}

/// How often the periods of a product show a length.
private struct TermRow: CodedRow {
  static let tag = "term"
  var product = ProductFields()
  var period: Period?
  var rows = 0

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("period", &period)
    try coder.code("rows", number: &rows)
  }
}

/// The kind of a product that its rows show.
private struct KindRow: CodedRow {
  static let tag = "kind"
  var product = ProductFields()
  var kind = ProductKind.autoRenewableSubscription
  var firstSold: Instant?

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("kind", word: &kind)
    try coder.code("first_sold_at", &firstSold)
  }
}

/// The newest subscription group of a product.
private struct GroupRow: CodedRow {
  static let tag = "group"
  var product = ProductFields()
  var at = Instant.epoch
  var group: [UInt8] = []

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("at", &at)
    try coder.code("group_id", bytes: &group)
  }
}

/// The number of purchases of a product.
private struct SoldRow: CodedRow {
  static let tag = "sold"
  var product = ProductFields()
  var rows = 0

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("rows", number: &rows)
  }
}

/// The lengths of the chains of a product.
private struct LengthsRow: CodedRow {
  static let tag = "lengths"
  var product = ProductFields()
  var chains = ChainLengths(all: 0, monthly: 0, yearly: 0)

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try product.coded(by: &coder)
    try coder.code("chains", number: &chains.all)
    try coder.code("monthly", number: &chains.monthly)
    try coder.code("yearly", number: &chains.yearly)
  }
}
