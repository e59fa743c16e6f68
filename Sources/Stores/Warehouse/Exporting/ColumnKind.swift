internal import GRDB

/// The type of a column's values in an export.
enum ColumnKind: Hashable {
  case text, whole, decimal

  /// Determines the kinds of a table's or view's columns from the schema, not from the rows.
  ///
  /// The declared type decides. A computed column of a view has no declared type; its name decides:
  /// - A name that a text column of any table has, or a name that ends in `_date`, `_month`, `_at`,
  ///   `_product_id` or `_bundle_id` → text.
  /// - A name such as `paid`, if the view also has `paid_milli` or `paid_micros` → decimal.
  /// - Any other name, such as `paying_customers` → whole number.
  struct Reader {
    private let columns: Set<String>
    private let texts: Set<String>

    /// Reads the names of all text columns of the warehouse's tables.
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

    /// The kind of a column, determined by its name and its declared type.
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
