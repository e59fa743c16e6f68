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
    func fields(_ product: ProductID) -> [FilterField] { FilterField.product(product, symbols) }
    for (term, count) in facts.counts.sorted(by: { $0.key < $1.key }) {
      try output.row(
        "term",
        fields(term.productID) + [
          .number(Int64(term.period.count)), .number(Int64(term.period.unit.rawValue)),
          .number(Int64(count)),
        ])
    }
    for (product, kind) in facts.shownKinds.sorted(by: { $0.key < $1.key }) {
      try output.row(
        "kind",
        fields(product) + [.word(kind.rawValue), .number(facts.firstSold[product]?.milliseconds)])
    }
    for (product, named) in facts.groups.sorted(by: { $0.key < $1.key }) {
      try output.row(
        "group",
        fields(product) + [
          .number(named.at.milliseconds), .text(Array(symbols.utf8(named.group.symbol))),
        ])
    }
    for (product, count) in facts.sold.sorted(by: { $0.key < $1.key }) {
      try output.row("sold", fields(product) + [.number(Int64(count))])
    }
    for (product, chains) in facts.lengths.sorted(by: { $0.key < $1.key }) {
      try output.row(
        "lengths",
        fields(product) + [chains.all, chains.monthly, chains.yearly].map { .number(Int64($0)) })
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
      let product = try row.product(in: &table)
      var found = ProductFacts()
      switch row.tag {
      case "term":
        guard let period = try row.period() else { throw row.failure("a period") }
        let term = ProductFacts.Term(productID: product, period: period)
        found = ProductFacts(counts: [term: Int(try row.number())], shownKinds: [:], groups: [:])
      case "kind":
        guard let kind = ProductKind(rawValue: try row.word()) else {
          throw row.failure("a kind of product")
        }
        found = ProductFacts(
          counts: [:], shownKinds: [product: kind], groups: [:],
          firstSold: try row.moment().map { [product: $0] } ?? [:])
      case "sold":
        found = ProductFacts(
          counts: [:], shownKinds: [:], groups: [:], sold: [product: Int(try row.number())])
      case "lengths":
        let lengths = ChainLengths(
          all: Int(try row.number()), monthly: Int(try row.number()),
          yearly: Int(try row.number()))
        found = ProductFacts(
          counts: [:], shownKinds: [:], groups: [:], lengths: [product: lengths])
      default:
        let group = ProductFacts.NamedGroup(
          at: Instant(milliseconds: try row.number()),
          group: SubscriptionGroupID(try row.symbol(in: &table)))
        found = ProductFacts(counts: [:], shownKinds: [:], groups: [product: group])
      }
      facts.add(found)
    }
    return facts
  }
}
