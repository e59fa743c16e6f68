internal import GRDB

/// A table as it was published, read from the pages of its file beside SQLite, by any thread.
///
/// Its key is a whole number.
struct PublishedTable: Sendable {
  private let name: String
  private let table: StoredTable
  private let comparison: RowComparison

  /// Names a table whose pages nobody changes.
  init(_ name: String, _ table: StoredTable, comparison: RowComparison) {
    self.name = name
    self.table = table
    self.comparison = comparison
  }

  /// Compares rows with the stored ones from the first to the last of their keys.
  ///
  /// - Throws: `SQLITE_CORRUPT` for a damaged page or row.
  func differences(of rows: borrowing EncodedRows) throws -> RowDifferences {
    var found = RowDifferences()
    guard rows.count > 0 else { return found }
    let stored = table.rows(from: rows.keys[0])
    var number = try next(stored)
    while let known = number, known < rows.keys[0] { number = try next(stored) }
    for row in 0..<rows.count {
      let key = rows.keys[row]
      while let known = number, known < key {
        found.deletions.append(known)
        number = try next(stored)
      }
      guard number == key else {
        found.insertions.append(row)
        continue
      }
      var old = unsafe RecordCursor(stored.record)
      let update = unsafe comparison.difference(row, rows.record(row), number: key) { value, _ in
        guard let known = unsafe old.next() else { return false }
        return unsafe known.equals(value)
      }
      if let update { found.updates.append(update) }
      // After the last key nothing is looked at: the next rows' turn, or the end's.
      if row + 1 < rows.count { number = try next(stored) }
    }
    return found
  }

  /// The numbers of the stored rows between two keys, which are not among them.
  ///
  /// - Throws: `SQLITE_CORRUPT` for a damaged page or row.
  func numbers(after first: Int64, before last: Int64?) throws -> [Int64] {
    var numbers: [Int64] = []
    let stored = table.rows(from: first, pagesPerRead: 1)
    while let number = try next(stored) {
      if let last, number >= last { break }
      if number > first { numbers.append(number) }
    }
    return numbers
  }

  /// Goes to the next row, which must be whole.
  @inline(__always)
  private func next(_ stored: StoredRows) throws -> Int64? {
    do {
      let number = try stored.next()
      if unsafe number == nil || RecordCursor.isWhole(stored.record) { return number }
    } catch is DamagedPage {}
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(name): a row is damaged")
  }
}
