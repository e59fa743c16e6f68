internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB

/// The result of an erasure, without ids.
public struct ErasureSummary: Hashable, Sendable {
  /// The number of different ids in the request.
  public var given = 0
  /// The number of ids that this request replaced in the stored content of the exports.
  public var erased = 0
  /// The number of requested ids that had been erased before this request.
  public var known = 0
  /// The number of requested ids that no file contains yet; they will be erased from later files.
  public var unknown = 0

  /// Creates a result in which ``erased`` and ``known`` are 0.
  public init(given: Int = 0, unknown: Int = 0) {
    self.given = given
    self.unknown = unknown
  }
}

extension StateDatabase {
  /// Replaces customer ids by pseudonyms: in stored files now, in new files when they are read.
  ///
  /// The customer's purchases, reports and amounts are kept, and the pseudonym is still one voter.
  /// The old ids may remain in freed pages until ``scrub()``. The published facts contain the
  /// customer's key, a hash of the id, until the next publication. ``needsScrub()`` is true until
  /// both are removed.
  ///
  /// - Returns: The numbers of ids: erased now, erased before, and not found in any file.
  /// - Throws: ``RunFailure`` when writing fails; then nothing has changed.
  @discardableResult
  public func erase(customers ids: Set<String>, at time: Instant) throws(RunFailure)
    -> ErasureSummary
  {
    let ids = ids.sorted()
    return try file.write(.customersErased) { db in
      let secret = try ErasedCustomers.makeSecret(on: db)
      var summary = ErasureSummary(given: ids.count)
      var isListChanged = false
      for id in ids {
        let code = ErasedCustomers.code(of: id.utf8, secret: secret)
        try db.execute(
          sql: "INSERT OR IGNORE INTO erased_customer (code, erased_at) VALUES (?, ?)",
          arguments: [code, time.milliseconds])
        let isNew = db.changesCount > 0
        if isNew { isListChanged = true }
        let pseudonym = String(
          decoding: ErasedCustomers.pseudonym(of: id.utf8, code: code), as: UTF8.self)
        try db.execute(
          sql: "UPDATE symbol SET text = ? WHERE text = ? AND is_customer = 1",
          arguments: [pseudonym, id])
        if db.changesCount > 0 {
          summary.erased += 1
        } else if isNew {
          summary.unknown += 1
        } else {
          summary.known += 1
        }
      }
      if isListChanged { try Self.incrementRemovals(on: db) }
      if summary.erased > 0 { _ = try Self.incrementGeneration(on: db) }
      if summary.erased + summary.known > 0 { try Self.requireScrub(on: db) }
      return summary
    }
  }

  /// Computes the result of ``erase(customers:at:)`` without changing anything.
  public func planErasure(of ids: Set<String>) throws(RunFailure) -> ErasureSummary {
    try file.read { db in
      let secret = try ErasedCustomers.secret(on: db)
      var summary = ErasureSummary(given: ids.count)
      for id in ids {
        if try Self.exists(
          "SELECT 1 FROM symbol WHERE text = ? AND is_customer = 1", [id], on: db)
        {
          summary.erased += 1
        } else if let secret,
          try Self.exists(
            "SELECT 1 FROM erased_customer WHERE code = ?",
            [ErasedCustomers.code(of: id.utf8, secret: secret)], on: db)
        {
          summary.known += 1
        } else {
          summary.unknown += 1
        }
      }
      return summary
    }
  }

  /// Calls a function with the id of each customer in the exports; erased customers are pseudonyms.
  public func forEachCustomer(_ body: (String) -> Void) throws(RunFailure) {
    try file.read { db in
      let rows = try RawStatement(
        "read customers", "SELECT text FROM symbol WHERE is_customer = 1", on: db)
      while try rows.next() { body(rows.text(0)) }
    }
  }

  private static func exists(_ sql: String, _ arguments: StatementArguments, on db: Database) throws
    -> Bool
  {
    try Int.fetchOne(db, sql: sql, arguments: arguments) != nil
  }

  /// The erased customers and their pseudonyms; `nil` if no customer is erased.
  public func erasedCustomerList() throws(RunFailure) -> ErasedCustomers? {
    try file.read { try ErasedCustomers(on: $0) }
  }
}
