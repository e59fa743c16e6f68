internal import GRDB

/// Values that a column holds.
enum ColumnKind: Hashable {
  case text, whole, decimal

  /// Finds the kinds of the columns of one table or view, whatever rows it has.
  ///
  /// A column that a view computes has no declared type. It gets the type of the tables' column
  /// of the same name; `paid` beside `paid_milli` is a decimal; days and months are text; all
  /// others are whole. `month` → text, `paying_customers` → whole.
  struct Reader {
    private let columns: Set<String>
    private let texts: Set<String>

    /// Reads which columns of tables hold text.
    init(columns: Set<String>, on db: Database) throws {
      self.columns = columns
      texts = try Set(
        String.fetchAll(
          db,
          sql: """
            SELECT DISTINCT p.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS p
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND p.type = 'TEXT'
            """))
    }

    /// The kind of a column, by its name and the type that SQLite knows of it.
    func kind(of name: String, type: String) -> ColumnKind {
      switch type {
      case "TEXT": .text
      case "INTEGER": .whole
      case "REAL": .decimal
      default:
        if texts.contains(name) || name.hasSuffix("_date") || name.hasSuffix("_month")
          || name.hasSuffix("_product_id") || name.hasSuffix("_bundle_id") || name.hasSuffix("_at")
        {
          .text
        } else if columns.contains("\(name)_milli") || columns.contains("\(name)_micros") {
          .decimal
        } else {
          .whole
        }
      }
    }
  }
}
