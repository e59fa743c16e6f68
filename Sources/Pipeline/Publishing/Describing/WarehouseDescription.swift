/// The tables and views of a warehouse, in its own words.
///
/// Read from `sqlite_schema` and `meta_*`, so that the dictionary, Datasette and dbt all agree with
/// the warehouse.
public struct WarehouseDescription: Hashable, Sendable {
  /// The tables, then the views, in the order in which questions are asked of them.
  public var tables: [DescribedTable]
  /// The metrics, by name.
  public var metrics: [DescribedMetric]

  /// Describes a warehouse.
  public init(tables: [DescribedTable], metrics: [DescribedMetric]) {
    let asked = Question.all.map(\.table)
    func place(_ table: DescribedTable) -> Int { asked.firstIndex(of: table.name) ?? asked.count }
    self.tables = tables.sorted { (place($0), $0.name) < (place($1), $1.name) }
    self.metrics = metrics
  }
}

/// One table or view.
public struct DescribedTable: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Whether it is a view.
  public var isView: Bool
  /// The meaning of one row.
  public var grain: String
  /// Its columns, in their order.
  public var columns: [DescribedColumn]
  /// The columns of its primary key, in their order.
  public var primaryKey: [String]

  /// Describes a table.
  public init(
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
public struct DescribedColumn: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// `TEXT` or `INTEGER`; empty for a computed column of a view.
  public var type: String
  /// Whether it is never NULL, by the table's own word.
  public var isRequired: Bool
  /// The unit of its numbers, such as thousandths of the currency; `nil` for words and keys.
  public var unit: String?
  /// The meaning of NULL in it.
  public var nullMeans: String?
  /// The meaning of the column.
  public var meaning: String
  /// The words it may hold, where a CHECK lists them.
  public var words: [String]
  /// The table and column it refers to by a foreign key.
  public var reference: Reference?

  /// A column of another table.
  public struct Reference: Hashable, Sendable {
    /// The other table.
    public var table: String
    /// Its column.
    public var column: String

    /// Describes where a foreign key leads.
    public init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// Describes a column.
  public init(
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
public struct DescribedMetric: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The definition of its calculation.
  public var definition: String
  /// The view that computes it.
  public var view: String
  /// A different number of the same name elsewhere, and the reason.
  public var differsFrom: String?

  /// Describes a metric.
  public init(name: String, definition: String, view: String, differsFrom: String?) {
    self.name = name
    self.definition = definition
    self.view = view
    self.differsFrom = differsFrom
  }
}
