/// Compares a table's new rows with the stored rows.
struct RowComparison: Sendable {
  /// The role of a column in the comparison.
  private enum Role {
    /// A value of the facts: if it differs, the row is changed.
    case content
    /// The run that first wrote the row: the stored run is kept.
    case firstRun
    /// The run that last changed the row: the stored run is kept if the content is equal.
    case changedRun
    /// The file or line of the row: a difference is written, but the row is not treated as changed.
    case provenance
  }

  private let roles: [Role]
  private let changedRunColumn: UInt64  // the bit of changed_run_id; 0 if missing
  private let firstColumn: Int

  /// Prepares the comparison of a table.
  ///
  /// - Parameters:
  ///   - hasNumberAsKey: Whether the first column is the rowid. It is then not compared, because
  ///     only rows with equal rowids are compared.
  init(_ table: String, columns: [String], hasNumberAsKey: Bool) {
    precondition(columns.count <= 64, "\(table): a set of columns has 64 bits")
    roles = columns.map { Self.role(of: $0, in: table) }
    changedRunColumn = roles.firstIndex(of: .changedRun).map { 1 << UInt64($0) } ?? 0
    firstColumn = hasNumberAsKey ? 1 : 0
  }

  private static func role(of column: String, in table: String) -> Role {
    guard ["fct_revenue", "fct_conversion", "price_evidence"].contains(table) else {
      return .content
    }
    return switch column {
    case "first_run_id": .firstRun
    case "changed_run_id": .changedRun
    case "source_file_id", "source_line": .provenance
    default: .content
    }
  }

  /// Compares a new row with the stored row that has the same key.
  ///
  /// - Parameters:
  ///   - isStored: Returns true if the stored row has the value in the column; called once per
  ///     column, in order.
  /// - Returns: The change that the stored row needs; `nil` if both are equal.
  @inline(__always)
  func difference(
    _ row: Int, _ record: UnsafeRawBufferPointer, number: Int64,
    isStored: (RecordCursor.Value, Int) -> Bool
  ) -> RowDifferences.Update? {
    var values = unsafe RecordCursor(record)
    var changed: UInt64 = 0
    var isChange = false
    for column in roles.indices {
      guard let value = unsafe values.next() else { break }
      let holds = unsafe isStored(value, column)
      let role = roles[column]
      if holds || role == .firstRun || role == .changedRun || column < firstColumn { continue }
      changed |= 1 << UInt64(column)
      if role == .content { isChange = true }
    }
    guard changed != 0 else { return nil }
    return RowDifferences.Update(
      row: row, number: number, columns: isChange ? changed | changedRunColumn : changed,
      isChange: isChange)
  }
}
