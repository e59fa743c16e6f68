public import Diagnostics
internal import CivilTime
internal import GRDB
internal import Glibc

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
  /// The hash of the facts' content.
  public var contentSHA256: String
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

  /// Names a warehouse; nothing is opened yet.
  public init(path: String) {
    self.path = path
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
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
    try file.checkpoint()
    let isCurrent = try !WarehouseUpgrade.isNeeded(by: file)
    try file.close()
    return isCurrent
  }

  /// Refuses, with ``ExitStatus/badConfiguration``, a file that this program cannot read: another
  /// program's, or one of another schema version.
  public func requireReadable() throws(RunFailure) {
    try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readOnly).close()
  }

  /// Makes the warehouse say this content, all at once.
  ///
  /// Without a warehouse one is built beside, checked, synced and renamed; an existing one gets
  /// its rows replaced in one transaction, so that a reader sees the old facts or the new. Data
  /// tests run before either becomes visible; a failed one leaves everything as it was and throws
  /// ``ExitStatus/dataRefused``. Content that is published already, under the same as-of,
  /// versions, settings and state generation, is not written again, unless the run is a full
  /// refresh.
  public func publish(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    if try exists() { return try replace(content) }
    return try create(content)
  }

  /// Runs the data tests on what is published: `paidline check`.
  public func check() throws(RunFailure) -> [DataTestResult] {
    try read { db in try DataTest.run(on: db) }
  }

  /// The content hash, computed anew from the stored rows.
  public func contentSHA256() throws(RunFailure) -> String {
    try read { db in try ContentHash.ofStored(db) }
  }

  /// Reads inside one transaction.
  func read<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readOnly)
    let value = try file.read(body)
    try file.close()
    return value
  }

  // MARK: A new warehouse

  private func create(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    try FreeSpace.require(FreeSpace.needed(for: content, replacing: false), at: path)
    let building = path + ".building"
    try removeLeftovers(of: building)
    do {
      var report = try build(content, at: building)
      try removeLogs(of: path)
      try FilePublication.publish(building, as: path)
      let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
      report.isCheckpointed = try file.checkpoint()
      try file.close()
      return report
    } catch {
      try? removeLeftovers(of: building)
      throw error
    }
  }

  private func build(_ content: WarehouseContent, at building: String) throws(RunFailure)
    -> PublishReport
  {
    let empty = try DatabaseFile(path: building, format: WarehouseSchema.format, access: .build)
    let roots = try empty.write { db in
      try WarehouseSchema.createIndexes(on: db)
      return try (pages: PageSink.Roots(db), columns: WarehouseSchema.allColumns(on: db))
    }
    try empty.close()
    let writer: FactWriter
    let contentHash: String
    var rows: [String: Int]
    do {
      writer = try FactWriter(content, workers: content.workers)
      let file = try PageFile(path: building)
      let sink = PageSink(file: file, roots: roots.pages)
      contentHash = try writer.write(
        writer.facts + writer.indexes, columns: roots.columns, to: sink)
      try file.finish()
      rows = sink.rows
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
    let file = try DatabaseFile(path: building, format: WarehouseSchema.format, access: .goOn)
    var report = try file.write { db in
      let rest = writer.rest
      let sink = try RowSink(rest, on: db)
      _ = try writer.write(rest, columns: roots.columns, to: sink)
      rows.merge(sink.rows) { $1 }
      try WarehouseSchema.writeMeta(rules: content.rules, on: db)
      try content.history.writeMissing(on: db)
      try RunSummary(content).publishedRun(content, contentHash: contentHash)
        .write(to: "audit_run", on: db)
      return PublishReport(
        outcome: .created, contentSHA256: contentHash, rows: rows,
        added: rows["fct_revenue"] ?? 0)
    }
    report.tests = try examine(file, at: building)
    try file.write { db in try DataTest.store(report.tests, run: content.run.runID, on: db) }
    try file.close()
    try turnLogOn(of: building)
    return report
  }

  /// Lets a finished file carry the mark of the write-ahead log before it gets its name.
  ///
  /// Changing the mode needs a rollback journal for a moment, and one that a kill leaves behind
  /// would keep everyone who may only read from the published file.
  private func turnLogOn(of building: String) throws(RunFailure) {
    let file = try DatabaseFile(
      path: building, format: WarehouseSchema.format, access: .readWrite)
    try file.checkpoint()
    try file.close()
    try removeLogs(of: building)
  }

  /// Examines a finished file by two connections at once.
  private func examine(_ file: DatabaseFile, at building: String) throws(RunFailure)
    -> [DataTestResult]
  {
    try file.share()
    let second = try DatabaseFile(path: building, format: WarehouseSchema.format, access: .examine)
    let examination = Examination()
    second.startReading { result in
      // Without a second connection the first one answers everything.
      if case .success(let db) = result { examination.work(on: db) }
    }
    try file.outsideTransaction { db in examination.work(on: db) }
    try second.finishReading()
    try second.close()
    do {
      return try accepted(examination)
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// The results of data tests that found no failure; anything else throws.
  private func accepted(_ examination: Examination) throws -> [DataTestResult] {
    let results = try examination.testResults(path: path)
    try DataTest.require(results, path: path)
    return results
  }

  private func removeLeftovers(of file: String) throws(RunFailure) {
    try remove(file)
    try remove(file + "-journal")
    try removeLogs(of: file)
  }

  /// A log without its database would be replayed into a new one of the same name.
  private func removeLogs(of file: String) throws(RunFailure) {
    try remove(file + "-wal")
    try remove(file + "-shm")
  }

  private func remove(_ file: String) throws(RunFailure) {
    guard unsafe unlink(file) != 0, errno != ENOENT else { return }
    throw FilePublication.failure(errno, path: file, doing: "removed")
  }

  // MARK: An existing warehouse

  private func replace(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
    let isOutdated = try WarehouseUpgrade.isNeeded(by: file)
    if !isOutdated, let report = try unchanged(content, in: file) {
      try file.close()
      return report
    }
    try FreeSpace.require(FreeSpace.needed(for: content, replacing: true), at: path)
    try file.outsideTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = OFF") }
    var report = try file.write { db in
      if isOutdated { try WarehouseUpgrade.replaceSchema(on: db) }
      var report = try change(content, on: db)
      if isOutdated { try WarehouseUpgrade.finish(&report, on: db) }
      report.restatements = try RestatementCapture.write(content, report, path: path, on: db)
      let isWhole = isOutdated || content.run.kind == .fullRefresh
      let examination = Examination(
        isWhole ? .everything : ExaminationScope(after: report.changes))
      examination.work(on: db)
      report.tests = try accepted(examination)
      try DataTest.store(report.tests, run: content.run.runID, on: db)
      return report
    }
    report.isCheckpointed = try file.checkpoint()
    try file.close()
    return report
  }

  /// The account of a publication that has nothing to say; `nil` where there is something.
  private func unchanged(_ content: WarehouseContent, in file: DatabaseFile) throws(RunFailure)
    -> PublishReport?
  {
    guard content.run.kind != .fullRefresh else { return nil }
    return try file.read { db in
      let run = content.run
      let last = try String.fetchOne(
        db,
        sql: """
          SELECT content_sha256 FROM audit_run
          WHERE run_id = (SELECT MAX(run_id) FROM audit_run) AND as_of = ?
            AND program_version = ? AND rules_version = ? AND settings_sha256 = ?
            AND state_generation = ?
          """,
        arguments: [
          content.asOf.text, run.programVersion, run.rulesVersion, run.settingsSHA256,
          run.stateGeneration,
        ])
      guard let last else { return nil }
      let writer = try FactWriter(content, workers: content.workers)
      guard try writer.write(writer.facts, columns: [:], to: nil) == last else { return nil }
      return PublishReport(outcome: .unchanged, contentSHA256: last)
    }
  }

  /// Writes what differs from what is published.
  private func change(_ content: WarehouseContent, on db: Database) throws -> PublishReport {
    let writer = try FactWriter(content, workers: content.workers)
    let sources = writer.facts + writer.rest
    let sink = try ChangeSink(sources, on: db)
    let columns = try WarehouseSchema.allColumns(on: db)
    // A lost state numbers its files anew, and a file's content may stand once only.
    try db.execute(sql: "DELETE FROM audit_file")
    let contentHash = try writer.write(sources, columns: columns, to: sink)
    try WarehouseSchema.writeMeta(rules: content.rules, on: db)
    try content.history.writeMissing(on: db)
    try RunSummary(content).publishedRun(content, contentHash: contentHash)
      .write(to: "audit_run", on: db)
    let changes = sink.changes
    if changes["price_evidence"].map({ $0.changed > 0 }) ?? true {
      // A row says what its report does: it is examined again when the report's verdict changed.
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO temp.touched_fct_revenue SELECT purchase_key FROM fct_revenue
          WHERE evidence_id IN (SELECT number FROM temp.touched_price_evidence)
          """)
    }
    let revenue = changes["fct_revenue"] ?? TableChanges()
    var report = PublishReport(
      outcome: .replaced, contentSHA256: contentHash, rows: changes.mapValues(\.rows),
      added: revenue.added, changed: revenue.changed, removed: revenue.removed)
    report.changes = changes
    return report
  }
}
