package import Diagnostics
internal import GRDB

extension DatabaseFile {
  /// Writes the file anew by `VACUUM`, then empties its log.
  ///
  /// It needs the size of the file twice over: once in a file without a name beside it, once in the
  /// log.
  package func scrub() throws(RunFailure) -> Bool {
    let bytes = try lookUp { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
    try FreeSpace.require(2 * bytes, at: path)
    let end = path.lastIndex(of: "/")
    let folder = end.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    try outsideTransaction { db in
      // In memory it would cost as much as the file has bytes, and elsewhere others could see it.
      let former = try Int.fetchOne(db, sql: "PRAGMA temp_store") ?? 0
      try db.execute(sql: "PRAGMA temp_store = FILE")
      try db.execute(sql: "PRAGMA temp_store_directory = '\(folder.replacing("'", with: "''"))'")
      defer {
        try? db.execute(sql: "PRAGMA temp_store_directory = ''")
        try? db.execute(sql: "PRAGMA temp_store = \(former)")
      }
      try CommitBoundary.pagesRewritten.pass(.before, in: format.name)
      try db.execute(sql: "VACUUM")
      try CommitBoundary.pagesRewritten.pass(.after, in: format.name)
    }
    return try checkpoint()
  }
}
