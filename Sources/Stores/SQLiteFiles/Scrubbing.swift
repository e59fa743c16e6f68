package import Diagnostics
internal import GRDB

extension DatabaseFile {
  /// Rewrites the file with `VACUUM`, then empties its log.
  ///
  /// Returns `false` if a reader uses the log, so that the log may still contain removed data. The
  /// disk needs free space of twice the file's size: once for an unnamed file next to the database,
  /// once for the log.
  package func scrub() throws(RunFailure) -> Bool {
    let bytes = try lookUp { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
    try FreeSpace.require(2 * bytes, at: path)
    // In memory the temporary data could be too large. In a shared folder others could read the
    // data.
    try withTemporaryFilesBeside { () throws(RunFailure) in
      try outsideTransaction { db in
        try CommitBoundary.pagesRewritten.pass(.before, in: format.name)
        try db.execute(sql: "VACUUM")
        try CommitBoundary.pagesRewritten.pass(.after, in: format.name)
      }
    }
    return try checkpoint()
  }

  /// Stores SQLite's temporary data in unnamed files next to the database, not in memory.
  ///
  /// - Parameter body: The work; it is called outside a transaction.
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
