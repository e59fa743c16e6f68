internal import Diagnostics
internal import GRDB
internal import Glibc
internal import SharedTables
internal import SQLiteFiles
internal import TemporaryFiles

/// Writes the first publication to a new file, which is renamed when it is finished.
extension WarehouseDatabase {
  func create(_ content: WarehouseContent) throws(RunFailure) -> PublishReport {
    try FreeSpace.require(FreeSpace.needed(for: content, replacing: false), at: path)
    let building = unfinishedPath
    try empty(building)
    do {
      let file = try open(.build, at: building)
      var report = try file.withTemporaryFilesBeside { () throws(RunFailure) in
        try fill(file, at: building, with: content)
      }
      try file.close()
      try turnLogOn(of: building)
      try removeLogs(of: path)
      try NewFile.publish(building, as: path, .warehouse)
      let published = try open(.readWrite)
      report.isCheckpointed = try published.checkpoint()
      try published.close()
      return report
    } catch {
      try? removeLeftovers(of: building)
      throw error
    }
  }

  /// Writes all rows, and examines them on a second connection while the figures are computed.
  ///
  /// The file is not complete until the second transaction is committed; nobody reads it before it
  /// is renamed.
  private func fill(_ file: DatabaseFile, at building: String, with content: WarehouseContent)
    throws(RunFailure) -> PublishReport
  {
    // A data test checks all foreign keys at once.
    try file.outsideTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = OFF") }
    let changes = try file.write(.factsWritten) { db in
      let sink = ChangeSink(on: db, isScoped: false, notesTouchedRows: false)
      try sink.write(content.facts)
      // Figures and tests look rows up by the indexes.
      try WarehouseSchema.createIndexes(on: db)
      return sink.changes
    }
    let (newFiles, converts) = (content.newFiles, content.run.reportingCurrency != nil)
    return try file.write(.factsWritten) { db in
      let examined = try RowExamination.beside({ () throws(RunFailure) in
        let reader = try open(.readOnly, at: building)
        return try reader.read { db in
          // This process has just written the pages.
          try db.execute(sql: "PRAGMA cell_size_check = OFF")
          return try RowExamination(newFiles: newFiles, countsUnconverted: converts, on: db)
        }
      }) {
        // SQLite cannot write pages to the file while the second connection reads.
        try db.execute(sql: "PRAGMA cache_spill = OFF")
        try FigureDefinition.fill([RecurringChanges.figure], on: db)
      }
      try db.execute(sql: "PRAGMA cache_spill = ON")
      let digest = content.facts.digest
      try content.writeSmallTables(examined.sums, examined.units, digest, on: db)
      try FigureDefinition.fill(
        FigureDefinition.figures.subtracting([RecurringChanges.figure]), on: db)
      var report = PublishReport(
        .created, digest: digest, changes: changes, revenueRows: examined.sums.revenue)
      try examine(&report, of: content, .everything, known: examined.failingRows, on: db)
      return report
    }
  }

  /// Turns on the write-ahead log of a finished file, before the file is renamed.
  ///
  /// Changing the mode needs a rollback journal for a moment. If a process is killed at that
  /// moment, the journal remains next to the file. Read-only users could not open a published file
  /// in this state.
  private func turnLogOn(of building: String) throws(RunFailure) {
    let file = try open(.readWrite, at: building)
    try file.checkpoint()
    try file.close()
    try removeLogs(of: building)
  }

  /// Empties the unfinished file, and removes its journals.
  ///
  /// The file is not deleted, because the run may hold a lock on it.
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

  /// Removes logs whose database is missing; SQLite would apply them to a new file of that name.
  private func removeLogs(of file: String) throws(RunFailure) {
    try remove(file + "-wal")
    try remove(file + "-shm")
  }

  private func remove(_ file: String) throws(RunFailure) {
    guard unsafe unlink(file) != 0, errno != ENOENT else { return }
    throw .system(errno, "removing \(file)", isOutput: true)
  }
}
