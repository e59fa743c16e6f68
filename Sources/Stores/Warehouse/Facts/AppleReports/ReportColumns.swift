internal import AppleReports
internal import SQLiteFiles
internal import PurchaseModel

/// Writes the fields of a row as columns.
struct ColumnCoder<Row: ColumnWriter>: FieldCoder {
  private(set) var row: Row

  init(_ row: Row) { self.row = row }

  mutating func code(_ name: String, _ text: inout String?) { row.add(name, text) }

  mutating func code(_ name: String, _ number: inout Int64?) { row.add(name, number) }

  func failure(_ expected: String) -> Never {
    preconditionFailure("a writer reads nothing: \(expected)")
  }
}

/// Reads the fields of a row from the columns of a statement, in their order.
struct ColumnReader: FieldCoder {
  /// A column with an invalid value.
  struct Invalid: Error {}

  private let row: RawStatement
  private var column: Int32

  /// Starts after a column.
  init(_ row: RawStatement, after column: Int32) {
    self.row = row
    self.column = column
  }

  mutating func code(_: String, _ text: inout String?) {
    column += 1
    text = row.optionalText(column)
  }

  mutating func code(_: String, _ number: inout Int64?) {
    column += 1
    number = row.optionalInt64(column)
  }

  func failure(_ expected: String) -> Invalid { Invalid() }
}
