internal import TemporaryFiles

/// A receiver of the rows of tables and the entries of indexes: one table after another, each in
/// the order of its keys.
protocol FactSink: AnyObject {
  /// Makes ready for a table's rows.
  func begin(_ table: String) throws
  /// Takes the next rows.
  func add(_ rows: borrowing EncodedRows) throws
  /// Ends the table or index that was begun.
  func end() throws
}

extension FactStore {
  /// Hands all rows on; every table is begun and ended, even without rows.
  ///
  /// - Parameters:
  ///   - sink: The receiver.
  ///   - portion: The number of rows handed on at once.
  /// - Throws: The errors of reading and of the sink.
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
