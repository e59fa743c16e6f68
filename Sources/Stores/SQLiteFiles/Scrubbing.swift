package import Diagnostics
internal import GRDB

extension DatabaseFile {
  /// Writes the file again by `VACUUM`, then empties its log.
  ///
  /// It needs the size of the file twice over: once in a file without a name beside it, once in the
  /// log.
  package func scrub() throws(RunFailure) -> Bool {
    let bytes = try lookUp { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
    try FreeSpace.require(2 * bytes, at: path)
    // In memory it would cost as much as the file has bytes, and elsewhere others could see it.
    try withTemporaryFilesBeside { () throws(RunFailure) in
      try outsideTransaction { db in
        try CommitBoundary.pagesRewritten.pass(.before, in: format.name)
        try db.execute(sql: "VACUUM")
        try CommitBoundary.pagesRewritten.pass(.after, in: format.name)
      }
    }
    return try checkpoint()
  }

  /// Lets what is sorted wait in files without a name beside the database, and not in memory.
  ///
  /// - Parameter body: The work, which begins outside a transaction.
  /// - Returns: The result of the body.
  /// - Throws: ``RunFailure``, from the body or from SQLite.
  package func withTemporaryFilesBeside<Value>(_ body: () throws(RunFailure) -> Value)
    throws(RunFailure) -> Value
  {
    let end = path.lastIndex(of: "/")
    let folder = end.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    let former = try outsideTransaction { db in
      let former = try Int.fetchOne(db, sql: "PRAGMA temp_store") ?? 0
      try db.execute(sql: "PRAGMA temp_store = FILE")
      try db.execute(sql: "PRAGMA temp_store_directory = '\(folder.replacing("'", with: "''"))'")
      return former
    }
    defer {
      try? outsideTransaction { db in
        try db.execute(sql: "PRAGMA temp_store_directory = ''")
        try db.execute(sql: "PRAGMA temp_store = \(former)")
      }
    }
    return try body()
  }
}
