/// The format of a database file of Paidline's: its marks, its schema and its permissions.
///
/// A released schema never changes: a change is a further step. A new file goes through the same
/// steps as an older one, so that the two cannot differ.
package struct DatabaseFormat: Sendable {
  /// The name in messages: "state", "warehouse".
  package var name: String
  /// `PRAGMA application_id`, four letters as one number.
  package var applicationID: Int32
  /// `PRAGMA user_version` of the oldest file that this program can use.
  package var firstVersion: Int32
  /// The SQL that creates the first version.
  package var schema: [UInt8]
  /// The SQL that leads from each version to the next; the first leads away from ``firstVersion``.
  package var steps: [[UInt8]]
  /// The advice for a file that is older than the first version: whole sentences.
  package var advice: String
  /// Whether only the owner may read it, and freed pages are overwritten.
  package var isPrivate: Bool
  /// Bytes per page; large where rows are long.
  package var pageSize: Int

  /// Creates a format from its fields.
  package init(
    name: String, applicationID: Int32, firstVersion: Int32, schema: [UInt8],
    steps: [[UInt8]] = [], advice: String, isPrivate: Bool, pageSize: Int
  ) {
    self.name = name
    self.applicationID = applicationID
    self.firstVersion = firstVersion
    self.schema = schema
    self.steps = steps
    self.advice = advice
    self.isPrivate = isPrivate
    self.pageSize = pageSize
  }

  /// The schema version that this program writes.
  package var version: Int32 { firstVersion + Int32(steps.count) }
}

/// The purpose for which a database is opened.
package enum DatabaseAccess: Sendable {
  /// To read; the file must exist.
  case readOnly
  /// To run analysts' queries on the facts, by views with random access.
  case analyse
  /// To write; the file must exist.
  case readWrite
  /// To write; a missing file is created with its schema.
  case createIfMissing
  /// To fill a file that must not exist yet, without a journal, until it is published.
  case build
}
