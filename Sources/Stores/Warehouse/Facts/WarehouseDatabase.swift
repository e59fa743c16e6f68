public import SQLiteFiles
public import SharedTables
public import Diagnostics
internal import GRDB

/// The way in which a publication changed the warehouse.
public enum PublishOutcome: String, Hashable, Sendable {
  /// The warehouse was missing; it was built as a new file and moved into place.
  case created
  /// The content was replaced in one transaction.
  case replaced
  /// The warehouse was up to date; nothing was written.
  case unchanged
}

/// The result of a publication, with the numbers of changed rows.
public struct PublishReport: Hashable, Sendable {
  /// The result: created, replaced or unchanged.
  public var outcome: PublishOutcome
  /// The `content_digest` of all facts.
  public var contentDigest: String
  /// The number of rows of each table of facts, keyed by table.
  ///
  /// If the run decided only some chains, only the number for `fct_revenue` includes all rows; the
  /// other numbers include only rows in the run's scope.
  public var rows: [String: Int] = [:]
  /// The number of rows added to `fct_revenue`.
  public var added = 0
  /// The number of changed rows of `fct_revenue`.
  public var changed = 0
  /// The number of removed rows of `fct_revenue`.
  public var removed = 0
  /// The changes to the figures of previously published days.
  public var restatements: [Restatement] = []
  /// The number of published amounts that changed; `audit_change` has the first 250,000 of them.
  public var changedAmounts = 0
  /// The changes to the rows, keyed by table.
  var changes: [String: TableChanges] = [:]
  /// For each data test, the change in its number of failing rows; `nil` if all rows were compared.
  var countChanges: [String: Int]?
  /// The results of the data tests; empty if nothing was written.
  public var tests: [DataTestResult] = []
  /// Whether the write-ahead log is empty; `false` while a reader uses it.
  public var isCheckpointed = true
}

extension PublishReport {
  /// The report of written rows, before the data tests.
  init(
    _ outcome: PublishOutcome, digest: ContentDigest, changes: [String: TableChanges],
    revenueRows: Int
  ) {
    let revenue = changes["fct_revenue"] ?? TableChanges()
    self.init(
      outcome: outcome, contentDigest: digest.hexadecimal, rows: changes.mapValues(\.rows),
      added: revenue.added, changed: revenue.changed, removed: revenue.removed)
    self.changes = changes
    rows["fct_revenue"] = revenueRows
  }
}

/// The warehouse at a path: the SQLite database that analysts query.
public struct WarehouseDatabase: Sendable {
  /// The path of the file, which may not exist yet.
  public let path: String
  /// The memory for database pages of each connection.
  private let pages: PageMemory
  /// Called just before the content becomes visible.
  let beforeCommit: @Sendable () throws(RunFailure) -> Void

  /// Creates a warehouse at a path, without opening it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which may not exist yet.
  ///   - beforeCommit: Called after all rows are written and before they become visible. If it
  ///     throws, nothing changes.
  public init(
    path: String, pages: PageMemory = .standard,
    beforeCommit: @escaping @Sendable () throws(RunFailure) -> Void = { () throws(RunFailure) in }
  ) {
    self.path = path
    self.pages = pages
    self.beforeCommit = beforeCommit
  }

  /// Opens the warehouse, or the file at `path`, which will become the warehouse.
  func open(_ access: DatabaseAccess, at path: String? = nil) throws(RunFailure) -> DatabaseFile {
    try DatabaseFile(
      path: path ?? self.path, format: WarehouseSchema.format, access: access, pages: pages)
  }

  /// Returns true if the warehouse exists.
  public func exists() throws(RunFailure) -> Bool {
    try DatabaseHeader.check(path: path, format: WarehouseSchema.format)
  }

  /// Repairs the file after a writer was killed: applies its log, or rolls back its journal.
  ///
  /// Readers without write permission cannot repair the file, and cannot read it before the repair.
  /// An intact file is not written.
  public func recover() throws(RunFailure) {
    let file = try open(.readWrite)
    try file.checkpoint()
    try file.close()
  }

  /// Replaces the warehouse's content in one step.
  ///
  /// Only rows that differ from the stored rows are written, in one transaction, so that a reader
  /// gets either the old or the new facts. If there is no warehouse, all rows are written to a new
  /// file, which is synced and renamed. Data tests run before the rows become visible; if one
  /// fails, nothing changes, and ``ExitStatus/dataRefused`` is thrown.
  ///
  /// Nothing is written if content, as-of time, versions, settings and state generation are
  /// unchanged. A full refresh, and a run that decides only some chains, always write.
  public func publish(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    if try exists() { return try replace(content) }
    return try create(content)
  }

  /// Runs the data tests on the published facts: `paidline check`.
  public func check() throws(RunFailure) -> [DataTestResult] {
    try read { db in try DataTest.run(on: db) }
  }

  /// Recomputes the content digest from the stored rows.
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
