internal import SQLiteFiles
public import Diagnostics
internal import Foundation
internal import GRDB

/// A private database of the questions that Apple was asked, and of the answers that no export has
/// yet.
///
/// `paidline-validate` keeps receipts in one file; `paidline-fetch` keeps histories and
/// notifications in another, and prices in a third. One process writes to a file at a time, under
/// the lock beside it. If the process is killed, no stored answer is lost. A power failure may
/// lose the newest answers; their questions are asked again.
public final class AskedDatabase: Sendable {
  let file: DatabaseFile

  /// Opens a database; creates a missing file, readable only by its owner.
  ///
  /// - Throws: ``RunFailure`` with status 78 for a file of another program or a newer version (it
  ///   is left unchanged), and 73, 74 or 77 for an error of the system.
  public static func open(path: String) throws(RunFailure) -> AskedDatabase {
    let file = try DatabaseFile(path: path, format: .asked, access: .createIfMissing)
    try file.outsideTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return AskedDatabase(file)
  }

  private init(_ file: DatabaseFile) { self.file = file }

  /// Closes the file; the database must not be used afterwards.
  public func close() throws(RunFailure) { try file.close() }

  /// Rewrites the file without its freed pages and empties its log.
  ///
  /// - Returns: Whether all removed data is gone; `false` while a reader uses the log.
  public func scrub() throws(RunFailure) -> Bool { try file.scrub() }
}
