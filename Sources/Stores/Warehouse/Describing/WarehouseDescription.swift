/// The tables, views and metrics of a warehouse, read from the warehouse itself.
///
/// The description is read from `sqlite_schema` and `meta_*`, so that the dictionary, Datasette and
/// dbt agree with the warehouse.
package struct WarehouseDescription: Hashable, Sendable {
  /// The tables and views, in the order of their first questions in ``Question/all``.
  package var tables: [DescribedTable]
  /// The metrics, sorted by name.
  package var metrics: [DescribedMetric]

  init(tables: [DescribedTable], metrics: [DescribedMetric]) {
    let asked = Question.all.map(\.table)
    func place(_ table: DescribedTable) -> Int { asked.firstIndex(of: table.name) ?? asked.count }
    self.tables = tables.sorted { (place($0), $0.name) < (place($1), $1.name) }
    self.metrics = metrics
  }
}

/// One table or view.
package struct DescribedTable: Hashable, Sendable {
  package var name: String
  /// Whether this is a view, not a table.
  package var isView: Bool
  /// The meaning of one row, from the comment in the table's `CREATE` statement.
  package var grain: String
  /// The columns in the table's order.
  package var columns: [DescribedColumn]
  /// The columns of the primary key, in the key's order.
  package var primaryKey: [String]
}

/// One column of a table or view.
package struct DescribedColumn: Hashable, Sendable {
  package var name: String
  /// The type `TEXT` or `INTEGER`; empty for the columns of a view.
  package var type: String
  /// Whether the table declares the column NOT NULL.
  package var isRequired: Bool
  /// The unit of the numbers, such as thousandths of the currency; `nil` for words and keys.
  package var unit: String?
  /// The meaning of NULL in words for analysts; `nil` if the column is never NULL.
  package var nullMeans: String?
  /// The meaning of the column, from `meta_column`; empty if `meta_column` lacks the column.
  package var meaning: String
  /// The words that the column may contain, if a CHECK lists them.
  package var words: [String]
  /// The column that the foreign key of this column references; `nil` without a foreign key.
  package var reference: Reference?

  /// A column of another table.
  package struct Reference: Hashable, Sendable {
    package var table: String
    package var column: String
  }

  /// The meaning, the unit and the meaning of NULL as one line.
  ///
  /// The line is for programs that have a single field for all three texts.
  package var line: String {
    var parts = [meaning]
    if let unit { parts.append("Unit: \(unit).") }
    if let nullMeans { parts.append("NULL: \(nullMeans).") }
    return parts.joined(separator: " ")
  }
}

/// One metric and the view that computes it.
package struct DescribedMetric: Hashable, Sendable {
  package var name: String
  /// The definition of the metric in words, from `meta_metric`.
  package var definition: String
  /// The name of the view that computes the metric.
  package var view: String
  /// The definitions of other tools, such as RevenueCat, if they differ; `nil` if none is known.
  package var differsFrom: String?
}
