internal import GRDB
internal import SQLiteFiles

/// Keeps the figure `recurring_change_daily` equal to its definition while purchases change.
///
/// The figure is a sum over purchases. A run that decides some chains subtracts what each changed
/// purchase added in its old state, and adds what it adds in the new one.
struct RecurringChanges {
  /// The name of the figure.
  static let figure = "recurring_change_daily"

  private let subtraction: RawStatement
  private let addition: RawStatement

  init(on db: Database) throws {
    subtraction = try Self.statement("-", on: db)
    addition = try Self.statement("", on: db)
  }

  /// Subtracts a purchase, before it is changed or removed.
  func remove(_ purchase: Int64) throws {
    subtraction.bind(purchase, at: 1)
    try subtraction.run()
  }

  /// Adds a purchase, after it was inserted or changed.
  func add(_ purchase: Int64) throws {
    addition.bind(purchase, at: 1)
    try addition.run()
  }

  /// Removes the rows to which no purchase adds anything any more.
  static func removeEmpty(on db: Database) throws {
    try db.execute(sql: "DELETE FROM \(figure) WHERE changes = 0")
  }

  /// The statement that adds the figure of one purchase, with a sign, to the stored figure.
  ///
  /// The definition reads `fct_revenue`, which is here the one purchase.
  private static func statement(_ sign: String, on db: Database) throws -> RawStatement {
    guard let definition = FigureDefinition.all.first(where: { $0.name == figure }) else {
      throw DatabaseError(resultCode: .SQLITE_ERROR, message: "\(figure) has no definition")
    }
    let key = try WarehouseSchema.primaryKey(of: figure, on: db)
    let sums = try WarehouseSchema.columns(of: figure, on: db).filter { !key.contains($0) }
    return try RawStatement(
      figure,
      """
      WITH fct_revenue AS (SELECT * FROM main.fct_revenue WHERE purchase_key = ?1)
      INSERT INTO \(figure) (\((key + sums).joined(separator: ", ")))
      SELECT \((key + sums.map { sign + $0 }).joined(separator: ", "))
      FROM (\(definition.query)) WHERE true
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
      SET \(sums.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "))
      """, on: db)
  }
}
