internal import GRDBSQLite

/// The SQLite library that this program is linked with.
public enum SQLiteLibrary {
  /// The release of the library, such as `3.40.1`.
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
