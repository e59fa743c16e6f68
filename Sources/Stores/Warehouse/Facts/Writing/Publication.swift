internal import SharedTables
internal import SQLiteFiles
internal import CivilTime
internal import Diagnostics
internal import GRDB

/// Writes the facts of a run to a warehouse, in one transaction.
///
/// Rows are compared in the order of their primary keys, and rows that differ are written with one
/// prepared statement per table. In an empty database all rows differ.
extension WarehouseDatabase {
  /// Updates an existing warehouse in one transaction; writes nothing if it is up to date.
  func replace(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    let file = try open(.readWrite)
    if let report = try unchanged(content, in: file) {
      try file.close()
      return report
    }
    try FreeSpace.require(FreeSpace.needed(for: content, replacing: true), at: path)
    var report = try write(content, to: file)
    report.isCheckpointed = try file.checkpoint()
    try file.close()
    return report
  }

  /// Writes the rows that differ, runs the data tests, and stores the results of the tests.
  ///
  /// - Throws: ``RunFailure``; then nothing is committed.
  private func write(_ content: WarehouseContent, to file: DatabaseFile) throws(RunFailure)
    -> PublishReport
  {
    // A data test checks all foreign keys at once.
    try file.outsideTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = OFF") }
    return try file.write(.factsWritten) { db in
      var report = try change(content, on: db)
      try FigureDefinition.fill(isScoped: content.scope != nil, on: db)
      try RestatementCapture.write(content, &report, path: path, on: db)
      let scope =
        content.run.kind == .fullRefresh
        ? .everything : ExaminationScope(after: report.changes)
      let known =
        scope == .everything
        ? [:] : try CountedTests.failingRows(after: report.countChanges, on: db)
      try examine(&report, of: content, scope, known: known, on: db)
      return report
    }
  }

  /// Runs the data tests whose numbers of failing rows are not `known`, and stores all results.
  func examine(
    _ report: inout PublishReport, of content: WarehouseContent, _ scope: ExaminationScope,
    known: [String: Int], on db: Database
  ) throws {
    report.tests = try DataTest.run(scope, known: known, on: db)
    try DataTest.require(report.tests, path: path)
    try DataTest.store(report.tests, run: content.run.runID, on: db)
    try beforeCommit()
  }

  /// The report of a publication without changes; `nil` if there is something to write.
  private func unchanged(_ content: WarehouseContent, in file: DatabaseFile) throws(RunFailure)
    -> PublishReport?
  {
    guard content.run.kind != .fullRefresh, content.scope == nil else { return nil }
    return try file.read { db in
      let run = content.run
      let last = try String.fetchOne(
        db,
        sql: """
          SELECT content_digest FROM audit_run
          WHERE run_id = (SELECT MAX(run_id) FROM audit_run) AND as_of = ?
            AND program_version = ? AND rules_version = ? AND settings_sha256 = ?
            AND state_generation = ?
          """,
        arguments: [
          run.asOf.text, run.programVersion, run.rulesVersion, run.settingsSHA256,
          run.stateGeneration,
        ])
      guard let last else { return nil }
      guard content.facts.digest.hexadecimal == last else { return nil }
      return PublishReport(outcome: .unchanged, contentDigest: last)
    }
  }

  /// Writes the differences from the stored rows, without committing them.
  private func change(_ content: WarehouseContent, on db: Database) throws -> PublishReport {
    let last = try content.scope.map { try lastDigest($0, on: db) }
    let sink = ChangeSink(on: db, isScoped: content.scope != nil, notesTouchedRows: true)
    try sink.write(content.facts)
    if let scope = content.scope, let failure = try ScopeTables.auditFailure(scope, on: db) {
      throw RunFailure(
        .invariantBroken,
        """
        \(path): \(failure) would change although its inputs did not. Nothing was published. This \
        is a bug, please report it. A run with --full-refresh rebuilds everything.
        """)
    }
    try BacktestTable.deleteOutdated(on: db)
    var digest = content.facts.digest
    if let last {
      digest = last
      digest.add(sink.digest)
    }
    let sums = try sums(of: content, sink.counts, on: db)
    let units = try PriceUnitSums(newFiles: content.newFiles, on: db)
    try content.writeSmallTables(sums, units, digest, on: db)
    try ExaminationScope.notePointers(after: sink.changes, on: db)
    var report = PublishReport(
      .replaced, digest: digest, changes: sink.changes, revenueRows: sums.revenue)
    report.countChanges = sink.counts
    return report
  }

  /// Counts the written rows.
  ///
  /// - Parameter changes: For each data test, the change in its number of failing rows; `nil` if
  ///   all rows were compared.
  private func sums(of content: WarehouseContent, _ changes: [String: Int]?, on db: Database) throws
    -> FactSums
  {
    // No row needs to be read if the last run found no such amount, and no changed row has one.
    let unconverted = try changes.flatMap {
      try CountedTests.failingRows(of: "unconverted_amounts", after: $0, on: db)
    }
    return try FactSums(
      countsUnconverted: content.run.reportingCurrency != nil && unconverted != 0, on: db)
  }

  /// Creates the scope's temporary tables, and returns the published content digest.
  private func lastDigest(_ scope: FactScope, on db: Database) throws -> ContentDigest {
    try ScopeTables.create(scope, on: db)
    let last = try String.fetchOne(
      db, sql: "SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1")
    guard let digest = last.flatMap(ContentDigest.init(hexadecimal:)) else {
      throw RunFailure(
        .invariantBroken,
        "\(path): the newest row of audit_run has no content_digest. "
          + "Run again with --full-refresh.")
    }
    return digest
  }
}

extension WarehouseContent {
  /// Evaluates the gates, and writes all tables but those of facts, such as `audit_run` and
  /// `dim_date`.
  func writeSmallTables(
    _ sums: FactSums, _ units: PriceUnitSums, _ digest: ContentDigest, on db: Database
  ) throws {
    let outcomes = try evaluateGates(sums, units)
    try DateRows.write(
      from: sums.firstDay,
      through: max(run.asOf.day, completeThrough ?? run.asOf.day), on: db)
    try AuditRows.write(rejects, on: db)
    // A rebuilt state.db gives other numbers to files, so the table is rewritten.
    try AuditRows.write(files, on: db)
    try CorrectionRows.write(corrections, uncorrected: uncorrected, on: db)
    try CustomerDayRows(customers, through: givenAsOf?.day, on: db).write(on: db)
    let found = outcomes.map { RunGate(runID: run.runID, outcome: $0) }
    try (gates + found).sorted {
      ($0.runID, $0.outcome.gate.rawValue, $0.outcome.subject)
        < ($1.runID, $1.outcome.gate.rawValue, $1.outcome.subject)
    }.writeMissing(on: db)
    try AppleReportTables.write(
      appleReports, keepsLines: scope != nil, run: run.runID, on: db)
    try WarehouseSchema.writeMeta(on: db)
    try history.writeMissing(on: db)
    try finishedRun(digest, sums).write(to: "audit_run", on: db)
  }
}
