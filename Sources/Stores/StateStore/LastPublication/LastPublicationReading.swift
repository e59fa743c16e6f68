internal import CivilTime
public import Diagnostics
internal import GRDB
public import PaidAmounts
public import PriceLearning
public import PurchaseModel
internal import SQLiteFiles

/// Reads the rows that the last publication stored for the next run.
extension StateDatabase {
  /// A row of table `placed`: a placed report, its purchase and the verdict on it.
  public typealias StoredReport = (
    placed: PlacedReport, known: KnownReport, verdict: StoredVerdict
  )

  /// Reads all rows except the claims.
  ///
  /// - Parameters:
  ///   - link: Receives the chains, sorted by key.
  ///   - report: Receives the placed reports, sorted by evidence id, without their voters.
  /// - Returns: The lists of offers to which the placed reports refer. `nil` if any row is damaged;
  ///   then the caller must not use any row.
  public func readLastPublication(
    _ texts: StateTexts, link: (ChainLink) -> Void, report: (StoredReport) -> Void,
    vote: (ChainKey, PlacedReport) -> Void, cellRows: (ChainKey, [CellRow]) -> Void
  ) throws(RunFailure) -> OfferLists? {
    try file.read { db in
      var offers = OfferLists()
      let symbols = texts.stored
      let isRead =
        try Self.links(symbols, db, link)
        && Self.bodies(
          "body, checksum, evidence_id, 0 FROM placed ORDER BY evidence_id", symbols, db
        ) { row, body in
          let placed = body.placed(row.int64(2), offers: &offers)
          report((placed, body.value(), body.value()))
        }
        && Self.bodies(
          "body, checksum, chain_key, evidence_id FROM vote ORDER BY chain_key, evidence_id",
          symbols,
          db
        ) { row, body in
          vote(
            ChainKey(rawValue: row.int64(2)),
            body.placed(row.int64(3), offers: &offers))
        }
        && Self.bodies(
          "body, checksum, chain_key, 0 FROM cell_row ORDER BY chain_key", symbols, db
        ) { row, body in
          var rows: [CellRow] = []
          body.code(&rows)
          cellRows(ChainKey(rawValue: row.int64(2)), rows)
        }
      return isRead ? offers : nil
    }
  }

  /// Reads the chains only, sorted by key.
  ///
  /// - Throws: ``RunFailure`` with status 74 for a damaged row.
  public func forEachLink(_ texts: StateTexts, _ body: (ChainLink) -> Void) throws(RunFailure) {
    let path = file.path
    try file.read { db in
      guard try Self.links(texts.stored, db, body) else {
        throw RunFailure.damaged("a row of link", path: path)
      }
    }
  }

  /// Reads some placed reports, in the order of `ids`; every id must have a row.
  ///
  /// Adds their offers to `offers`.
  public func placedReports(
    _ ids: [Int64], _ texts: StateTexts, offers: inout OfferLists
  ) throws(RunFailure) -> [StoredReport] {
    let path = file.path
    let (found, lists) = try file.read { [offers] db in
      var offers = offers
      var found: [StoredReport] = []
      found.reserveCapacity(ids.count)
      let rows = try RawStatement(
        "a placed report",
        "SELECT body, checksum, evidence_id, 0 FROM placed WHERE evidence_id = ?1", on: db)
      for id in ids {
        rows.bind(id, at: 1)
        let isSound = try Self.bodies(rows, texts.stored) { row, body in
          let placed = body.placed(row.int64(2), offers: &offers)
          found.append((placed, body.value(), body.value()))
        }
        guard isSound, found.last?.placed.evidenceID == id else {
          throw RunFailure.damaged("a row of placed", path: path)
        }
      }
      return (found, offers)
    }
    offers = lists
    return found
  }

  private static func links(
    _ symbols: StoredSymbols, _ db: Database, _ link: (ChainLink) -> Void
  ) throws -> Bool {
    try bodies(
      """
      body, checksum, chain_key, 0, account_key, next_change_at, is_on_later_charges FROM link
      ORDER BY chain_key
      """, symbols, db
    ) { row, body in
      let standing = ChainLink.Standing(
        account: ChainKey(rawValue: row.int64(4)),
        nextChangeAt: row.optionalInt64(5).map(Instant.init(milliseconds:)),
        dependsOnLaterCharges: row.int64(6) != 0)
      link(body.link(ChainKey(rawValue: row.int64(2)), standing))
    }
  }

  private static func bodies(
    _ columns: String, _ symbols: StoredSymbols, _ db: Database,
    _ read: (RawStatement, inout BodyReader) -> Void
  ) throws -> Bool {
    try bodies(
      RawStatement("reading the rows of the last publication", "SELECT \(columns)", on: db),
      symbols,
      read)
  }

  /// Reads rows that begin with a body, its checksum and two keys; returns `false` if a row is
  /// damaged.
  private static func bodies(
    _ rows: RawStatement, _ symbols: StoredSymbols,
    _ read: (RawStatement, inout BodyReader) -> Void
  ) throws -> Bool {
    while try rows.next() {
      let isSound = unsafe rows.withBytes(0) { bytes in
        guard unsafe RowChecksum(rows.int64(2), rows.int64(3)).with(bytes) == rows.int64(1),
          var body = unsafe BodyReader(bytes.assumingMemoryBound(to: UInt8.self), in: symbols)
        else { return false }
        read(rows, &body)
        return body.isAtEnd && !body.isDamaged
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
  public func chains(claiming ids: some Sequence<TransactionID>, _ texts: StateTexts)
    throws(RunFailure) -> [TransactionID: [ChainKey]]
  {
    let (numbers, ids) = (texts.numbers, Array(ids))
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
