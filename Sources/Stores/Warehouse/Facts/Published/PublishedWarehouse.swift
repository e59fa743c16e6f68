internal import SQLiteFiles
public import Diagnostics
public import GRDB

/// A connection to the published facts, inside one read transaction.
public typealias PublishedFacts = Database

/// A warehouse that is opened for reading only.
public final class PublishedWarehouse: Sendable {
  private let file: DatabaseFile

  /// Opens the warehouse at a path.
  ///
  /// - Throws: ``RunFailure`` with exit status 66 for a missing file, and with exit status 78 for a
  ///   file of another program or schema version.
  public init(path: String) throws(RunFailure) {
    file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .analyse)
  }

  /// Reads in one transaction, so that all results are consistent.
  public func read<Value>(_ body: (PublishedFacts) throws -> Value) throws(RunFailure) -> Value {
    try file.read(body)
  }
}
