public import SQLiteFiles
public import SharedTables
public import Diagnostics
internal import GRDB

/// The result of a publication.
public enum PublishOutcome: String, Hashable, Sendable {
  /// The warehouse was missing; it was built beside and moved into place.
  case created
  /// Its content was replaced in one transaction.
  case replaced
  /// The warehouse was up to date; nothing was written.
  case unchanged
}

/// The account of a publication.
public struct PublishReport: Hashable, Sendable {
  /// The result.
  public var outcome: PublishOutcome
  /// The digest of the facts' content.
  public var contentDigest: String
  /// Rows by table, of the tables that were written.
  public var rows: [String: Int] = [:]
  /// Rows of `fct_revenue` that were not there before.
  public var added = 0
  /// Rows of `fct_revenue` that differ from before.
  public var changed = 0
  /// Rows of `fct_revenue` that are gone.
  public var removed = 0
  /// The changes to days published before.
  public var restatements: [Restatement] = []
  /// The changes to the rows of each table of an existing warehouse.
  var changes: [String: TableChanges] = [:]
  /// The change to the number of rows that each counted data test finds; `nil` where all rows were
  /// compared.
  var countChanges: [String: Int]?
  /// The results of the data tests; empty if nothing was written.
  public var tests: [DataTestResult] = []
  /// Whether the write-ahead log is empty again; `false` while a reader holds it.
  public var isCheckpointed = true
}

/// The analysts' database at a path.
public struct WarehouseDatabase: Sendable {
  /// The path of the file, which may not exist yet.
  public let path: String
  /// The memory for pages of each of its connections.
  private let pages: PageMemory
  /// Asked before content becomes visible.
  let beforeCommit: @Sendable () throws(RunFailure) -> Void

  /// Names a warehouse; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which may not exist yet.
  ///   - pages: The memory for pages of each of its connections.
  ///   - beforeCommit: Called after all is written and before it becomes visible; an error leaves
  ///     everything as it was.
  public init(
    path: String, pages: PageMemory = .standard,
    beforeCommit: @escaping @Sendable () throws(RunFailure) -> Void = { () throws(RunFailure) in }
  ) {
    self.path = path
    self.pages = pages
    self.beforeCommit = beforeCommit
  }

  /// Opens its file, or one that becomes it.
  func open(_ access: DatabaseAccess, at path: String? = nil) throws(RunFailure) -> DatabaseFile {
    try DatabaseFile(
      path: path ?? self.path, format: WarehouseSchema.format, access: access, pages: pages)
  }

  /// Whether the warehouse exists.
  ///
  /// A file that is not a warehouse, or is of another schema version, is refused with
  /// ``ExitStatus/badConfiguration``.
  public func exists() throws(RunFailure) -> Bool {
    try DatabaseHeader.check(path: path, format: WarehouseSchema.format)
  }

  /// Finishes the work of a killed writer: its journal or log is applied or undone.
  ///
  /// Readers without the right to write cannot do that, and see nothing until it is done. A sound
  /// file is not written.
  public func recover() throws(RunFailure) {
    let file = try open(.readWrite)
    try file.checkpoint()
    try file.close()
  }

  /// Replaces the warehouse's content in one step.
  ///
  /// The rows that differ from the stored ones are written in one transaction, so that a reader
  /// sees the old facts or the new. Without a warehouse they are written to an empty one beside its
  /// place, which is synced and renamed. Data tests run before either becomes visible; a failed one
  /// leaves everything as it was and throws ``ExitStatus/dataRefused``. Content that is published
  /// already, under the same as-of, versions, settings and state generation, is not written again,
  /// unless the run is a full refresh.
  public func publish(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    if try exists() { return try replace(content) }
    return try create(content)
  }

  /// Runs the data tests on the published facts: `paidline check`.
  public func check() throws(RunFailure) -> [DataTestResult] {
    try read { db in try DataTest.run(on: db) }
  }

  /// The content digest, computed again from the stored rows.
  public func contentDigest() throws(RunFailure) -> String {
    try read { db in try ContentDigest.ofStored(db).hexadecimal }
  }

  /// Reads inside one transaction.
  func read<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    let file = try open(.readOnly)
    let value = try file.read(body)
    try file.close()
    return value
  }
}
