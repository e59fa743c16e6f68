internal import SQLiteFiles
public import Diagnostics
internal import Foundation
internal import GRDB

/// validation.db: the raw receipts that were sent to Apple, and responses for the next export.
///
/// It is private and small: of a raw receipt whose response is in an export, only the hash remains.
/// If the process is killed, no stored response is lost. A power failure may lose the newest
/// responses; their receipts are sent again. One process writes at a time, under the pipeline's
/// lock.
public final class ValidationDatabase: Sendable {
  let file: DatabaseFile

  /// Opens validation.db; creates a missing file, readable only by its owner.
  ///
  /// - Throws: ``RunFailure`` with status 78 for a file of another program or a newer version (it
  ///   is left unchanged), and 73, 74 or 77 for an error of the system.
  public static func open(path: String) throws(RunFailure) -> ValidationDatabase {
    let file = try DatabaseFile(path: path, format: .validation, access: .createIfMissing)
    try file.outsideTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return ValidationDatabase(file)
  }

  private init(_ file: DatabaseFile) {
    self.file = file
  }

  /// Closes the file; the database must not be used afterwards.
  public func close() throws(RunFailure) { try file.close() }

  /// Converts bytes to the type that GRDB accepts.
  static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
