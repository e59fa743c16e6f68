/// Recognizes a service's table whose columns an owner has renamed.
extension ServiceExport {
  /// The remedy for a table without the service's names; the section `exports` has no `keys`.
  var adviceOnColumns: String {
    "its columns do not have the names of \(name); export them with the service's own names, or "
      + "rename them in the query or view: SELECT own_name AS \(pathText(of: .transaction)), … "
      + "(Docs/inputs.md)"
  }

  /// Finds the format whose columns a table has under other names; `nil` for any other table.
  ///
  /// The table lacks a column by which a format is recognized, but five of its columns have, with
  /// or without a prefix, names that only this format has.
  ///
  /// Example: `is_auto_renewable`, `unsubscribe_detected_at` and so on beside a `transaction_id` →
  /// `revenuecat_export`.
  public static func renamed(_ columns: [String]) -> ServiceExport? {
    let names = columns.map(ColumnName.folded)
    return all.first { format in
      guard !format.isNested, !format.marks.map(ColumnName.folded).allSatisfy(names.contains) else {
        return false
      }
      let others = Set(all.filter { $0 != format }.flatMap(\.columnNames))
      let own = Set(format.columnNames).subtracting(others)
      let found = own.filter { name in
        names.contains { $0 == name || name.count > 8 && $0.hasSuffix(name) }
      }
      return found.count >= 5
    }
  }

  private var columnNames: [String] {
    keys.flatMap { $0.paths.map { ColumnName.folded($0.text) } }
  }

  /// The columns by which the format is recognized, and that a table lacks.
  public func lackingMarks(_ columns: [String]) -> [String] {
    let names = columns.map(ColumnName.folded)
    return marks.filter { !names.contains(ColumnName.folded($0)) }
  }
}
