/// The tables and views of a warehouse, in its own words.
///
/// Read from `sqlite_schema` and `meta_*`, so that the dictionary, Datasette and dbt all agree with
/// the warehouse.
struct WarehouseDescription: Hashable, Sendable {
  /// The tables, then the views, in the order in which questions are asked of them.
  var tables: [DescribedTable]
  /// The metrics, by name.
  var metrics: [DescribedMetric]

  /// Describes a warehouse.
  init(tables: [DescribedTable], metrics: [DescribedMetric]) {
    let asked = Question.all.map(\.table)
    func place(_ table: DescribedTable) -> Int { asked.firstIndex(of: table.name) ?? asked.count }
    self.tables = tables.sorted { (place($0), $0.name) < (place($1), $1.name) }
    self.metrics = metrics
  }
}

/// One table or view.
struct DescribedTable: Hashable, Sendable {
  /// Its name.
  var name: String
  /// Whether it is a view.
  var isView: Bool
  /// The meaning of one row.
  var grain: String
  /// Its columns, in their order.
  var columns: [DescribedColumn]
  /// The columns of its primary key, in their order.
  var primaryKey: [String]

  /// Describes a table.
  init(
    name: String, isView: Bool, grain: String, columns: [DescribedColumn], primaryKey: [String]
  ) {
    self.name = name
    self.isView = isView
    self.grain = grain
    self.columns = columns
    self.primaryKey = primaryKey
  }
}

/// One column of a table or view.
struct DescribedColumn: Hashable, Sendable {
  /// Its name.
  var name: String
  /// `TEXT` or `INTEGER`; empty for a computed column of a view.
  var type: String
  /// Whether it is never NULL, by the table's own word.
  var isRequired: Bool
  /// The unit of its numbers, such as thousandths of the currency; `nil` for words and keys.
  var unit: String?
  /// The meaning of NULL in it.
  var nullMeans: String?
  /// The meaning of the column.
  var meaning: String
  /// The words it may hold, where a CHECK lists them.
  var words: [String]
  /// The table and column it refers to by a foreign key.
  var reference: Reference?

  /// A column of another table.
  struct Reference: Hashable, Sendable {
    /// The other table.
    var table: String
    /// Its column.
    var column: String

    /// Describes where a foreign key leads.
    init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// Describes a column.
  init(
    name: String, type: String, isRequired: Bool, unit: String?, nullMeans: String?,
    meaning: String, words: [String] = [], reference: Reference? = nil
  ) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.unit = unit
    self.nullMeans = nullMeans
    self.meaning = meaning
    self.words = words
    self.reference = reference
  }

  /// The meaning with unit and NULL in one line, for programs with one field for all of it.
  var line: String {
    var parts = [meaning]
    if let unit { parts.append("Unit: \(unit).") }
    if let nullMeans { parts.append("NULL: \(nullMeans).") }
    return parts.joined(separator: " ")
  }
}

/// One metric and the view that computes it.
struct DescribedMetric: Hashable, Sendable {
  /// Its name.
  var name: String
  /// The definition of its calculation.
  var definition: String
  /// The view that computes it.
  var view: String
  /// A different number of the same name elsewhere, and the reason.
  var differsFrom: String?

  /// Describes a metric.
  init(name: String, definition: String, view: String, differsFrom: String?) {
    self.name = name
    self.definition = definition
    self.view = view
    self.differsFrom = differsFrom
  }
}
