public import Diagnostics
internal import GRDB

extension StateDatabase {
  /// What SQLite finds wrong with the file.
  ///
  /// - Parameter isThorough: whether indexes are compared with their tables.
  /// - Returns: the findings in SQLite's words; none for a sound file.
  /// - Throws: ``RunFailure`` when reading fails.
  public func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    try file.damage(isThorough: isThorough)
  }
}

extension WarehouseDatabase {
  /// What SQLite finds wrong with the file.
  ///
  /// - Parameter isThorough: whether indexes are compared with their tables.
  /// - Returns: the findings in SQLite's words; none for a sound file.
  /// - Throws: ``RunFailure`` when reading fails.
  public func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readOnly)
    let found = try file.damage(isThorough: isThorough)
    try file.close()
    return found
  }
}

extension DatabaseFile {
  func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    let check = isThorough ? "integrity_check" : "quick_check"
    return try read { db in
      try String.fetchAll(db, sql: "PRAGMA \(check)(10)").filter { $0 != "ok" }
        .map { "\(path): \($0)" }
    }
  }
}
