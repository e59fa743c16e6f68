internal import SharedTables
internal import SQLiteFiles
internal import CivilTime
internal import Diagnostics
internal import GRDB

/// Updating an existing warehouse to the facts of a run, in one transaction.
extension WarehouseDatabase {
  func replace(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    let file = try open(.readWrite)
    let isOutdated = try WarehouseUpgrade.isNeeded(by: file)
    if !isOutdated, let report = try unchanged(content, in: file) {
      try file.close()
      return report
    }
    try FreeSpace.require(FreeSpace.needed(for: content, replacing: true), at: path)
    try file.outsideTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = OFF") }
    var report = try file.write(.factsReplaced) { db in
      if isOutdated { try WarehouseUpgrade.replaceSchema(on: db) }
      var report = try change(content, on: db)
      if isOutdated { try WarehouseUpgrade.finish(&report, on: db) }
      report.restatements = try RestatementCapture.write(content, report, path: path, on: db)
      let isWhole = isOutdated || content.run.kind == .fullRefresh
      // SQLite wrote these rows one by one, under the CHECKs of their tables.
      let examination = Examination(
        isWhole ? .everything : ExaminationScope(after: report.changes), known: report.counted)
      examination.work(on: db)
      report.tests = try accepted(examination)
      try DataTest.store(report.tests, run: content.run.runID, on: db)
      try beforeCommit()
      return report
    }
    report.isCheckpointed = try file.checkpoint()
    try file.close()
    return report
  }

  /// The account of a publication without changes; `nil` if there are changes.
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
          content.asOf.text, run.programVersion, run.rulesVersion, run.settingsSHA256,
          run.stateGeneration,
        ])
      guard let last else { return nil }
      guard content.facts.digest.hexadecimal == last else { return nil }
      return PublishReport(outcome: .unchanged, contentDigest: last)
    }
  }

  /// Writes the differences from the published rows.
  private func change(_ content: WarehouseContent, on db: Database) throws -> PublishReport {
    let last = try content.scope.map { try lastDigest($0, on: db) }
    let sink = ChangeSink(on: db, isScoped: content.scope != nil)
    // A scope is looked up and sorted for every portion, and it is small.
    try content.facts.drain(into: sink, portion: content.scope == nil ? 2048 : 65_536)
    if let scope = content.scope, let failure = try ScopeTables.auditFailure(scope, on: db) {
      throw RunFailure(
        .invariantBroken,
        """
        \(path): \(failure) would come out differently, though nothing it is made of has changed. \
        Nothing was published. This is a bug, please report it; --full-refresh decides everything anew
        """)
    }
    var digest = content.facts.digest
    if let last {
      digest = last
      digest.add(sink.digest)
    }
    try content.writeSmallTables(on: db)
    // The judgement of the books is a row of the same run, so that it comes after the others.
    try content.gates.writeMissing(on: db)
    try BookRows.write(content.appleReports, run: content.run.runID, on: db)
    try WarehouseSchema.writeMeta(rules: content.rules, on: db)
    try content.history.writeMissing(on: db)
    try RunSummary(content).publishedRun(content, digest: digest)
      .write(to: "audit_run", on: db)
    let changes = sink.changes
    try ExaminationScope.notePointers(after: changes, on: db)
    let revenue = changes["fct_revenue"] ?? TableChanges()
    var report = PublishReport(
      outcome: .replaced, contentDigest: digest.hexadecimal, rows: changes.mapValues(\.rows),
      added: revenue.added, changed: revenue.changed, removed: revenue.removed)
    report.changes = changes
    report.counted = try CountedTests.failingRows(after: sink.counts, on: db)
    if let totals = content.totals { report.rows["fct_revenue"] = totals.revenue }
    return report
  }

  /// The published digest, and the scope's tables for comparing with what it covers.
  private func lastDigest(_ scope: FactScope, on db: Database) throws -> ContentDigest {
    try ScopeTables.create(scope, on: db)
    let last = try String.fetchOne(
      db, sql: "SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1")
    guard let digest = last.flatMap(ContentDigest.init(hexadecimal:)) else {
      throw RunFailure(
        .invariantBroken, "\(path): the last run has no digest; run with --full-refresh")
    }
    return digest
  }
}
