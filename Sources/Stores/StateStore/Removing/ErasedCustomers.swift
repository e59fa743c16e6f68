internal import Crypto
internal import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import Purchases

/// The erased customers, and the pseudonyms that replace their ids.
///
/// An id is recognized by its keyed hash; the key is a secret in state.db. The pseudonym contains
/// the customer's rank in ``CustomerOrder``, so that an erasure does not change the order of
/// customers.
public struct ErasedCustomers: Sendable {
  /// The key under which table `setting` contains the secret for hashing customer ids.
  static let secretSetting = "erasure_secret"

  private let secret: SymmetricKey
  private let codes: Set<String>

  /// Reads the erased customers; `nil` if there are none.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the secret is missing.
  init?(on db: Database) throws {
    let codes = try String.fetchSet(db, sql: "SELECT code FROM erased_customer")
    guard !codes.isEmpty else { return nil }
    guard let secret = try Self.secret(on: db) else {
      throw RunFailure(
        .inputOutput,
        "state.db lists erased customers, but the secret that identifies them is missing. Restore "
          + "state.db from a backup, or rebuild it and erase these customers again.")
    }
    self.secret = secret
    self.codes = codes
  }

  /// The pseudonym stored in place of an id; `nil` for a customer who is not erased.
  public func pseudonym(of id: some Collection<UInt8>) -> [UInt8]? {
    let code = Self.code(of: id, secret: secret)
    return codes.contains(code) ? Self.pseudonym(of: id, code: code) : nil
  }

  /// Reads the secret for hashing customer ids from state.db; `nil` before the first erasure.
  static func secret(on db: Database) throws -> SymmetricKey? {
    try String.fetchOne(
      db, sql: "SELECT value FROM setting WHERE key = ?", arguments: [secretSetting]
    ).map { SymmetricKey(data: Array($0.utf8)) }
  }

  /// Returns the secret of a state.db; creates it before the first erasure.
  static func makeSecret(on db: Database) throws -> SymmetricKey {
    if let known = try secret(on: db) { return known }
    let random = SymmetricKey(size: .bits256)
    let digits = unsafe random.withUnsafeBytes { unsafe Hexadecimal.text($0) }
    try db.execute(
      sql: "INSERT INTO setting (key, value) VALUES (?, ?)", arguments: [secretSetting, digits])
    return SymmetricKey(data: Array(digits.utf8))
  }

  /// The keyed hash of an id: 64 lower-case hex digits.
  static func code(of id: some Collection<UInt8>, secret: SymmetricKey) -> String {
    var code = HMAC<SHA256>(key: secret)
    code.update(data: Array(id))
    return Hexadecimal.text(code.finalize())
  }

  static func pseudonym(of id: some Collection<UInt8>, code: String) -> [UInt8] {
    Array((CustomerOrder.erasedPrefix + CustomerOrder.rank(of: id) + code).utf8)
  }

  /// The symbols of a table whose texts are pseudonyms of erased customers.
  static func symbols(in table: SymbolTable, on db: Database) throws -> Set<Symbol> {
    let codes = try String.fetchSet(db, sql: "SELECT code FROM erased_customer")
    guard !codes.isEmpty else { return [] }
    // All texts that begin with CustomerOrder.erasedPrefix. The range ends at `;`, which follows
    // `:` in ASCII.
    let texts = try String.fetchAll(
      db,
      sql: """
        SELECT text FROM symbol
        WHERE is_customer = 1 AND text >= 'erased:' AND text < 'erased;'
        """)
    return Set(
      texts.filter { codes.contains(String($0.suffix(64))) }.compactMap { table.symbol($0) })
  }
}
