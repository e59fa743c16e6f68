internal import Warehouse
internal import Yams

/// The warehouse as Datasette shows it: descriptions, units and canned queries.
enum DatasetteMetadata {
  /// Writes the warehouse's description in the form of Datasette's metadata.
  ///
  /// Units are in the descriptions, because Datasette's own `units` scales figures and has no
  /// thousandths of a varying currency.
  ///
  /// - Parameters:
  ///   - description: the warehouse's description of itself.
  ///   - database: the name of its file without the extension, by which Datasette knows it.
  /// - Returns: the text of a `metadata.yaml`.
  /// - Throws: if YAML cannot express it.
  static func yaml(_ description: WarehouseDescription, database: String) throws -> String {
    let tables = description.tables.map { table in
      (table.name, self.table(table, metrics: description.metrics))
    }
    let queries = Question.all.filter(\.isCanned).map { question in
      (
        question.name,
        mapping([
          ("title", text(question.text)), ("description", text("Asks \(question.table).")),
          ("sql", text(question.sql)),
        ])
      )
    }
    let root = mapping([
      ("title", text("Paidline: what customers really paid")),
      (
        "description",
        text(
          "One row per App Store purchase, with the rule that decided its amount. Money is in "
            + "thousandths of the currency's main unit; never add two currencies.")
      ),
      (
        "databases",
        mapping([
          (
            database,
            mapping([("tables", mapping(tables)), ("queries", mapping(queries))])
          )
        ])
      ),
    ])
    return try YAMLText.page(root, about: "Datasette's metadata of the warehouse")
  }

  private static func table(_ table: DescribedTable, metrics: [DescribedMetric]) -> Node {
    let computed = metrics.filter { $0.view == table.name }.map { metric in
      "\(metric.name): \(metric.definition)" + (metric.differsFrom.map { " \($0)" } ?? "")
    }
    return mapping([
      ("description", text(([table.grain] + computed).joined(separator: " "))),
      ("columns", mapping(table.columns.map { ($0.name, text($0.line)) })),
    ])
  }

  private static func mapping(_ pairs: [(String, Node)]) -> Node { YAMLText.mapping(pairs) }
  private static func text(_ text: String) -> Node { YAMLText.text(text) }
}

/// YAML pages that this program writes.
enum YAMLText {
  /// A mapping whose keys keep their order.
  static func mapping(_ pairs: [(String, Node)]) -> Node {
    Node(pairs.map { (Node($0.0), $0.1) })
  }

  /// A text, in quotes where it needs them.
  static func text(_ text: String) -> Node {
    text.contains("\n")
      ? Node(text, Tag(.str), .literal) : Node(text, Tag(.str), .doubleQuoted)
  }

  static func list(_ items: [Node]) -> Node { Node(items) }

  /// A page with a first line about its origin.
  static func page(_ root: Node, about: String) throws -> String {
    let yaml = try Yams.serialize(node: root, width: -1, allowUnicode: true)
    return "# \(about), written by paidline-publish.\n\(yaml)"
  }
}
