internal import Warehouse
internal import Yams

/// Declares the warehouse as a source for dbt, with descriptions and tests.
enum SourcesFile {
  /// Creates a `sources.yml` for dbt 1.8 and later.
  static func yaml(_ description: WarehouseDescription) throws -> String {
    let source = YAMLText.mapping([
      ("name", YAMLText.text("paidline")),
      (
        "description",
        YAMLText.text(
          "What App Store customers really paid. Money is in thousandths of the currency's main "
            + "unit; never add two currencies.")
      ),
      // DuckDB reads the database under the name that a dbt profile gives it.
      ("database", YAMLText.text("{{ var('paidline_database', target.database) }}")),
      ("schema", YAMLText.text("{{ var('paidline_schema', 'main') }}")),
      ("tables", YAMLText.list(description.tables.map(table))),
    ])
    let root = YAMLText.mapping([
      ("version", Node("2")), ("sources", YAMLText.list([source])),
    ])
    return try YAMLText.page(root, about: "The warehouse as a source of dbt")
  }

  private static func table(_ table: DescribedTable) -> Node {
    var pairs = [
      ("name", YAMLText.text(table.name)), ("description", YAMLText.text(table.grain)),
    ]
    if table.name == "audit_run" {
      // One missed run is a warning, two missed runs are an error.
      pairs.append(("loaded_at_field", YAMLText.text("cast(finished_at as timestamp)")))
      pairs.append(
        (
          "freshness",
          YAMLText.mapping([("warn_after", hours("30")), ("error_after", hours("54"))])
        ))
    }
    pairs.append(
      ("columns", YAMLText.list(table.columns.map { column($0, key: table.primaryKey) })))
    return YAMLText.mapping(pairs)
  }

  private static func hours(_ count: String) -> Node {
    YAMLText.mapping([("count", Node(count)), ("period", YAMLText.text("hour"))])
  }

  private static func column(_ column: DescribedColumn, key: [String]) -> Node {
    var tests: [Node] = []
    if column.isRequired { tests.append(YAMLText.text("not_null")) }
    if key == [column.name] { tests.append(YAMLText.text("unique")) }
    if !column.words.isEmpty {
      let values = YAMLText.list(column.words.map(YAMLText.text))
      tests.append(test("accepted_values", [("values", values)]))
    }
    if let reference = column.reference {
      tests.append(
        test(
          "relationships",
          [
            ("to", YAMLText.text("source('paidline', '\(reference.table)')")),
            ("field", YAMLText.text(reference.column)),
          ]))
    }
    var pairs = [
      ("name", YAMLText.text(column.name)), ("description", YAMLText.text(column.line)),
    ]
    if !tests.isEmpty { pairs.append(("data_tests", YAMLText.list(tests))) }
    return YAMLText.mapping(pairs)
  }

  private static func test(_ name: String, _ arguments: [(String, Node)]) -> Node {
    YAMLText.mapping([(name, YAMLText.mapping(arguments))])
  }
}
