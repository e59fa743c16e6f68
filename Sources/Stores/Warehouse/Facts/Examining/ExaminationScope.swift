internal import GRDB

/// The rows that are examined before they become visible.
///
/// Rows that a run does not touch were examined when they were written. They can break a test only
/// through a row that they point to. Rows that point to a removed row are examined again if the run
/// noted its number; otherwise everything is examined.
enum ExaminationScope: Hashable, Sendable {
  /// All rows.
  case everything
  /// In large tables the rows whose numbers the run noted in `temp.touched_…`; all in the others.
  case touched

  /// The tables whose touched rows are noted, because they are large.
  static let notedTables: Set<String> = [
    "fct_revenue", "fct_revenue_entry", "fct_conversion", "price_evidence",
    "bridge_transaction_id", "dim_subscription", "price_evidence_offer",
  ]

  /// A column of a noted table that holds the numbers of another one's rows.
  private struct Pointer {
    var column: String
    var table: String
    var parent: String
    /// Whether a test reads more of the parent than that it is there.
    var readsParent = false
  }

  private static let pointers: [Pointer] = [
    Pointer(
      column: "evidence_id", table: "fct_revenue", parent: "price_evidence", readsParent: true),
    Pointer(column: "evidence_id", table: "price_evidence_offer", parent: "price_evidence"),
    Pointer(
      column: "purchase_key", table: "fct_revenue_entry", parent: "fct_revenue", readsParent: true),
    Pointer(column: "offer_purchase_key", table: "fct_conversion", parent: "fct_revenue"),
    Pointer(
      column: "converted_purchase_key", table: "fct_conversion", parent: "fct_revenue",
      readsParent: true),
    Pointer(column: "purchase_key", table: "bridge_transaction_id", parent: "fct_revenue"),
    Pointer(column: "basis_purchase_key", table: "fct_revenue", parent: "fct_revenue"),
  ]

  /// The other tables that rows point to: by another column than the number, or their removed rows
  /// are not noted.
  private static let unnotedParents = [
    "bridge_transaction_id", "excluded_purchase", "dim_product",
  ]

  /// The rows to examine after changes.
  init(after changes: [String: TableChanges]) {
    let hasLostParents = Self.unnotedParents.contains {
      changes[$0].map { $0.removed > 0 } ?? true
    }
    self = hasLostParents ? .everything : .touched
  }

  /// Notes the rows, too, that point to noted rows that are gone or say something else now.
  static func notePointers(after changes: [String: TableChanges], on db: Database) throws {
    for pointer in pointers {
      let parent = changes[pointer.parent] ?? TableChanges()
      guard parent.removed > 0 || pointer.readsParent && parent.changed > 0 else { continue }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO temp.touched_\(pointer.table) SELECT rowid FROM \(pointer.table)
          WHERE \(pointer.column) IN (SELECT number FROM temp.touched_\(pointer.parent))
          """)
    }
  }

  /// Lets the name of a noted table mean its touched rows; with `main.` it means all of them.
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

  /// Lets the name of every table mean all its rows again.
  func widen(_ db: Database) throws {
    guard self == .touched else { return }
    for table in Self.notedTables.sorted() { try db.execute(sql: "DROP VIEW temp.\(table)") }
  }
}
