internal import SharedTables
internal import SQLiteFiles
internal import CivilTime
internal import Diagnostics
internal import Glibc
internal import GRDB
internal import TemporaryFiles

/// Building a new warehouse: beside its place, and moved there once it is finished.
extension WarehouseDatabase {
  func create(_ content: consuming WarehouseContent) throws(RunFailure) -> PublishReport {
    let run = content.run.runID
    try FreeSpace.require(FreeSpace.needed(for: content, replacing: false), at: path)
    let building = unfinishedPath
    try empty(building)
    do {
      var (report, file) = try build(content, at: building)
      report.tests = try examine(file, at: building)
      try store(report.tests, run: run, in: file, at: building)
      try removeLogs(of: path)
      try beforeCommit()
      try FilePublication.publish(building, as: path)
      file = try open(.readWrite)
      report.isCheckpointed = try file.checkpoint()
      try file.close()
      return report
    } catch {
      try? removeLeftovers(of: building)
      throw error
    }
  }

  private func build(_ given: consuming WarehouseContent, at building: String) throws(RunFailure)
    -> (report: PublishReport, file: DatabaseFile)
  {
    let content = given
    let empty = try open(.build, at: building)
    let roots = try empty.write(.tablesBuilt) { db in
      try WarehouseSchema.createIndexes(on: db)
      return try PageSink.Roots(db)
    }
    try empty.close()
    var rows: [String: Int]
    do {
      let file = try PageFile(path: building)
      let sink = PageSink(file: file, roots: roots, memory: content.facts.sort.memory)
      try content.facts.drain(into: sink)
      try sink.finish()
      try file.finish()
      rows = sink.rows
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
    let file = try open(.goOn, at: building)
    let report = try file.write(.rowsBuilt) { db in
      try content.writeSmallTables(on: db)
      // The judgement of the books is a row of the same run, so that it comes after the others.
      try content.gates.writeMissing(on: db)
      try BookRows.write(content.appleReports, run: content.run.runID, on: db)
      try WarehouseSchema.writeMeta(rules: content.rules, on: db)
      try content.history.writeMissing(on: db)
      try RunSummary(content).publishedRun(content, digest: content.facts.digest)
        .write(to: "audit_run", on: db)
      return PublishReport(
        outcome: .created, contentDigest: content.facts.digest.hexadecimal, rows: rows,
        added: rows["fct_revenue"] ?? 0)
    }
    return (report, file)
  }

  /// Adds the last rows, and closes the file.
  private func store(
    _ tests: [DataTestResult], run: Int64, in file: DatabaseFile, at building: String
  ) throws(RunFailure) {
    try file.write(.testsBuilt) { db in try DataTest.store(tests, run: run, on: db) }
    try file.close()
    try turnLogOn(of: building)
  }

  /// Lets a finished file carry the mark of the write-ahead log before it gets its name.
  ///
  /// Changing the mode needs a rollback journal for a moment, and one that a kill leaves behind
  /// would keep everyone who may only read from the published file.
  private func turnLogOn(of building: String) throws(RunFailure) {
    let file = try open(.readWrite, at: building)
    try file.checkpoint()
    try file.close()
    try removeLogs(of: building)
  }

  /// Examines a finished file by two connections at once: its builder asks for damage first.
  private func examine(_ file: DatabaseFile, at building: String) throws(RunFailure)
    -> [DataTestResult]
  {
    try file.share()
    let second = try open(.examine, at: building)
    let examination = Examination()
    try file.outsideTransaction { db in
      second.startReading { result in
        // Without a second connection the first one answers everything.
        if case .success(let db) = result { examination.work(on: db) }
      }
      examination.checkFile(on: db)
      examination.work(on: db)
      try second.finishReading()
    }
    try second.close()
    do {
      return try accepted(examination)
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// Empties the unfinished file, which may be locked by its name, and removes its companions.
  private func empty(_ building: String) throws(RunFailure) {
    let descriptor = DatabaseFile.openDescriptor(building, O_WRONLY | O_TRUNC | O_NOFOLLOW)
    guard descriptor >= 0 else { return try removeLeftovers(of: building) }
    DatabaseFile.closeDescriptor(descriptor)
    try remove(building + "-journal")
    try removeLogs(of: building)
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
}

extension WarehouseContent {
  /// Replaces the rows of the small tables.
  func writeSmallTables(on db: Database) throws {
    let first = try String.fetchOne(db, sql: "SELECT MIN(purchased_date) FROM fct_revenue")
    try DateRows.write(
      from: first.flatMap { CivilDay(text: $0) },
      through: max(asOf.day, completeThrough ?? asOf.day), on: db)
    try AuditRows.write(rejects, on: db)
    // A lost state numbers its files anew, and a file's content may occur only once.
    try AuditRows.write(files, on: db)
  }
}
