internal import GRDB

/// Everything that a row of one table can break by itself.
struct TableConditions: Sendable {
  /// What a broken condition means.
  enum Meaning: Hashable {
    /// The row counts for this data test, by its position among ``DataTest/all``.
    case test(Int)
    /// The row is of the one kind that this data test counts.
    case one(Int)
    /// The row is of the other kind.
    case other(Int)
    /// The row breaks a CHECK of its table.
    case check
    /// The row points to none that exists.
    case reference
  }

  /// The table.
  let table: String
  /// What its records are made of.
  let shape: RecordShape
  /// The conditions.
  private(set) var program = ConditionProgram()
  /// What each condition means.
  private(set) var meanings: [Meaning] = []
  /// Each condition as SQL.
  private(set) var texts: [String] = []

  /// Gathers the data tests, CHECKs and foreign keys of a table.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - subqueries: Takes note of the subqueries in their conditions.
  ///   - db: A database with the table.
  /// - Throws: ``UnknownCondition`` where only SQLite can tell.
  init(
    _ table: String, subqueries: Subqueries, on db: Database
  ) throws {
    self.table = table
    let names = try WarehouseSchema.columns(of: table, on: db)
    shape = try RecordShape(of: table, on: db)
    func add(_ tokens: [ConditionToken], _ meaning: Meaning) throws {
      var parser = ConditionParser(tokens, columns: names, into: program, subqueries: subqueries)
      try parser.read()
      program = parser.program
      meanings.append(meaning)
      texts.append(tokens.map(\.sql).joined(separator: " "))
    }
    for check in try Self.checks(of: table, on: db) {
      try add([.word("NOT"), .sign("(")] + check + [.sign(")")], .check)
    }
    for reference in try Self.references(of: table, on: db) {
      try add(try ConditionToken.all(in: reference), .reference)
    }
    for (index, test) in DataTest.all.enumerated() {
      for condition in test.conditions where condition.table == table {
        try add(try ConditionToken.all(in: condition.sql), .test(index))
      }
      if let one = test.balance?.one, one.table == table {
        try add(try ConditionToken.all(in: one.sql), .one(index))
      }
      if let other = test.balance?.other, other.table == table {
        try add(try ConditionToken.all(in: other.sql), .other(index))
      }
    }
  }

  /// The conditions in the parentheses of a table's CHECKs.
  private static func checks(of table: String, on db: Database) throws -> [[ConditionToken]] {
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
      arguments: [table])
    var tokens = ConditionTokens(try ConditionToken.all(in: sql ?? ""))
    var checks: [[ConditionToken]] = []
    while !tokens.isAtEnd {
      guard tokens.skip(words: "CHECK") else {
        _ = try tokens.next()
        continue
      }
      try tokens.require("(")
      checks.append(try tokens.inParentheses())
    }
    return checks
  }

  /// What breaks a table's foreign keys, one condition each.
  private static func references(of table: String, on db: Database) throws -> [String] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT \"from\", \"table\", \"to\", seq FROM pragma_foreign_key_list(?)",
      arguments: [table])
    return try rows.map { row in
      guard let from: String = row[0], let parent: String = row[1], let to: String = row[2],
        row[3] == 0
      else { throw UnknownCondition(what: "a foreign key of several columns") }
      return "\(from) NOT IN (SELECT \(to) FROM \(parent))"
    }
  }
}
