package import Diagnostics
internal import GRDB
internal import SQLiteFiles

/// A correction by the owner, and its effect on the published facts.
package struct PublishedCorrection: Hashable, Sendable {
  /// Effect of a correction: it decides the amount, or the reason why it has no effect.
  package enum Effect: Hashable, Sendable {
    /// The correction decides the amount.
    case used
    /// No export contains this transaction.
    case unknownTransaction
    /// An earlier line of the corrections file corrects the same purchase.
    ///
    /// The value is the transaction id in the earlier line.
    case repeated(String)
    /// The purchase is excluded from revenue, for the given reason.
    case excluded(String)
    /// Apple signed the given amount, in thousandths; the correction's amount may be equal.
    case signed(Int64)
    /// The purchase is in the given currency, which differs from the correction's currency.
    case otherCurrency(String)
    /// The purchase is free: a free trial, or free under an offer.
    case free
    /// The given rule has priority over corrections, such as `apple_report` or `conflict`.
    case otherRule(String)
  }

  /// The line of the corrections file.
  package var record: CorrectionRecord
  package var effect: Effect
  /// The rule and amount without the correction; `nil` if the correction is not used.
  package var without: UncorrectedAmount?

  /// Whether the correction is a mistake: it has no effect, and Apple did not sign its amount.
  package var isMistake: Bool {
    switch effect {
    case .used: false
    case .signed(let milli): milli != record.amountMilli
    default: true
    }
  }

  init(_ row: StoredRow) {
    record = CorrectionRecord(
      transactionID: row["transaction_id"], amountMilli: row["amount_milli"],
      currency: row["currency"], reason: row["reason"], givenBy: row["given_by"],
      givenOn: row["given_on"])
    let rule: String? = row["price_rule"]
    let purchase: Int64? = row["purchase_key"]
    let found: String? = row["found_currency"]
    let exclusion: String? = row["exclusion"]
    let signed: Int64? = row["signed_price_milli"]
    let kind: String? = row["period_kind"]
    let first: String? = row["first_transaction_id"]
    effect =
      if let first, first != record.transactionID {
        .repeated(first)
      } else if let exclusion {
        .excluded(exclusion)
      } else if purchase == nil || rule == nil {
        .unknownTransaction
      } else if rule == "owner_correction" {
        .used
      } else if rule == "signed_price", let signed {
        .signed(signed)
      } else if let found, found != record.currency {
        .otherCurrency(found)
      } else if kind == "trial" || rule == "free_offer" {
        .free
      } else {
        .otherRule(rule ?? "")
      }
    let uncorrected: String? = row["rule_without"]
    without = uncorrected.map { UncorrectedAmount(rule: $0, paidMilli: row["paid_without_milli"]) }
  }
}

extension WarehouseDatabase {
  /// The owner's corrections with their effects, sorted by transaction id.
  package func corrections() throws(RunFailure) -> [PublishedCorrection] {
    try read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT c.*, r.price_rule, r.currency AS found_currency, r.signed_price_milli,
            r.period_kind, x.reason AS exclusion,
            (SELECT f.transaction_id FROM audit_correction AS f
              WHERE f.purchase_key = c.purchase_key
              ORDER BY f.rowid LIMIT 1) AS first_transaction_id
          FROM audit_correction AS c
            LEFT JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
            LEFT JOIN excluded_purchase AS x ON x.purchase_key = c.purchase_key
          ORDER BY c.transaction_id
          """
      ).map(PublishedCorrection.init)
    }
  }
}
