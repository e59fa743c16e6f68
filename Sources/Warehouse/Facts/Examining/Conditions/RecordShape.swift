internal import GRDB

/// What the records of a table are made of.
struct RecordShape: Sendable {
  /// What a column may hold: as its type and NOT NULL say in a STRICT table.
  struct Content: OptionSet {
    let rawValue: UInt8

    static let null = Content(rawValue: 1)
    static let integer = Content(rawValue: 2)
    static let text = Content(rawValue: 4)
  }

  /// By column, what it may hold.
  var columns: [Content]
  /// The column that is the row's number, of which the record holds NULL.
  var keyColumn: Int?

  /// A record without columns.
  static let none = RecordShape(columns: [])

  private init(columns: [Content]) { self.columns = columns }

  /// Looks up a table.
  ///
  /// - Throws: ``UnknownCondition`` for a table that is not STRICT or has columns of other types.
  init(of table: String, on db: Database) throws {
    let isStrict = try Bool.fetchOne(
      db, sql: "SELECT strict FROM pragma_table_list(?)", arguments: [table])
    guard isStrict == true else { throw UnknownCondition(what: "\(table), which is not STRICT") }
    let rows = try Row.fetchAll(
      db, sql: "SELECT type, \"notnull\", pk FROM pragma_table_info(?)", arguments: [table])
    columns = try rows.map { row -> Content in
      let type: String = row[0]
      let isNotNull: Bool = row[1]
      switch type {
      case "INTEGER": return isNotNull ? .integer : [.integer, .null]
      case "TEXT": return isNotNull ? .text : [.text, .null]
      default: throw UnknownCondition(what: type)
      }
    }
    if try WarehouseSchema.hasNumberAsKey(table, on: db) {
      keyColumn = rows.firstIndex { $0[2] == 1 }
      if let keyColumn { columns[keyColumn] = .null }
    }
  }
}
