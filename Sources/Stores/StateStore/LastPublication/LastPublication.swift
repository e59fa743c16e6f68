internal import SQLiteFiles
public import Diagnostics
internal import GRDB
internal import PurchaseModel

/// The digest, settings and totals of a publication, which the next run needs.
///
/// The rows of `link`, `claim`, `placed`, `vote` and `cell_row` belong to this publication. All
/// these rows are committed together, after the facts in the warehouse. If the digest differs from
/// the digest of the warehouse, the rows belong to an earlier publication and are not used.
public struct LastPublication: Hashable, Sendable {
  /// The digest of the published facts.
  public var contentDigest: String
  /// The settings and versions on which the facts depend, as a text that identifies them.
  public var settings: String
  /// Prices, products and totals, as lines with a tag and fields that are separated by tabs.
  public var sums: [UInt8]

  /// Creates the data of a publication.
  public init(contentDigest: String, settings: String, sums: [UInt8]) {
    self.contentDigest = contentDigest
    self.settings = settings
    self.sums = sums
  }
}

extension TransactionID {
  /// The transaction id as an integer, for table `claim`.
  ///
  /// A numeric id is stored unchanged. For any other id, the number under which state.db stores its
  /// text is negated.
  func stored(_ number: (Symbol) -> UInt32) -> Int64 {
    self.number.symbol.map { -Int64(number($0)) } ?? Int64(bitPattern: self.number.rawValue)
  }
}

extension StateDatabase {
  /// The digest, settings and totals of the last publication; `nil` if no publication is stored.
  public func publicationRow() throws(RunFailure) -> LastPublication? {
    try file.read { db in
      let row = try RawStatement(
        "the rows of the last publication",
        "SELECT content_digest, settings, sums, checksum FROM last_publication", on: db)
      defer { row.reset() }
      guard try row.next() else { return nil }
      let sums = unsafe row.withBytes(2) { unsafe Array($0) }
      guard RowChecksum(1).with(sums.span) == row.int64(3) else { return nil }
      return LastPublication(contentDigest: row.text(0), settings: row.text(1), sums: sums)
    }
  }

  /// Stores the rows of a publication that the next run needs, in one transaction.
  ///
  /// - Parameters:
  ///   - replacesAll: Whether all stored rows are deleted first; otherwise only the rows that
  ///     `write` replaces.
  /// - Throws: ``RunFailure`` when writing fails, and the error of `write`; then nothing has
  ///   changed.
  public func deliver(
    _ lastPublication: LastPublication, _ texts: StateTexts, replacesAll: Bool,
    _ write: (inout LastPublicationWriter) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let (path, numbers) = (file.path, texts.numbers)
    try file.write(.nextRunRowsStored) { db in
      if replacesAll { try Self.forgetLastPublication(on: db) }
      var writer = try LastPublicationWriter(
        db, path: path, numbers: SymbolNumbers(customers: numbers, others: numbers))
      try write(&writer)
      let put = try RawStatement(
        "hand on",
        """
        INSERT OR REPLACE INTO last_publication (only_row, content_digest, settings, sums, checksum)
        VALUES (1, ?1, ?2, ?3, ?4)
        """, on: db)
      put.bind(lastPublication.contentDigest, at: 1)
      put.bind(lastPublication.settings, at: 2)
      put.bind(blob: lastPublication.sums.span, at: 3)
      put.bind(RowChecksum(1).with(lastPublication.sums.span), at: 4)
      try put.run()
    }
  }

  /// Deletes the rows that the last publication stored, so that the next run decides all chains.
  public func forgetLastPublication() throws(RunFailure) {
    guard try publicationRow() != nil else { return }
    try file.write(.nextRunRowsStored) { try Self.forgetLastPublication(on: $0) }
  }

  /// Deletes the rows that the last publication stored, in the transaction that changes the inputs.
  static func forgetLastPublication(on db: Database) throws {
    for table in ["last_publication", "link", "claim", "placed", "vote", "cell_row"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
  }
}
