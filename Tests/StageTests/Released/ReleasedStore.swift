internal import Foundation
internal import GRDB
internal import TestSupport

/// A copy of the store whose databases a released program wrote.
struct ReleasedStore {
  /// The exports of a store, by the program that reads them.
  enum Exports {
    /// The exports that the released program has read.
    case earlier
    /// The exports that only the current program reads.
    case newest
  }

  static let folder = Checkout.folder.appending(path: "Tests/Released")
  private static let store = folder.appending(path: "store")
  static let databases = ["state.db", "warehouse.db"]
  private static let newestDay = "2021-05-30"

  private let version: URL
  private let shop: Shop

  /// Creates a copy without databases, with the exports that the released program has read.
  init(_ version: String) throws {
    self.version = Self.folder.appending(path: version)
    shop = try Shop()
    try export(.earlier)
  }

  /// Copies exports and settings into the store.
  func export(_ exports: Exports) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: Self.store.path).sorted() {
      let file = Self.store.appending(path: name)
      guard !file.pathExtension.isEmpty, name.contains(Self.newestDay) == (exports == .newest)
      else { continue }
      try shop.folder.write(name, bytes: Array(Data(contentsOf: file)))
    }
  }

  /// Restores the databases of the released program.
  func restoreDatabases() throws {
    for database in Self.databases {
      let packed = try Data(contentsOf: version.appending(path: "\(database).gz"))
      try shop.folder.write("var/\(database)", bytes: gunzip(Array(packed)))
    }
  }

  /// Stores the databases of the current program as those of its release.
  func keepDatabases() throws {
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    for database in Self.databases {
      let queue = try DatabaseQueue(path: shop.folder.path("var/\(database)"))
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      try queue.close()
      let packed = gzip(try shop.folder.bytes("var/\(database)"), level: 9)
      try Data(packed).write(to: version.appending(path: "\(database).gz"))
    }
  }

  /// Runs a command on the store's pipeline.
  func ending(_ command: String) throws -> Ending { try shop.run("paidline", command) }

  /// The hash of the published facts.
  func digest() throws -> String? {
    try shop.rows(
      "SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1", in: "var/warehouse.db"
    ).first
  }

  /// The number of runs that published.
  func runs() throws -> Int {
    try shop.rows("SELECT run_id FROM audit_run", in: "var/warehouse.db").count
  }

  /// The statements that create everything in a database, sorted by name.
  func schema(of database: String) throws -> [String] {
    try shop.rows(
      "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name, sql",
      in: "var/\(database)")
  }
}
