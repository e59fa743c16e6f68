internal import SQLiteFiles
public import Diagnostics
internal import GRDB

/// One difference between two warehouses: a value, or a row that only one of them has.
public struct FactDifference: Hashable, Sendable {
  /// The name of the table.
  public var table: String
  /// The primary key of the row; several columns are joined by commas.
  public var key: String
  /// The column that differs; `nil` if only one warehouse has the row.
  public var column: String?
  /// The value in the first warehouse; `nil` if it lacks the row.
  ///
  /// The text `a row` if only the first warehouse has the row.
  public var first: String?
  /// The value in the second warehouse; `nil` if it lacks the row.
  ///
  /// The text `a row` if only the second warehouse has the row.
  public var second: String?
}

/// The differences between two warehouses.
public struct FactComparison: Hashable, Sendable {
  /// The differences in the first rows that differ, up to the limit; sorted by table and key.
  public var differences: [FactDifference] = []
  /// The number of rows that differ, plus the number of rows that only one warehouse has.
  public var rows = 0

  /// Creates an empty comparison.
  public init() {}
}

extension WarehouseDatabase {
  /// Compares two warehouses row by row: the columns that `content_digest` covers, and the figures.
  ///
  /// - Parameters:
  ///   - other: The second warehouse.
  public func compare(with other: WarehouseDatabase, limit: Int) throws(RunFailure)
    -> FactComparison
  {
    try read { first in
      try other.read { second in
        var comparison = FactComparison()
        for table in WarehouseSchema.hashedTables + FigureDefinition.figures.sorted() {
          try TableComparison(table, on: first, and: second).run(into: &comparison, limit: limit)
        }
        return comparison
      }
    }
  }
}

/// Compares one table of two warehouses, reading both in the order of the primary key.
private struct TableComparison {
  private let table: String
  private let columns: [String]
  private let keys: [(position: Int32, isText: Bool)]
  private let first: RawStatement
  private let second: RawStatement

  init(_ table: String, on firstDatabase: Database, and secondDatabase: Database) throws {
    self.table = table
    let columns = try WarehouseSchema.hashedColumns(of: table, on: firstDatabase)
    let key = try WarehouseSchema.primaryKey(of: table, on: firstDatabase)
    let texts = try String.fetchSet(
      firstDatabase, sql: "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'",
      arguments: [table])
    self.columns = columns
    keys = key.compactMap { name in
      columns.firstIndex(of: name).map { (Int32($0), texts.contains(name)) }
    }
    let sql =
      "SELECT \(columns.joined(separator: ",")) FROM \(table) ORDER BY "
      + key.joined(separator: ",")
    first = try RawStatement(table, sql, on: firstDatabase)
    second = try RawStatement(table, sql, on: secondDatabase)
  }

  func run(into comparison: inout FactComparison, limit: Int) throws {
    var (hasFirst, hasSecond) = (try first.next(), try second.next())
    while hasFirst || hasSecond {
      let order = !hasSecond ? -1 : !hasFirst ? 1 : compareKeys()
      if order == 0 {
        if canonical(first) != canonical(second) { note(into: &comparison, limit: limit) }
        (hasFirst, hasSecond) = (try first.next(), try second.next())
        continue
      }
      let rest = order < 0 ? first : second
      if comparison.rows < limit {
        comparison.differences.append(
          FactDifference(
            table: table, key: key(of: rest), first: order < 0 ? "a row" : nil,
            second: order < 0 ? nil : "a row"))
      }
      comparison.rows += 1
      if order < 0 { hasFirst = try first.next() } else { hasSecond = try second.next() }
    }
  }

  private func note(into comparison: inout FactComparison, limit: Int) {
    defer { comparison.rows += 1 }
    guard comparison.rows < limit else { return }
    for index in columns.indices {
      let (left, right) = (value(first, Int32(index)), value(second, Int32(index)))
      guard left != right else { continue }
      comparison.differences.append(
        FactDifference(
          table: table, key: key(of: first), column: columns[index], first: left, second: right))
    }
  }

  /// Compares the keys of both current rows; negative if the key of the first warehouse is smaller.
  private func compareKeys() -> Int {
    for (position, isText) in keys {
      if isText {
        let (left, right) = (Array(first.text(position).utf8), Array(second.text(position).utf8))
        if left != right { return left.lexicographicallyPrecedes(right) ? -1 : 1 }
      } else {
        let (left, right) = (first.int64(position), second.int64(position))
        if left != right { return left < right ? -1 : 1 }
      }
    }
    return 0
  }

  private func canonical(_ row: RawStatement) -> [UInt8] {
    var bytes: [UInt8] = []
    CanonicalRow.append(row, columns: Int32(columns.count), to: &bytes)
    return bytes
  }

  private func key(of row: RawStatement) -> String {
    keys.map { value(row, $0.position) }.joined(separator: ",")
  }

  private func value(_ row: RawStatement, _ column: Int32) -> String {
    row.optionalText(column) ?? "NULL"
  }
}
