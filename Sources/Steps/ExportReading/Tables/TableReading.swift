internal import Diagnostics
internal import PurchaseModel

/// Reads the rows of tables.
extension RecordReader {
  /// Whether a file of this kind may be a table.
  var mayReadTables: Bool { kind != .appleReports }

  /// Finds the columns that the layout uses in a header; `nil` for a line that is not a header.
  func cells(_ header: JSONCursor) -> TableCells? {
    let shape = TableShape(header: header)
    guard kind == .prices else {
      return (finder?.layout ?? mapping.tableLayout(of: kind))?.cells(shape)
    }
    return layout.flatMap { TableCells(shape, $0.layout.table) }
  }

  /// Starts reading the rows of a table.
  mutating func begin(_ table: TableCells) {
    cells = table
    if limits.reportsAllFaults { previews.paths = table.paths() }
    if finder == nil { finder = mapping.tableLayout(of: kind).map(RecordFinder.init) }
  }

  mutating func readRow(_ row: JSONCursor, line: Int) {
    if limits.reportsAllFaults, let cells, tally.records == 0 {
      previews.paths = cells.paths(in: row)
    }
    if let cells {
      do throws(JSONFault) {
        try finder?.find(in: row, cells)
      } catch {
        self.line = line
        return reject(error.reason, detail: error.key)
      }
    }
    readNamed(row, line: line)
  }
}
