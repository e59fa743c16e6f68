package import SQLiteFiles
package import GRDB

/// An amount as a run published it.
public struct PublishedAmount: Hashable, Sendable {
  /// What was paid, in thousandths of the currency; `nil` if unknown.
  public var paid: Int64?
  /// The currency's code; `nil` if unknown.
  public var currency: String?
  /// The rule that decided the amount: `fct_revenue.price_rule`.
  public var rule: String
  /// The confidence in the amount: `fct_revenue.price_status`.
  public var status: String

  package init(paid: Int64?, currency: String?, rule: String, status: String) {
    self.paid = paid
    self.currency = currency
    self.rule = rule
    self.status = status
  }

  /// Whether an owner learns something else from the other amount: another rule alone is nothing.
  package func isOther(than other: PublishedAmount) -> Bool {
    paid != other.paid || currency != other.currency || status != other.status
  }
}

/// The change of one published amount by a later run: a row of `audit_change`.
public struct AmountChange: Hashable, Sendable {
  /// The run that changed the amount.
  public var runID: Int64
  /// The key of the purchase: `fct_revenue.purchase_key`.
  public var purchaseKey: Int64
  /// The amount before the run.
  public var old: PublishedAmount
  /// The amount after the run; `nil` if the purchase is no revenue any more.
  public var new: PublishedAmount?
  /// The cause of the change.
  public var cause: RestatementCause

  package init(
    runID: Int64, purchaseKey: Int64, old: PublishedAmount, new: PublishedAmount?,
    cause: RestatementCause
  ) {
    self.runID = runID
    self.purchaseKey = purchaseKey
    self.old = old
    self.new = new
    self.cause = cause
  }

  /// The largest number of changes that a database keeps; the oldest runs are left out first.
  ///
  /// Of a run with more changes, those with the smallest keys are kept.
  package static let mostKept = 250_000

  /// Deletes the changes beyond ``mostKept`` from a table with the columns of `audit_change`.
  package static func limit(_ table: String, to kept: Int = mostKept, on db: Database) throws {
    let stored = try Int.fetchOne(db, sql: "SELECT count(1) FROM \(table)") ?? 0
    guard stored > kept else { return }
    try db.execute(
      sql: """
        DELETE FROM \(table) WHERE (run_id, purchase_key) IN (
          SELECT run_id, purchase_key FROM \(table)
          ORDER BY run_id DESC, purchase_key LIMIT -1 OFFSET ?)
        """, arguments: [kept])
  }
}

extension Sequence<AmountChange> {
  /// Adds rows to a table with the columns of `audit_change`.
  package func write(to table: String, on db: Database) throws {
    let insert = try RawStatement(
      table, "INSERT OR REPLACE INTO \(table) VALUES (?,?,?,?,?,?,?,?,?,?,?)", on: db)
    for change in self {
      try insert.run(
        change.runID, change.purchaseKey, change.old.paid, change.new?.paid, change.old.currency,
        change.new?.currency, change.old.rule, change.new?.rule, change.old.status,
        change.new?.status, change.cause.rawValue)
    }
  }
}

extension AmountChange {
  /// Reads a row of a table with the columns of `audit_change`.
  ///
  /// `nil` for a cause that only a newer version of the program has.
  package init?(_ row: StoredRow) {
    guard let cause = RestatementCause(rawValue: row["cause"]) else { return nil }
    let status: String? = row["new_price_status"]
    self.init(
      runID: row["run_id"], purchaseKey: row["purchase_key"],
      old: PublishedAmount(
        paid: row["old_paid_milli"], currency: row["old_currency"], rule: row["old_price_rule"],
        status: row["old_price_status"]),
      new: status.map { status in
        PublishedAmount(
          paid: row["new_paid_milli"], currency: row["new_currency"], rule: row["new_price_rule"],
          status: status)
      },
      cause: cause)
  }
}
