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

  /// Rows of a noted table that point to another one's rows.
  private struct Pointer {
    var table: String
    var parent: String
    /// The numbers of the rows that point to noted rows of the parent.
    var rows: String
    /// The columns of the parent that a test reads beside its number.
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

    /// The entries of purchases: their keys follow from the purchases' keys.
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

  /// The other tables that rows point to: by another column than the number, or their removed rows
  /// are not noted.
  private static let unnotedParents = [
    "excluded_purchase", "dim_product",
  ]

  /// The rows to examine after changes.
  init(after changes: [String: TableChanges]) {
    let hasLostParents = Self.unnotedParents.contains {
      changes[$0].map { $0.removed > 0 } ?? true
    }
    self = hasLostParents ? .everything : .touched
  }

  /// Notes the rows, too, that point to noted rows that are gone or changed.
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
