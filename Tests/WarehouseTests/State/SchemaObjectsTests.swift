@testable import SQLiteFiles
@testable import StateStore
@testable import Warehouse
import GRDB
import Testing

@Suite struct `The tables and views of a schema` {
  @Test(arguments: [DatabaseFormat.state, .asked, WarehouseSchema.format])
  func `are those that SQLite stores, text for text`(_ format: DatabaseFormat) throws {
    let schema = String(decoding: format.schema, as: UTF8.self)
    let stored = try DatabaseFile.inMemory { db in
      try db.execute(sql: schema)
      return try Row.fetchAll(
        db,
        sql: """
          SELECT type = 'view', name, sql FROM sqlite_schema
          WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY rowid
          """
      ).map { SchemaObjects.Object(isView: $0[0], name: $0[1], sql: $0[2]) }
    }
    #expect(stored.count >= 2)
    #expect(SchemaObjects.stated(in: schema) == stored)
  }

  @Test func `may hold semicolons and ends of lines in comments and texts`() {
    let objects = SchemaObjects.stated(
      in: """
        -- CREATE TABLE of nothing;
        CREATE TABLE a (
          b TEXT CHECK (b <> ';
        '),  -- not the end;
          c TEXT
        );
        CREATE INDEX d ON a (b);
        CREATE VIEW e AS SELECT 1;
        """)
    #expect(objects.map(\.name) == ["a", "e"])
    #expect(objects.map(\.isView) == [false, true])
    #expect(objects[0].sql.hasSuffix("not the end;\n  c TEXT\n)"))
    #expect(objects[1].sql == "CREATE VIEW e AS SELECT 1")
  }
}
