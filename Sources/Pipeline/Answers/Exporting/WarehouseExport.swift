package import Diagnostics
internal import GRDB
package import Pipeline

/// Writes tables of the warehouse for other programs, all as of one moment.
package struct WarehouseExport {
  /// The pipeline whose warehouse is read.
  package let definition: PipelineDefinition
  /// The format.
  package let format: ExportFormat
  /// Whether texts that a spreadsheet would take for a formula are disarmed.
  package let isSpreadsheetSafe: Bool

  package init(definition: PipelineDefinition, format: ExportFormat, isSpreadsheetSafe: Bool) {
    self.definition = definition
    self.format = format
    self.isSpreadsheetSafe = isSpreadsheetSafe
  }

  /// The number of bytes gathered before they are written.
  private static let pieceSize = 1 << 16

  /// Writes one table or view.
  package func write(_ name: String, to output: CheckedOutput) throws(RunFailure) {
    try WarehouseReader(definition).read { db in
      for table in try ExportedTable.find([name], on: db) {
        _ = try rows(of: table, on: db) { bytes throws(RunFailure) in
          try output.write(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }

  /// Writes tables and views to files of their names in a folder.
  ///
  /// Without names: all tables, and for PostgreSQL all views too, which become tables there. Every
  /// file is written beside its place first, and all are moved when all are complete.
  ///
  /// - Returns: the names of the files.
  package func write(_ names: [String], toFolder folder: String) throws(RunFailure) -> [String] {
    if format == .parquet { return try writeParquet(names, toFolder: folder) }
    try OutputFolder.create(folder)
    let files = try writeFiles(names, toFolder: folder).map {
      "\($0.table.name).\(format.fileExtension)"
    }
    return files + (format == .pgcopy ? [LoadScript.name] : [])
  }

  /// Writes the rows of tables and views, and what loads them.
  ///
  /// - Returns: the tables, with how many rows each has.
  func writeFiles(_ names: [String], toFolder folder: String) throws(RunFailure)
    -> [(table: ExportedTable, rows: Int)]
  {
    try WarehouseReader(definition).read { db in
      var drafts: [DraftFile] = []
      var written: [(table: ExportedTable, rows: Int)] = []
      func add(_ name: String) throws(RunFailure) -> DraftFile {
        let file = try DraftFile(FilePaths.join(folder, name))
        drafts.append(file)
        return file
      }
      for table in try ExportedTable.find(names, withViews: format == .pgcopy, on: db) {
        let file = try add("\(table.name).\(format == .parquet ? "csv" : format.fileExtension)")
        let count = try rows(of: table, on: db) { bytes throws(RunFailure) in
          try file.write(bytes)
        }
        try file.finish()
        written.append((table, count))
      }
      if format == .pgcopy {
        let file = try add(LoadScript.name)
        try file.write(Array(LoadScript(tables: written).text.utf8))
        try file.finish()
      }
      try StopSignal.check()
      for draft in drafts { try draft.publish() }
      return written
    }
  }

  /// Hands out the text of a table in pieces of whole rows.
  private func rows(
    of table: ExportedTable, on db: Database, write: ([UInt8]) throws(RunFailure) -> Void
  ) throws -> Int {
    var text = RowText(format, isSpreadsheetSafe: isSpreadsheetSafe)
    text.header(table.columns.map(\.name))
    var count = 0
    let cursor = try Row.fetchCursor(db, sql: table.query)
    while let row = try cursor.next() {
      text.row(row)
      count += 1
      guard text.bytes.count >= Self.pieceSize else { continue }
      try StopSignal.check()
      try write(text.take())
    }
    try write(text.take())
    return count
  }
}
