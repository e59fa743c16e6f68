package import Diagnostics
package import Pipeline
internal import TemporaryFiles
package import Warehouse

/// Writes tables of the warehouse for other programs.
///
/// All tables are read in one transaction, so they show the same publication.
package struct WarehouseExport {
  /// The pipeline whose warehouse is read.
  package let definition: PipelineDefinition
  package let format: ExportFormat
  /// Whether to escape texts that a spreadsheet would run as formulas.
  package let isSpreadsheetSafe: Bool

  package init(definition: PipelineDefinition, format: ExportFormat, isSpreadsheetSafe: Bool) {
    self.definition = definition
    self.format = format
    self.isSpreadsheetSafe = isSpreadsheetSafe
  }

  /// Writes one table or view to an output, such as standard output.
  package func write(_ name: String, to output: CheckedOutput) throws(RunFailure) {
    try PublishedWarehouse(definition).read { db in
      for table in try tables([name], on: db) {
        _ = try table.write(as: rowText, on: db) { bytes in
          try StopSignal.check()
          try output.write(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }

  /// Writes each table or view to a file in a folder; the file has the name of the table.
  ///
  /// If `names` is empty, all tables are written. For PostgreSQL, all views are written too, and
  /// become tables in PostgreSQL; a script that loads the files is written with them. The files
  /// have temporary names until all of them are complete.
  ///
  /// - Returns: The names of the files.
  package func write(_ names: [String], toFolder folder: String) throws(RunFailure) -> [String] {
    try OutputFolder.create(folder)
    return try PublishedWarehouse(definition).read { db in
      var drafts: [(name: String, file: NewFile)] = []
      var written: [(table: ExportedTable, rows: Int)] = []
      func add(_ name: String) throws(RunFailure) -> NewFile {
        let file = try NewFile(FilePaths.join(folder, name), .table)
        drafts.append((name, file))
        return file
      }
      for table in try tables(names, on: db) {
        let file = try add("\(table.name).\(format.fileExtension)")
        let count = try table.write(as: rowText, on: db) { bytes in
          try StopSignal.check()
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
      for draft in drafts { try draft.file.publish() }
      return drafts.map(\.name)
    }
  }

  private var rowText: RowText { RowText(format, isSpreadsheetSafe: isSpreadsheetSafe) }

  /// Returns the tables and views with the given names, in the given order.
  ///
  /// If `names` is empty, returns all tables and views.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a name that is not in the warehouse.
  private func tables(_ names: [String], on facts: PublishedFacts) throws -> [ExportedTable] {
    let all = try ExportedTable.names(on: facts)
    let wanted = names.isEmpty ? all : names
    var seen: Set<String> = []
    return try wanted.filter { seen.insert($0).inserted }.map { name in
      guard all.contains(name) else {
        let hint = NearestWord.suggestion(for: name, among: all).map {
          " (did you mean \($0)?)"
        }
        throw RunFailure(
          .inputMissing,
          "the warehouse has no table or view \"\(OneLine.text(name))\"\(hint ?? ""); it has "
            + all.joined(separator: ", "))
      }
      return try ExportedTable(name, on: facts)
    }
  }
}
