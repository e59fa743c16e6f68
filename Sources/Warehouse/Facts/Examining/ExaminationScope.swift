/// Which rows are examined before they become visible.
///
/// Rows that a run leaves alone were examined when they were written. They can break a test only
/// through a row that they point to: where such rows are gone, everything is examined.
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

  /// The tables whose rows others point to.
  private static let parents = [
    "fct_revenue", "price_evidence", "bridge_transaction_id", "excluded_purchase", "dim_product",
  ]

  /// What must be examined after changes.
  init(after changes: [String: TableChanges]) {
    let hasLostParents = Self.parents.contains { changes[$0].map { $0.removed > 0 } ?? true }
    self = hasLostParents ? .everything : .touched
  }

  /// What stands after FROM for the rows of a table within the scope.
  func rows(of table: String) -> String {
    guard self == .touched, Self.notedTables.contains(table) else { return table }
    return "(SELECT * FROM \(table) WHERE rowid IN (SELECT number FROM temp.touched_\(table)))"
  }
}
