internal import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import Purchases

/// The data about products that `merge` found, read from the rows `term`, `kind`, `group`,
/// `sold` and `lengths`.
///
/// Each task of `merge` writes rows for the chains that the task reads. The rows of all tasks may
/// be in any order.
package struct ProductRows {
  /// The tags of the rows in the file that `--products` names.
  static let tags: Set<String> = ["group", "kind", "lengths", "sold", "term"]

  private struct ParsedRow {
    var product: [UInt8]
    var app: [UInt8]?
    var sold: Int?
    var term: (period: Period, count: Int)?
    var kind: ProductKind?
    var firstSold: Instant?
    var group: (at: Instant, id: [UInt8])?
    var lengths: ChainLengths?
  }

  private var parsed: [ParsedRow] = []

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

  /// Reads the file that `--products` names.
  package init(path: String) throws(RunFailure) {
    try self.init(rows: try FilterInput.rows(ofFile: path, Self.tags))
  }

  init(rows: [FilterRow]) throws(RunFailure) {
    for var row in rows {
      var parsed = ParsedRow(product: try row.requiredText(), app: try row.text())
      switch row.tag {
      case "term":
        let (count, unit) = (try row.number32(), try row.number())
        guard let unit = UInt8(exactly: unit).flatMap(Period.Unit.init),
          let period = Period(Int(count), unit)
        else { throw row.failure("a period") }
        parsed.term = (period, Int(try row.number()))
      case "kind":
        guard let kind = ProductKind(rawValue: try row.word()) else {
          throw row.failure("a kind of product")
        }
        (parsed.kind, parsed.firstSold) = (kind, try row.moment())
      case "sold": parsed.sold = Int(try row.number())
      case "lengths":
        parsed.lengths = ChainLengths(
          all: Int(try row.number()), monthly: Int(try row.number()),
          yearly: Int(try row.number()))
      default: parsed.group = (Instant(milliseconds: try row.number()), try row.requiredText())
      }
      self.parsed.append(parsed)
    }
  }

  /// The ids of all products in the rows.
  var names: Set<String> { Set(parsed.map { String(decoding: $0.product, as: UTF8.self) }) }

  /// Adds the texts in the rows to a table.
  func intern(into table: inout SymbolTable) {
    for row in parsed {
      _ = table.intern(row.product.span)
      if let app = row.app { _ = table.intern(app.span) }
      if let group = row.group { _ = table.intern(group.id.span) }
    }
  }

  /// Combines the facts of all tasks.
  ///
  /// The result uses the symbols of `table`, to which missing texts are added.
  func facts(in table: inout SymbolTable) -> ProductFacts {
    var facts = ProductFacts()
    for row in parsed {
      let product = ProductID(
        table.intern(row.product.span), of: row.app.map { BundleID(table.intern($0.span)) })
      var counts: [ProductFacts.Term: Int] = [:]
      if let term = row.term {
        counts[ProductFacts.Term(productID: product, period: term.period)] = term.count
      }
      let groups = row.group.map { group in
        ProductFacts.NamedGroup(
          at: group.at, group: SubscriptionGroupID(table.intern(group.id.span)))
      }
      facts.add(
        ProductFacts(
          counts: counts, shownKinds: row.kind.map { [product: $0] } ?? [:],
          groups: groups.map { [product: $0] } ?? [:], sold: row.sold.map { [product: $0] } ?? [:],
          firstSold: row.firstSold.map { [product: $0] } ?? [:],
          lengths: row.lengths.map { [product: $0] } ?? [:]))
    }
    return facts
  }
}
