public import SQLiteFiles
public import SharedTables
public import Diagnostics
internal import GRDB

/// What a publication did.
public enum PublishOutcome: String, Hashable, Sendable {
  /// There was no warehouse; it was built beside and moved into place.
  case created
  /// Its content was replaced in one transaction.
  case replaced
  /// It already said all this; nothing was written.
  case unchanged
}

/// The account of a publication.
public struct PublishReport: Hashable, Sendable {
  /// What was done.
  public var outcome: PublishOutcome
  /// The digest of the facts' content.
  public var contentDigest: String
  /// Rows by table, of the tables that were written.
  public var rows: [String: Int] = [:]
  /// Rows of `fct_revenue` that were not there before.
  public var added = 0
  /// Rows of `fct_revenue` that say something else than before.
  public var changed = 0
  /// Rows of `fct_revenue` that are gone.
  public var removed = 0
  /// What changed in days that were published before.
  public var restatements: [Restatement] = []
  /// What became of the rows of each table of an existing warehouse.
  var changes: [String: TableChanges] = [:]
  /// What the data tests found; empty where nothing was written.
  public var tests: [DataTestResult] = []
  /// Whether the write-ahead log is empty again; `false` while a reader holds it.
  public var isCheckpointed = true
}

/// The analysts' database at a path.
public struct WarehouseDatabase: Sendable {
  /// Where the file is, or will be.
  public let path: String
  /// What each of its connections may hold of its pages.
  private let pages: PageMemory
  /// Asked before content becomes visible.
  let beforeCommit: @Sendable () throws(RunFailure) -> Void

  /// Names a warehouse; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - path: Where it is, or will be.
  ///   - pages: What each of its connections may hold of its pages.
  ///   - beforeCommit: Asked once all is written and before it becomes visible; what it throws
  ///     leaves everything as it was.
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

  /// Whether there is a warehouse yet.
  ///
  /// A file that is not a warehouse, or is of a newer schema version, is refused with
  /// ``ExitStatus/badConfiguration``.
  public func exists() throws(RunFailure) -> Bool {
    try DatabaseHeader.check(path: path, format: WarehouseSchema.format)
  }

  /// Finishes what a writer left undone that was killed: its journal or log is applied or undone.
  ///
  /// Readers without the right to write cannot do that, and see nothing until it is done. Where
  /// nothing is left to do, nothing is written.
  ///
  /// - Returns: whether its schema is this program's; an older one cannot be read, and the next
  ///   publication replaces it.
  @discardableResult
  public func recover() throws(RunFailure) -> Bool {
    let file = try open(.readWrite)
    try file.checkpoint()
    let isCurrent = try !WarehouseUpgrade.isNeeded(by: file)
    try file.close()
    return isCurrent
  }

  /// Makes the warehouse say this content, all at once.
  ///
  /// Without a warehouse one is built beside, checked, synced and renamed; in an existing one the
  /// rows that differ are written in one transaction, so that a reader sees the old facts or the
  /// new. Data tests run before either becomes visible; a failed one leaves everything as it was
  /// and throws ``ExitStatus/dataRefused``. Content that is published already, under the same
  /// as-of, versions, settings and state generation, is not written again, unless the run is a
  /// full refresh.
  ///
  /// Consumes the content, so that its memory is free before the rows are examined.
  public func publish(_ content: consuming WarehouseContent) throws(RunFailure) -> PublishReport {
    if try exists() { return try replace(content) }
    return try create(content)
  }

  /// Runs the data tests on what is published: `paidline check`.
  public func check() throws(RunFailure) -> [DataTestResult] {
    try read { db in try DataTest.run(on: db) }
  }

  /// The content digest, computed anew from the stored rows.
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

  /// The results of data tests that found no failure; anything else throws.
  func accepted(_ examination: Examination) throws -> [DataTestResult] {
    let results = try examination.testResults(path: path)
    try DataTest.require(results, path: path)
    return results
  }
}
