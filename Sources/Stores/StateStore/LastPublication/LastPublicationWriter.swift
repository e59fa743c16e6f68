internal import CivilTime
public import Diagnostics
internal import GRDB
internal import SQLiteFiles
public import PaidAmounts
public import PriceLearning
public import PurchaseModel

/// Writes a publication's rows for the next run.
public struct LastPublicationWriter {
  private let link, standing, claim, placed, vote, cellRow, dropPlaced, dropVotes: RawStatement
  private let path: String
  private let numbers: SymbolNumbers
  private var body: BodyWriter

  /// Prepares the statements in an open transaction.
  init(_ db: Database, path: String, numbers: SymbolNumbers) throws {
    func put(_ table: String, _ columns: String, _ values: String) throws -> RawStatement {
      try RawStatement(
        "hand on \(table)", "INSERT OR REPLACE INTO \(table) (\(columns)) VALUES (\(values))",
        on: db)
    }
    link = try put(
      "link", "chain_key, account_key, next_change_at, is_on_later_charges, body, checksum",
      "?1, ?2, ?3, ?4, ?5, ?6")
    standing = try RawStatement(
      "hand on link",
      """
      UPDATE link SET account_key = ?2, next_change_at = ?3, is_on_later_charges = ?4
      WHERE chain_key = ?1
      """, on: db)
    claim = try put("claim", "transaction_id, chain_key, checksum", "?1, ?2, ?3")
    placed = try put("placed", "evidence_id, body, checksum", "?1, ?2, ?3")
    vote = try put("vote", "chain_key, evidence_id, body, checksum", "?1, ?2, ?3, ?4")
    cellRow = try put("cell_row", "chain_key, body, checksum", "?1, ?2, ?3")
    dropPlaced = try RawStatement(
      "drop placed", "DELETE FROM placed WHERE evidence_id = ?1", on: db)
    dropVotes = try RawStatement("drop votes", "DELETE FROM vote WHERE chain_key = ?1", on: db)
    self.path = path
    self.numbers = numbers
    body = BodyWriter(numbers: numbers)
  }

  /// Writes the row of a chain to table `link`; replaces the stored row of this chain.
  public mutating func put(_ link: ChainLink) throws(RunFailure) {
    body.removeAll()
    var content = link
    content.coded(by: &body)
    bindBody(to: self.link, at: 5, RowChecksum(link.key.rawValue))
    try run(self.link, link.standing, of: link.key)
  }

  /// Writes the standing of a chain whose row in table `link` is otherwise unchanged.
  public func put(_ standing: ChainLink.Standing, of chain: ChainKey) throws(RunFailure) {
    try run(self.standing, standing, of: chain)
  }

  private func run(
    _ statement: RawStatement, _ standing: ChainLink.Standing, of chain: ChainKey
  ) throws(RunFailure) {
    statement.bind(chain.rawValue, at: 1)
    statement.bind(standing.account.rawValue, at: 2)
    statement.bind(standing.nextChangeAt?.milliseconds, at: 3)
    statement.bind(standing.dependsOnLaterCharges ? 1 : 0, at: 4)
    try run(statement)
  }

  /// Writes to table `claim` that a chain contains a transaction id.
  public func put(_ id: TransactionID, of chain: ChainKey) throws(RunFailure) {
    let stored = id.stored(numbers.other)
    claim.bind(stored, at: 1)
    claim.bind(chain.rawValue, at: 2)
    claim.bind(RowChecksum(stored, chain.rawValue).value, at: 3)
    try run(claim)
  }

  /// Writes a placed report with its offers to table `placed`; replaces the stored row of this
  /// report.
  public mutating func put(
    _ report: PlacedReport, offers: some Collection<OfferPrice>, _ known: KnownReport,
    _ verdict: StoredVerdict
  ) throws(RunFailure) {
    body.removeAll()
    body.placed(report, offers: offers)
    body.write(known)
    body.write(verdict)
    placed.bind(report.evidenceID, at: 1)
    bindBody(to: placed, at: 2, RowChecksum(report.evidenceID))
    try run(placed)
  }

  /// Removes the row of a report from table `placed`, because the report is no longer used.
  public func drop(report evidenceID: Int64) throws(RunFailure) {
    dropPlaced.bind(evidenceID, at: 1)
    try run(dropPlaced)
  }

  /// Writes the vote of a signed price, which Apple signed for a purchase of the chain.
  ///
  /// `report` has the price in the form of a price report.
  public mutating func put(vote report: PlacedReport, of chain: ChainKey) throws(RunFailure) {
    body.removeAll()
    body.placed(report, offers: [])
    vote.bind(chain.rawValue, at: 1)
    vote.bind(report.evidenceID, at: 2)
    bindBody(to: vote, at: 3, RowChecksum(chain.rawValue, report.evidenceID))
    try run(vote)
  }

  /// Removes the votes of all signed prices of a chain from table `vote`.
  public func dropVotes(of chain: ChainKey) throws(RunFailure) {
    dropVotes.bind(chain.rawValue, at: 1)
    try run(dropVotes)
  }

  /// Writes the rows of a chain in the cells of Apple's reports; replaces the chain's stored rows.
  public mutating func put(_ rows: [CellRow], of chain: ChainKey) throws(RunFailure) {
    body.removeAll()
    var rows = rows
    body.code(&rows)
    cellRow.bind(chain.rawValue, at: 1)
    bindBody(to: cellRow, at: 2, RowChecksum(chain.rawValue))
    try run(cellRow)
  }

  /// Binds the body and, after it, the checksum of the row's keys and the body.
  private mutating func bindBody(to statement: RawStatement, at place: Int32, _ keys: RowChecksum) {
    let bytes = body.bytes
    statement.bind(blob: bytes.span, at: place)
    statement.bind(keys.with(bytes.span), at: place + 1)
  }

  private func run(_ statement: RawStatement) throws(RunFailure) {
    do { try statement.run() } catch { throw SQLiteFailure.translated(error, path: path) }
  }
}
