import SQLiteFiles
import GRDB
import TestSupport

@testable import Warehouse

/// A warehouse in memory with facts written by hand, for views that need months of history.
struct SmallStore {
  /// A purchase of a subscription; a one-time purchase if it has no end.
  struct Purchase {
    var chain: String
    var product = "monthly"
    var from: String
    var to: String?
    var paid: Int64?
    var period = "P1M"
    var spell: Int64? = 1
    var number: Int64?
    var currency: String? = "USD"
    var storefront: String? = "USA"
    var reversal: (kind: String, at: String)?
  }

  let database: DatabaseQueue

  init(asOf: String, completeThrough: String, reportingCurrency: String? = nil) throws {
    database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: String(decoding: WarehouseSchema.format.schema, as: UTF8.self))
      try db.execute(
        sql: """
          INSERT INTO audit_run (run_id, kind, as_of, started_at, finished_at,
            complete_through_date, program_version, rules_version, files, records, rejected,
            content_digest, state_generation,
            settings_sha256, reporting_currency)
          VALUES (1, 'run', ?, ?, ?, ?, '1', '1', 1, 1, 0, '', 1, '', ?)
          """,
        arguments: [asOf, asOf, asOf, completeThrough, reportingCurrency])
      try db.execute(
        sql: """
          INSERT INTO dim_date (date_day, month, iso_week)
          WITH RECURSIVE day (day) AS (
            SELECT '2021-01-01' UNION ALL SELECT date(day, '+1 day') FROM day WHERE day < ?)
          SELECT day, substr(day, 1, 7), '' FROM day
          """, arguments: [String(asOf.prefix(10))])
    }
  }

  /// Adds purchases; the customer of a chain has the chain's name.
  func add(_ purchases: [Purchase]) throws {
    try database.write { db in
      for purchase in purchases {
        let key =
          try Int64.fetchOne(db, sql: "SELECT COALESCE(MAX(purchase_key), 0) + 1 FROM fct_revenue")
          ?? 1
        let from = "\(purchase.from)T10:00:00Z"
        let to = purchase.to.map { "\($0)T10:00:00Z" }
        let end = [to, purchase.reversal?.at].compactMap(\.self).min()
        let kind = to == nil ? "consumable" : "auto_renewable_subscription"
        let (status, rule) =
          switch purchase.paid {
          case nil: ("unresolved", "unresolved")
          case 0: ("zero_by_rule", "free_trial")
          default: ("inferred", "price_history")
          }
        try db.execute(
          sql: """
            INSERT INTO fct_revenue (purchase_key, transaction_id, original_transaction_id,
              product_id, product_kind, customer_key, purchased_at, purchased_date, expires_at,
              access_ends_at, covered_period, period_kind, payment_mode, spell_number, paid_number,
              quantity, currency, storefront, storefront_source, paid_milli, paid_low_milli,
              paid_high_milli, price_status, price_rule, reversal_kind, reversed_at,
              is_high_estimated, is_billing_recovery, first_run_id, changed_run_id, source_file_id, source_line)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'standard', ?, ?, 1, ?, ?, 'export', ?, ?,
              ?, ?, ?, ?, ?, 0, 0, 1, 1, 1, 1)
            """,
          arguments: [
            key, "t\(key)", purchase.chain, purchase.product, kind, purchase.chain, from,
            purchase.from, to, end, to == nil ? nil : purchase.period,
            purchase.paid == 0 ? "trial" : to == nil ? "one_time" : "regular",
            to == nil ? nil : purchase.spell, purchase.number, purchase.currency,
            purchase.storefront, purchase.paid, purchase.paid ?? 0, purchase.paid, status, rule,
            purchase.reversal?.kind ?? "none", purchase.reversal?.at,
          ])
      }
    }
  }

  /// Marks the trial with which a chain begins as converted by the row of a day.
  func convert(chain: String, to: String) throws {
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO fct_conversion (offer_purchase_key, original_transaction_id, offer_number,
            offer_kind, payment_mode, offer_product_id, started_at, started_date, ends_at,
            offer_periods, status, converted_at, converted_purchase_key, matures_at, is_mature,
            changed_run_id)
          SELECT a.purchase_key, a.original_transaction_id, 1, 'trial', 'free_trial', a.product_id,
            a.purchased_at, a.purchased_date, a.expires_at, 1, 'converted', b.purchased_at,
            b.purchase_key, b.purchased_at, 1, 1
          FROM fct_revenue AS a JOIN fct_revenue AS b USING (original_transaction_id)
          WHERE original_transaction_id = ? AND a.paid_milli = 0 AND b.purchased_date = ?
          """, arguments: [chain, to])
    }
  }

  /// Adds the subscription of a chain whose end nobody has seen since a day.
  func leaveUnseen(chain: String, end: String, seen: String, until: String) throws {
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO dim_subscription (original_transaction_id, first_started_at,
            current_product_id, status, expires_at, seen_through_at, unseen_until, spells,
            paid_count)
          VALUES (?, ?, 'monthly', 'not_seen', ?, ?, ?, 1, 1)
          """,
        arguments: [
          chain, "\(seen)T10:00:00Z", "\(end)T10:00:00Z", "\(seen)T10:00:00Z",
          "\(until)T10:00:00Z",
        ])
    }
  }

  /// Adds a renewal state of a chain.
  func include(chain: String, on day: String, renews: Bool, intent: String? = nil) throws {
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO fct_renewal_state (original_transaction_id, observed_at, auto_renew_status,
            expiration_intent) VALUES (?, ?, ?, ?)
          """, arguments: [chain, "\(day)T12:00:00Z", renews, intent])
    }
  }

  /// Adds lines of Apple's Sales reports: one sale of `other` per day, and refunds of coins.
  func report(from first: String, to last: String, without missing: String = "", refunds: [String])
    throws
  {
    let lines = """
      INSERT INTO apple_report_line (source_file_id, source_line, report, event_date, product_id,
        storefront, currency, units, amount_milli, is_refund)
      """
    try database.write { db in
      try db.execute(
        sql: """
          \(lines) SELECT 1, ROW_NUMBER() OVER (), 'sales', date_day, 'other', 'USA', 'USD', 1, 990, 0
          FROM dim_date WHERE date_day BETWEEN ? AND ? AND date_day <> ?
          """, arguments: [first, last, missing])
      for (number, day) in refunds.enumerated() {
        try db.execute(
          sql: "\(lines) VALUES (2, ?, 'sales', ?, 'coins', 'USA', 'USD', -1, -5000, 1)",
          arguments: [number + 1, day])
      }
    }
  }

  /// Adds a Sales report with only a header.
  func reportNothing(on day: String) throws {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO audit_apple_report VALUES (3, 'sales', ?)", arguments: [day])
    }
  }

  /// Runs statements, for tables and columns that only some tests need.
  func change(_ sql: String) throws {
    try database.write { try $0.execute(sql: sql) }
  }

  /// The rows of a query, columns joined by a bar; NULL is a dash.
  func rows(_ sql: String) throws -> [String] {
    try database.write { db in
      try FigureDefinition.fill(on: db)
      try db.execute(sql: "DELETE FROM fct_subscription_event")
      try db.execute(sql: "INSERT INTO fct_subscription_event \(EventOracle.query)")
      return try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { value in
          String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value).map(String.init) ?? "-"
        }.joined(separator: "|")
      }
    }
  }
}
