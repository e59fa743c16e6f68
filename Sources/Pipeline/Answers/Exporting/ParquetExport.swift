internal import Diagnostics
internal import Glibc
internal import Pipeline
internal import SystemPackage
internal import Warehouse

extension WarehouseExport {
  /// Writes tables and views as folders of Parquet files; see ``ExportFormat/parquet``.
  ///
  /// The folders have temporary names until all of them are complete.
  ///
  /// - Parameters:
  ///   - names: The tables and views; empty for all tables.
  /// - Throws: ``RunFailure`` with status 66 if DuckDB is not installed.
  func writeParquet(_ names: [String], toFolder folder: String) throws(RunFailure) -> [String] {
    let program = try DuckDB.find()
    try OutputFolder.create(folder)
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let tables = try writeFiles(names, toFolder: scratch.path)
    for (table, _) in tables {
      try OutputFolder.create(FilePaths.join(scratch.path, table.name))
    }
    let script = FilePaths.join(scratch.path, "write.sql")
    let file = try DraftFile(script)
    try file.write(Array(ParquetScript(tables: tables, folder: scratch.path).text.utf8))
    try file.finish()
    try file.publish()
    try program.run(script)
    try StopSignal.check()
    for (table, _) in tables {
      try Self.replace(FilePaths.join(folder, table.name), in: scratch, name: table.name)
    }
    return tables.map(\.table.name)
  }

  /// Moves the previous folder at a path into the scratch folder, and then the new folder to the
  /// path.
  private static func replace(_ place: String, in scratch: ScratchFolder, name: String)
    throws(RunFailure)
  {
    let former = FilePaths.join(scratch.path, name + ".former")
    guard unsafe rename(place, former) == 0 || errno == ENOENT else {
      throw .system(Errno(rawValue: errno), "moving \(place)", isOutput: true)
    }
    guard unsafe rename(FilePaths.join(scratch.path, name), place) == 0 else {
      throw .system(Errno(rawValue: errno), "writing \(place)", isOutput: true)
    }
  }
}
