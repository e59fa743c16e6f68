internal import SQLiteFiles
public import Diagnostics
internal import Foundation
internal import GRDB

/// validation.db: the requested raw receipts, and the responses that are not in an export yet.
///
/// Private, and small: of a completed receipt only the hash remains. A killed process loses no
/// stored response; a power failure may lose the last few, which are requested again. One process
/// writes at a time, under the pipeline's lock.
public final class ValidationDatabase: Sendable {
  let file: DatabaseFile

  /// Opens validation.db, creating it if it is missing, readable only by its owner.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The open database.
  /// - Throws: ``RunFailure`` with 78 for another program's or a newer file, which is not changed,
  ///   and 73, 74 or 77 for an error of the system.
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

  /// Converts bytes to the type that GRDB accepts.
  static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
