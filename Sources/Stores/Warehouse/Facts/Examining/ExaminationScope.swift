internal import GRDB

/// The rows that the data tests examine before publication.
///
/// Unchanged rows were examined when they were written. An unchanged row can break a test only if a
/// row that it references was changed or removed. So rows with a reference to a changed or removed
/// row are examined again. All rows are examined if a row was removed from a table for which
/// removed rows are not recorded.
enum ExaminationScope: Hashable, Sendable {
  case everything
  /// The changed rows of large tables, recorded in `temp.touched_…`, and all rows of other tables.
  case touched

  /// The large tables; the rowids of their changed rows are recorded.
  static let notedTables: Set<String> = [
    "fct_revenue", "fct_revenue_entry", "fct_conversion", "price_evidence",
    "bridge_transaction_id", "dim_subscription", "price_evidence_offer",
  ]

  /// A reference from the rows of a table to the rows of another table, the parent.
  private struct Pointer {
    var table: String
    var parent: String
    /// The query for the rowids of the rows that reference a recorded row of the parent.
    var rows: String
    /// The columns of the parent, other than the key, that a data test reads through the reference.
    var read: Set<String> = []

    init(_ column: String, of table: String, to parent: String, reading read: Set<String> = []) {
      self.table = table
      self.parent = parent
      self.read = read
      rows = """
        SELECT rowid FROM \(table)
        WHERE \(column) IN (SELECT number FROM temp.touched_\(parent))
        """
    }

    /// Creates the reference from ledger entries to their purchases.
    ///
    /// The entries are found by their keys, which differ from the purchase's key only in the last
    /// two bits. Refunds of single items have other keys, so this reference does not find them.
    init(entriesReading read: Set<String>) {
      (table, parent) = ("fct_revenue_entry", "fct_revenue")
      self.read = read
      rows = """
        SELECT e.entry_key FROM temp.touched_fct_revenue AS t CROSS JOIN fct_revenue_entry AS e
          ON e.entry_key BETWEEN t.number & ~3 AND t.number | 3
        """
    }
  }

  private static let pointers: [Pointer] = [
    Pointer("evidence_id", of: "fct_revenue", to: "price_evidence", reading: ["verdict"]),
    Pointer("evidence_id", of: "price_evidence_offer", to: "price_evidence"),
    Pointer(
      entriesReading: [
        "currency", "paid_milli", "purchased_date", "refunded_milli", "reversal_kind",
        "reversed_at",
      ]),
    Pointer("offer_purchase_key", of: "fct_conversion", to: "fct_revenue"),
    Pointer(
      "converted_purchase_key", of: "fct_conversion", to: "fct_revenue",
      reading: ["original_transaction_id", "purchased_at"]),
    Pointer("purchase_key", of: "bridge_transaction_id", to: "fct_revenue"),
  ]

  /// The referenced tables for which removed rows are not recorded.
  ///
  /// If one of their rows is removed, all rows are examined.
  private static let unnotedParents = [
    "excluded_purchase", "dim_product",
  ]

  /// Determines which rows to examine, from the changes to each table.
  init(after changes: [String: TableChanges]) {
    let hasLostParents = Self.unnotedParents.contains {
      changes[$0].map { $0.removed > 0 } ?? true
    }
    self = hasLostParents ? .everything : .touched
  }

  /// Records the rows that reference a changed or removed row, so that data tests examine them.
  static func notePointers(after changes: [String: TableChanges], on db: Database) throws {
    for pointer in pointers {
      let parent = changes[pointer.parent] ?? TableChanges()
      guard parent.removed > 0 || !pointer.read.isDisjoint(with: parent.changedColumns) else {
        continue
      }
      try db.execute(
        sql: "INSERT OR IGNORE INTO temp.touched_\(pointer.table) \(pointer.rows)")
    }
  }

  /// Creates temporary views that limit the data tests to recorded rows.
  ///
  /// Each view has the name of a recorded table. The prefix `main.` still means all rows.
  func narrow(_ db: Database) throws {
    guard self == .touched else { return }
    for table in Self.notedTables.sorted() {
      try db.execute(
        sql: """
          CREATE TEMP VIEW \(table) AS SELECT * FROM main.\(table)
          WHERE rowid IN (SELECT number FROM temp.touched_\(table))
          """)
    }
  }

  /// Removes the temporary views, so that table names mean all rows again.
  func widen(_ db: Database) throws {
    guard self == .touched else { return }
    for table in Self.notedTables.sorted() { try db.execute(sql: "DROP VIEW temp.\(table)") }
  }
}
