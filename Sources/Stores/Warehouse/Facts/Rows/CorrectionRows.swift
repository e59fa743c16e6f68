internal import GRDB
internal import SQLiteFiles

/// The amount that the rules would decide for a corrected purchase without its correction.
public struct UncorrectedAmount: Hashable, Sendable {
  /// The deciding rule, as in `price_rule`.
  public var rule: String
  /// The amount in thousandths of the currency; `nil` if the rule knows only bounds.
  public var paidMilli: Int64?

  /// Creates a result from its fields.
  public init(rule: String, paidMilli: Int64?) {
    self.rule = rule
    self.paidMilli = paidMilli
  }
}

/// A correction by the owner: a row of `audit_correction`.
public struct CorrectionRecord: Hashable, Sendable {
  /// A transaction id of the purchase.
  public var transactionID: String
  /// The amount in thousandths of the currency.
  public var amountMilli: Int64
  /// The currency's ISO 4217 code.
  public var currency: String
  /// The reason for the correction.
  public var reason: String
  /// The person who gave the correction.
  public var givenBy: String
  /// The day of the correction, such as `2026-11-23`.
  public var givenOn: String

  /// Creates a record from its fields.
  public init(
    transactionID: String, amountMilli: Int64, currency: String, reason: String, givenBy: String,
    givenOn: String
  ) {
    self.transactionID = transactionID
    self.amountMilli = amountMilli
    self.currency = currency
    self.reason = reason
    self.givenBy = givenBy
    self.givenOn = givenOn
  }
}

/// Writes `audit_correction`: the owner's corrections.
///
/// Each row also has the amount that the rules decide without the correction.
enum CorrectionRows {
  /// Rewrites the table, after the facts are written.
  ///
  /// A run decides only some purchases. For each other purchase, the amount without
  /// the correction is copied from the earlier content of the table.
  static func write(
    _ corrections: [CorrectionRecord], uncorrected: [Int64: UncorrectedAmount], on db: Database
  ) throws {
    var known: [Int64: UncorrectedAmount] = [:]
    let published = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT purchase_key, rule_without, paid_without_milli FROM audit_correction
        WHERE purchase_key IS NOT NULL AND rule_without IS NOT NULL
        """)
    for row in published { known[row[0]] = UncorrectedAmount(rule: row[1], paidMilli: row[2]) }
    known.merge(uncorrected) { _, new in new }
    try db.execute(sql: "DELETE FROM audit_correction")
    var corrected: Set<Int64> = []
    for line in corrections {
      let purchase = try Int64.fetchOne(
        db, sql: "SELECT purchase_key FROM bridge_transaction_id WHERE transaction_id = ?",
        arguments: [line.transactionID])
      let isUsed =
        try Bool.fetchOne(
          db,
          sql: """
            SELECT price_rule = 'owner_correction' FROM fct_revenue WHERE purchase_key = ?
            """, arguments: [purchase]) ?? false
      // A second line that corrects a purchase by another of its transaction ids is not used.
      let isFirst = purchase.map { corrected.insert($0).inserted } ?? false
      let without = isUsed && isFirst ? purchase.flatMap { known[$0] } : nil
      try db.execute(
        sql: "INSERT INTO audit_correction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          line.transactionID, purchase, line.amountMilli, line.currency, line.reason, line.givenBy,
          line.givenOn, without?.rule, without?.paidMilli,
        ])
    }
  }
}
