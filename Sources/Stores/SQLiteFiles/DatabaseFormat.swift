/// The format of one of Paidline's database files: its identification, schema and permissions.
///
/// The SQL of a released version never changes; every change of the schema is a new migration step.
/// A new file gets the first schema and then all steps, so that it equals a migrated file.
package struct DatabaseFormat: Sendable {
  /// The name of the kind of database in messages, such as "state" or "warehouse".
  package var name: String
  /// The `PRAGMA application_id`: four letters as one number, such as "Pdwh" as `0x5064_7768`.
  package var applicationID: Int32
  /// The `PRAGMA user_version` of the oldest file that this program can use.
  package var firstVersion: Int32
  /// The SQL that creates the first version; only a new or damaged file asks for it.
  private let makeSchema: @Sendable () -> [UInt8]
  /// The SQL of the migrations; the first migrates ``firstVersion`` to the next version.
  package var steps: [[UInt8]]
  /// The remedy that a message shows if a file is older than ``firstVersion``, as full sentences.
  package var advice: String
  /// Whether only the owner may read the file; if true, SQLite overwrites freed pages.
  package var isPrivate: Bool
  /// The page size in bytes; larger for tables with long rows.
  package var pageSize: Int
  /// Whether the file's first table is `transaction_number`; see ``LogAgreement``.
  package var numbersTransactions: Bool

  /// Creates a format from its fields.
  package init(
    name: String, applicationID: Int32, firstVersion: Int32,
    schema: @autoclosure @escaping @Sendable () -> [UInt8],
    steps: [[UInt8]] = [], advice: String, isPrivate: Bool, pageSize: Int,
    numbersTransactions: Bool = false
  ) {
    self.name = name
    self.applicationID = applicationID
    self.firstVersion = firstVersion
    makeSchema = schema
    self.steps = steps
    self.advice = advice
    self.isPrivate = isPrivate
    self.pageSize = pageSize
    self.numbersTransactions = numbersTransactions
  }

  /// The SQL that creates the first version.
  package var schema: [UInt8] { makeSchema() }

  /// The schema version that this program writes.
  package var version: Int32 { firstVersion + Int32(steps.count) }
}

/// The purpose for which a database is opened.
package enum DatabaseAccess: Sendable {
  /// Reading; the file must exist.
  case readOnly
  /// Reading for analysts' queries: up to 1 GiB of the file is mapped, for random access.
  case analyse
  /// Writing; the file must exist.
  case readWrite
  /// Writing; a missing file is created with its schema.
  case createIfMissing
  /// Filling a new file, without a journal, until it is published.
  case build
}
