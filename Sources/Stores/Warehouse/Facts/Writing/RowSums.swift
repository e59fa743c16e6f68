internal import GRDB
internal import SQLiteFiles

/// Sums the changes to the content digest, to the data tests' numbers of failing rows, and to
/// `recurring_change_daily`, that the changed rows of one table cause.
///
/// A run subtracts the old content of each changed row, and adds the new content.
struct RowSums {
  private struct Test {
    var name: String
    var statement: RawStatement
  }

  private let table: String
  private let hashed: RawStatement?  // reads a row's columns that the digest covers
  private let tests: [Test]
  private let recurring: RecurringChanges?
  /// The difference between the warehouse's new and old content digest that these rows cause.
  private(set) var digest = ContentDigest()
  /// The change in each test's number of failing rows, keyed by the test's name.
  private(set) var counts: [String: Int] = [:]

  /// Prepares the sums for a table.
  ///
  /// Must be called in a database transaction, before the first change of the table.
  init(of table: String, on db: Database) throws {
    self.table = table
    if WarehouseSchema.hashedTables.contains(table) {
      let columns = try WarehouseSchema.hashedColumns(of: table, on: db)
      hashed = try RawStatement(
        table, "SELECT \(columns.joined(separator: ",")) FROM main.\(table) WHERE rowid = ?",
        on: db)
    } else {
      hashed = nil
    }
    recurring = table == "fct_revenue" ? try RecurringChanges(on: db) : nil
    tests = try DataTest.all.filter { $0.isCounted && table == "fct_revenue" }.map {
      Test(
        name: $0.name,
        statement: try RawStatement(
          $0.name, "SELECT 1 FROM (\($0.sql)) WHERE purchase_key = ?", on: db))
    }
  }

  /// Subtracts the row with a rowid, before the row is changed or removed.
  mutating func remove(_ number: Int64) throws {
    if let hash = try hash(of: number) { digest.remove(hash) }
    for test in try failing(number) { counts[test, default: 0] -= 1 }
    try recurring?.remove(number)
  }

  /// Adds the row with a rowid, after the row was inserted or changed.
  mutating func add(_ number: Int64) throws {
    if let hash = try hash(of: number) { digest.add(hash) }
    for test in try failing(number) { counts[test, default: 0] += 1 }
    try recurring?.add(number)
  }

  private func hash(of number: Int64) throws -> ContentDigest? {
    guard let hashed else { return nil }
    hashed.bind(number, at: 1)
    defer { hashed.reset() }
    return try hashed.next() ? ContentDigest(table: table, row: hashed) : nil
  }

  private func failing(_ number: Int64) throws -> [String] {
    try tests.compactMap { test in
      test.statement.bind(number, at: 1)
      defer { test.statement.reset() }
      return try test.statement.next() ? test.name : nil
    }
  }
}
