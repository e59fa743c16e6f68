internal import TemporaryFiles

/// What takes the rows of tables and the entries of indexes: one table after another, each in the
/// order of its keys.
protocol FactSink: AnyObject {
  /// Makes ready for a table's rows.
  func begin(_ table: String) throws
  /// Takes the next rows.
  func add(_ rows: borrowing EncodedRows) throws
  /// Ends what was begun.
  func end() throws
}

extension FactStore {
  /// Hands all rows on; every table is begun and ended, also one without rows.
  ///
  /// - Parameters:
  ///   - sink: What takes them.
  ///   - portion: How many rows are handed on at once.
  /// - Throws: What reading or the sink throws.
  func drain(into sink: any FactSink, portion: Int = 2048) throws {
    let reader = try sort.reader()
    var hasRow = try reader.next()
    for table in FactTable.allCases {
      try sink.begin(table.name)
      while hasRow, unsafe reader.key[0] == table.rawValue {
        var rows = EncodedRows()
        while hasRow, rows.count < portion, unsafe reader.key[0] == table.rawValue {
          unsafe rows.add(
            reader.value, key: table.hasNumberAsKey ? SortKey.number(reader.key) : nil)
          hasRow = try reader.next()
        }
        try sink.add(rows)
      }
      try sink.end()
    }
  }
}
