/// What makes a database file ours: its marks, its schema and who may read it.
struct DatabaseFormat: Sendable {
  /// What messages call it: "state", "warehouse".
  var name: String
  /// `PRAGMA application_id`, four letters as one number.
  var applicationID: Int32
  /// `PRAGMA user_version`: the newest schema this program writes.
  var version: Int32
  /// The SQL that creates the newest schema.
  var schema: [UInt8]
  /// Whether only the owner may read it, and freed pages are overwritten.
  var isPrivate: Bool
  /// Bytes a page; large where rows are long.
  var pageSize: Int
}

/// What a database is opened for.
enum DatabaseAccess: Sendable {
  /// To read; the file must exist.
  case readOnly
  /// To write; the file must exist.
  case readWrite
  /// To write; a missing file is created with its schema.
  case createIfMissing
  /// To fill a file that must not exist yet, without a journal, until it is published.
  case build
  /// To read what this process has just built.
  case examine
}
