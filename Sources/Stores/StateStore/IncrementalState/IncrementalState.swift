internal import SQLiteFiles
public import Diagnostics
internal import GRDB
public import PaidAmounts
public import PriceLearning
public import PurchaseModel

/// The digest, settings and totals of a publication, which the next run needs.
///
/// The rows of `link`, `claim`, `placed`, `vote` and `cell_row` belong to this publication. All
/// these rows are committed together, after the facts in the warehouse. If the digest differs from
/// the digest of the warehouse, the rows belong to an earlier publication and are not used.
public struct IncrementalState: Hashable, Sendable {
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
  public func incrementalState() throws(RunFailure) -> IncrementalState? {
    try file.read { db in
      let row = try RawStatement(
        "the rows of the last publication",
        "SELECT content_digest, settings, sums FROM hand_over", on: db)
      defer { row.reset() }
      guard try row.next() else { return nil }
      let sums = unsafe row.withBytes(2) { unsafe Array($0) }
      return IncrementalState(contentDigest: row.text(0), settings: row.text(1), sums: sums)
    }
  }

  /// Stores the rows of a publication that the next incremental run needs, in one transaction.
  ///
  /// - Parameters:
  ///   - replacesAll: Whether all stored rows are deleted first; otherwise only the rows that
  ///     `write` replaces.
  /// - Throws: ``RunFailure`` when writing fails, and the error of `write`; then nothing has
  ///   changed.
  public func deliver(
    _ incrementalState: IncrementalState, _ texts: StateTexts, replacesAll: Bool,
    _ write: (inout IncrementalStateWriter) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let (path, numbers) = (file.path, texts.numbers)
    try file.write(.nextRunRowsStored) { db in
      if replacesAll { try Self.forgetIncrementalState(on: db) }
      var writer = try IncrementalStateWriter(
        db, path: path, numbers: SymbolNumbers(customers: numbers, others: numbers))
      try write(&writer)
      let put = try RawStatement(
        "hand on",
        """
        INSERT OR REPLACE INTO hand_over (only_row, content_digest, settings, sums)
        VALUES (1, ?1, ?2, ?3)
        """, on: db)
      put.bind(incrementalState.contentDigest, at: 1)
      put.bind(incrementalState.settings, at: 2)
      put.bind(blob: incrementalState.sums.span, at: 3)
      try put.run()
    }
  }

  /// Deletes the rows that the last publication stored, so that the next run is a full run.
  public func forgetIncrementalState() throws(RunFailure) {
    guard try incrementalState() != nil else { return }
    try file.write(.nextRunRowsStored) { try Self.forgetIncrementalState(on: $0) }
  }

  /// Deletes the rows that the last publication stored, in the transaction that changes the inputs.
  static func forgetIncrementalState(on db: Database) throws {
    for table in ["hand_over", "link", "claim", "placed", "vote", "cell_row"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
  }

  /// Reads all rows that the last publication stored, except the claims.
  ///
  /// - Parameters:
  ///   - link: Receives the chains, sorted by key.
  ///   - report: Receives the placed reports, sorted by evidence id, without their voters.
  /// - Returns: The lists of offers to which the placed reports refer. `nil` if any row is damaged;
  ///   then the caller must not use any row.
  public func readIncrementalState(
    _ texts: StateTexts, link: (ChainLink) -> Void, report: (PlacedReport, KnownReport) -> Void,
    vote: (ChainKey, PlacedReport) -> Void, cellRows: (ChainKey, [CellRow]) -> Void
  ) throws(RunFailure) -> OfferLists? {
    try file.read { db in
      var offers = OfferLists()
      let symbols = texts.stored
      let isRead =
        try Self.bodies("chain_key, 0, body FROM link ORDER BY chain_key", db) { key, _, body in
          link(body.link(ChainKey(rawValue: key), in: symbols))
        }
        && Self.bodies("evidence_id, 0, body FROM placed ORDER BY evidence_id", db) { id, _, body in
          let placed = body.placed(id, offers: &offers, in: symbols)
          report(placed, body.known(in: symbols))
        }
        && Self.bodies(
          "chain_key, evidence_id, body FROM vote ORDER BY chain_key, evidence_id", db
        ) { key, id, body in
          vote(ChainKey(rawValue: key), body.placed(id, offers: &offers, in: symbols))
        }
        && Self.bodies("chain_key, 0, body FROM cell_row ORDER BY chain_key", db) { key, _, body in
          cellRows(ChainKey(rawValue: key), body.cellRows(in: symbols))
        }
      return isRead ? offers : nil
    }
  }

  /// Reads rows that consist of two keys and a body; returns `false` if a body is damaged.
  private static func bodies(
    _ columns: String, _ db: Database, _ body: (Int64, Int64, inout BodyReader) -> Void
  ) throws -> Bool {
    let rows = try RawStatement(
      "reading the rows of the last publication", "SELECT \(columns)", on: db)
    while try rows.next() {
      let isSound = unsafe rows.withBytes(2) { bytes in
        guard var reader = unsafe BodyReader(bytes.assumingMemoryBound(to: UInt8.self)) else {
          return false
        }
        body(rows.int64(0), rows.int64(1), &reader)
        return reader.isAtEnd && !reader.isDamaged
      }
      guard isSound else {
        rows.reset()
        return false
      }
    }
    return true
  }

  /// Finds the chains that contain given transaction ids, according to table `claim`.
  ///
  /// - Returns: The chains of each id, sorted by key; an id that no chain contains is missing.
  public func chains(claiming ids: Set<TransactionID>, _ texts: StateTexts) throws(RunFailure)
    -> [TransactionID: [ChainKey]]
  {
    let numbers = texts.numbers
    return try file.read { db in
      var chains: [TransactionID: [ChainKey]] = [:]
      let claims = try RawStatement(
        "chains of id",
        "SELECT chain_key FROM claim WHERE transaction_id = ?1 ORDER BY chain_key", on: db)
      for id in ids {
        claims.bind(id.stored { numbers[Int($0.rawValue)] }, at: 1)
        while try claims.next() {
          chains[id, default: []].append(ChainKey(rawValue: claims.int64(0)))
        }
      }
      return chains
    }
  }
}
