internal import Warehouse
internal import Yams

/// Datasette's metadata about the warehouse: descriptions, units and canned queries.
enum DatasetteMetadata {
  /// Creates the metadata from the descriptions of the tables.
  ///
  /// Units are part of the descriptions. Datasette's own `units` would scale numbers, and cannot
  /// express thousandths of a currency that differs by row.
  static func yaml(_ description: WarehouseDescription, database: String) throws -> String {
    let tables = description.tables.map { table in
      (table.name, self.table(table, metrics: description.metrics))
    }
    let queries = Question.all.filter(\.isCanned).map { question in
      (
        question.name,
        mapping([
          ("title", text(question.text)),
          ("description", text("A query of \(question.table).")),
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

/// Creates YAML with its keys in the given order.
enum YAMLText {
  /// A mapping whose keys stay in order.
  static func mapping(_ pairs: [(String, Node)]) -> Node {
    Node(pairs.map { (Node($0.0), $0.1) })
  }

  /// A text: in quotes, or as a block if it has several lines.
  static func text(_ text: String) -> Node {
    text.contains("\n")
      ? Node(text, Tag(.str), .literal) : Node(text, Tag(.str), .doubleQuoted)
  }

  static func list(_ items: [Node]) -> Node { Node(items) }

  /// Creates the text of a YAML file; its first line is a comment about the file's origin.
  static func page(_ root: Node, about: String) throws -> String {
    let yaml = try Yams.serialize(node: root, width: -1, allowUnicode: true)
    return "# \(about), written by paidline-publish.\n\(yaml)"
  }
}
