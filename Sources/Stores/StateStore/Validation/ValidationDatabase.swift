internal import SQLiteFiles
public import Diagnostics
internal import Foundation
internal import GRDB

/// validation.db: which raw receipts were requested, and the answers that no export holds yet.
///
/// Private, and small: of a settled receipt only the hash of its record stays. A process that is
/// killed loses no answer it has stored; a power failure may lose the last few, which are asked
/// about again. One process writes at a time, under the pipeline's lock.
public final class ValidationDatabase: Sendable {
  let file: DatabaseFile

  /// Opens validation.db, creating it if it is missing, readable only by its owner.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The open database.
  /// - Throws: ``RunFailure`` with 78 for a foreign or newer file, which stays untouched, and 73,
  ///   74 or 77 for an error of the system.
  public static func open(path: String) throws(RunFailure) -> ValidationDatabase {
    let file = try DatabaseFile(path: path, format: .validation, access: .createIfMissing)
    try file.outsideTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return ValidationDatabase(file)
  }

  private init(_ file: DatabaseFile) {
    self.file = file
  }

  /// Closes the file; the database must not be used afterwards.
  ///
  /// - Throws: ``RunFailure`` when closing fails.
  public func close() throws(RunFailure) { try file.close() }

  /// Bytes as GRDB takes them.
  static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
