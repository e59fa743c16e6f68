internal import SharedTables
internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
internal import PurchaseModel

/// The list of erased customers and forgotten files.
///
/// The exports do not contain this list. So a copy is in the file `state.db.removals` next to
/// state.db. When state.db is rebuilt from the exports, the list is read from this copy.
///
/// Customers are identified only by their keyed hashes.
public struct Removals: Hashable, Sendable {
  /// An erased customer, identified by a hash.
  public struct Customer: Hashable, Sendable {
    /// The keyed hash of the id: 64 lower-case hex digits.
    public var code: String
    /// The time of the request.
    public var erasedAt: Instant

    /// Creates an erased customer from the hash of the id.
    public init(code: String, erasedAt: Instant) {
      self.code = code
      self.erasedAt = erasedAt
    }
  }

  /// A number that grows with every change of the list; 0 for an empty list.
  ///
  /// Of two lists, the list with the higher number is newer.
  public var revision: Int64 = 0
  /// The key with which customer ids are hashed, as text; `nil` before the first erasure.
  public var secret: String?
  /// The customers, sorted by hash.
  public var customers: [Customer] = []
  /// The files, sorted by hash, then kind.
  public var files: [ForgottenFile] = []

  /// Creates an empty list.
  public init() {}
}

extension StateDatabase {
  private static let revisionSetting = "removals"

  /// The erased customers and forgotten files in state.db.
  public func removals() throws(RunFailure) -> Removals {
    var list = Removals()
    list.revision = try removalsRevision()
    list.secret = try setting(ErasedCustomers.secretSetting)
    list.customers = try file.read { db in
      try StoredRow.fetchAll(db, sql: "SELECT code, erased_at FROM erased_customer ORDER BY code")
        .map { Removals.Customer(code: $0[0], erasedAt: Instant(milliseconds: $0[1])) }
    }
    list.files = try forgottenFiles()
    return list
  }

  /// The revision of the list in state.db: 0 for an empty list, 1 if an earlier version of the
  /// program wrote the list.
  public func removalsRevision() throws(RunFailure) -> Int64 {
    try file.read { db in
      try Int64.fetchOne(
        db,
        sql: """
          SELECT max(
            (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM setting WHERE key = ?),
            EXISTS (SELECT 1 FROM erased_customer) OR EXISTS (SELECT 1 FROM forgotten_file))
          """, arguments: [Self.revisionSetting]) ?? 0
    }
  }

  /// Increments the revision of the list, in the transaction that changes the list.
  ///
  /// Also deletes the rows that are kept for the next run, because these rows may
  /// contain removed data.
  static func incrementRemovals(on db: Database) throws {
    try forgetLastPublication(on: db)
    try db.execute(
      sql: """
        INSERT INTO setting (key, value) VALUES (?, '2')
        ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1
        """, arguments: [revisionSetting])
  }

  /// Copies a newer list to this state.db, and removes the data that the list names.
  ///
  /// Erases the customers in the list, and removes the content of the files in the list.
  ///
  /// - Throws: ``RunFailure`` with status 78 if the lists have different secrets.
  public func adopt(_ list: Removals, at time: Instant) throws(RunFailure) {
    let path = file.path
    let named = try files().filter { stored in
      list.files.contains { $0.sha256 == stored.sha256 && $0.kind == stored.kind }
    }
    if !named.isEmpty { try forget(files: named.map(\.id), at: time) }
    try file.write(.removalsAdopted) { db in
      let known = try String.fetchOne(
        db, sql: "SELECT value FROM setting WHERE key = ?",
        arguments: [ErasedCustomers.secretSetting])
      if let known, let secret = list.secret, known != secret {
        throw RunFailure(
          .badConfiguration,
          "\(path): this database and the list next to it, state.db.removals, have different "
            + "erasure secrets. Keep one file, remove the other file, and erase the customers of "
            + "the removed file again.")
      }
      try Self.insert(list, on: db)
      try Self.eraseListed(on: db)
    }
  }

  private static func insert(_ list: Removals, on db: Database) throws {
    try forgetLastPublication(on: db)
    if let secret = list.secret {
      try db.execute(
        sql: "INSERT OR IGNORE INTO setting (key, value) VALUES (?, ?)",
        arguments: [ErasedCustomers.secretSetting, secret])
    }
    for customer in list.customers {
      try db.execute(
        sql: "INSERT OR IGNORE INTO erased_customer (code, erased_at) VALUES (?, ?)",
        arguments: [customer.code, customer.erasedAt.milliseconds])
    }
    for file in list.files {
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO forgotten_file
            (sha256, kind, name, export_date, bytes, forgotten_at) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          file.sha256, file.kind.rawValue, file.name, file.exportDate?.text, file.bytes,
          file.forgottenAt.milliseconds,
        ])
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
      arguments: [revisionSetting, String(list.revision)])
  }

  /// Replaces the ids of erased customers in stored texts by pseudonyms.
  private static func eraseListed(on db: Database) throws {
    guard let erased = try ErasedCustomers(on: db) else { return }
    let named = try StoredRow.fetchAll(
      db, sql: "SELECT symbol_id, text FROM symbol WHERE is_customer = 1")
    var changed = 0
    for row in named {
      let text: String = row[1]
      guard let pseudonym = erased.pseudonym(of: text.utf8) else { continue }
      try db.execute(
        sql: "UPDATE symbol SET text = ? WHERE symbol_id = ?",
        arguments: [String(decoding: pseudonym, as: UTF8.self), row[0] as Int64])
      changed += 1
    }
    guard changed > 0 else { return }
    try requireScrub(on: db)
    _ = try incrementGeneration(on: db)
  }
}
