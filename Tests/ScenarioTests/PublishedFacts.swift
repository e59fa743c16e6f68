internal import Amounts
internal import GRDB

/// The facts of a scenario, read from its warehouse.
struct PublishedFacts {
  /// The name in the scenario of the report on a line of a file, keyed by `name:line`.
  var reportNames: [String: String]
  var warehouse: DatabaseQueue

  /// The sections that are in no table.
  static let missing: Set<StorySection> = [.eligibility, .questions]
  /// The fields that are in no column.
  static let missingFields: Set<String> = ["lapse", "place", "confirmed"]

  func facts(of section: StorySection) throws -> [StoryFact] {
    guard let sql = Self.queries[section] else { return [] }
    let rows = try warehouse.read { try Row.fetchAll($0, sql: sql) }
    return rows.compactMap { row -> StoryFact? in
      guard section != .verdicts || report(row, "identity") != nil else { return nil }
      var fields: [String: String] = [:]
      for (name, kind) in section.fields where row.hasColumn(name) {
        fields[name] = field(row, name, kind)
      }
      let named: String? = row["identity"]
      let identity = section == .verdicts ? report(row, "identity") : named
      return StoryFact(identity: identity ?? "none", fields: fields)
    }
  }

  private func field(_ row: Row, _ name: String, _ kind: StorySection.Kind) -> String {
    switch kind {
    case .money:
      let absent = ["paid": "unresolved", "high": "unbounded"][name] ?? "none"
      let code: String? = row["currency"]
      let amount: Int64? = row[name]
      return StoryText.money(
        amount.map { Milliunits($0) }, code.flatMap { Currency($0) }, absent: absent)
    case .bool:
      let value: Bool? = row[name]
      return value.map { "\($0)" } ?? "none"
    case .text where name == "evidence":
      let isThere: String? = row[name]
      return isThere == nil ? "none" : report(row, name) ?? "unnamed"
    case .number:
      let value: Int64? = row[name]
      return value.map { "\($0)" } ?? "none"
    case .text, .time, .day:
      let value: String? = row[name]
      return value.flatMap { $0.isEmpty ? nil : $0 } ?? "none"
    }
  }

  /// The name in the scenario of the report on a line; the column contains `path:line`.
  private func report(_ row: Row, _ column: String) -> String? {
    let place: String? = row[column]
    return place?.split(separator: "/").last.flatMap { reportNames[String($0)] }
  }

  private static let queries: [StorySection: String] = [
    .paidAmounts: """
    SELECT r.transaction_id AS identity, r.paid_milli AS paid, r.paid_low_milli AS low,
      r.paid_high_milli AS high, r.price_rule AS rule, r.price_status AS status,
      r.period_kind AS kind, r.product_id AS product, r.payment_mode AS mode,
      r.offer_id AS offer, r.currency AS currency, r.storefront AS storefront,
      r.storefront_source AS storefront_source, r.list_price_milli AS list,
      COALESCE(r.voters, 0) AS voters, f.name || ':' || e.source_line AS evidence,
      b.transaction_id AS basis, r.reversal_kind AS reversal, r.reversed_at AS reversed,
      r.covered_period AS period, r.spell_number AS spell, r.renewal_number AS renewal,
      r.paid_number AS number, r.is_billing_recovery AS recovery, r.quantity AS quantity,
      r.purchased_at AS bought, r.expires_at AS until
    FROM revenue r
    LEFT JOIN price_evidence e ON e.evidence_id = r.evidence_id
    LEFT JOIN audit_file f ON f.source_file_id = e.source_file_id
    LEFT JOIN fct_revenue b ON b.purchase_key = r.basis_purchase_key
    ORDER BY r.original_transaction_id, r.purchased_at, r.transaction_id
    """,
    .revenue: """
    SELECT r.transaction_id || ' ' || n.entry_kind AS identity, n.entry_date AS date,
      n.amount_milli AS amount, n.currency AS currency, n.amount_basis AS basis
    FROM fct_revenue_entry n JOIN fct_revenue r USING (purchase_key)
    ORDER BY 1
    """,
    .conversions: """
    SELECT o.transaction_id AS identity, c.status AS status, b.transaction_id AS "by",
      c.is_same_product AS same_product, c.is_contiguous AS contiguous,
      c.days_to_convert AS days, c.conversion_refunded_at AS refunded,
      c.offer_paid_milli AS paid, c.currency AS currency, c.matures_at AS matures,
      c.is_mature AS mature, c.offer_number AS number, c.offer_periods AS periods,
      c.payment_mode AS mode, c.offer_kind AS kind, c.ends_at AS ends
    FROM fct_conversion c
    JOIN fct_revenue o ON o.purchase_key = c.offer_purchase_key
    LEFT JOIN fct_revenue b ON b.purchase_key = c.converted_purchase_key
    ORDER BY c.original_transaction_id, c.offer_number
    """,
    .subscriptions: """
    SELECT original_transaction_id AS identity, status, expires_at AS expires,
      current_product_id AS product, spells, paid_count, first_started_at AS started,
      first_trial_at AS first_trial, first_paid_at AS first_paid,
      subscription_group_id AS "group", auto_renew_status AS renews
    FROM dim_subscription ORDER BY 1
    """,
    .excluded: "SELECT transaction_id AS identity, reason FROM excluded_purchase ORDER BY 1",
    .aliases: """
    SELECT a.transaction_id AS identity, coalesce(r.transaction_id, x.transaction_id) AS purchase
    FROM bridge_transaction_id a
    LEFT JOIN fct_revenue r USING (purchase_key)
    LEFT JOIN excluded_purchase x USING (purchase_key)
    WHERE a.transaction_id <> coalesce(r.transaction_id, x.transaction_id)
    ORDER BY 1
    """,
    .verdicts: """
    SELECT f.name || ':' || e.source_line AS identity, e.verdict AS verdict,
      e.reference_milli AS reference, e.currency AS currency
    FROM price_evidence e JOIN audit_file f USING (source_file_id) ORDER BY 1
    """,
    .priceHistory: """
    SELECT product_id || ' ' || currency || ' ' || CASE price_kind
        WHEN 'intro' THEN 'intro:' || CASE storefront WHEN '' THEN 'none' ELSE storefront END || ':'
          || payment_mode
        ELSE CASE price_kind WHEN 'regular' THEN 'regular' ELSE 'offer:' || offer_id END
          || CASE storefront WHEN '' THEN '' ELSE ':' || storefront END END || ' '
        || CASE valid_from WHEN '0001-01-01T00:00:00Z' THEN 'ever' ELSE valid_from END
        AS identity,
      price_milli AS price, currency, offer_length AS length, coalesce(valid_to, 'ever') AS "to", voters, reports,
      rejected_reports AS rejected
    FROM dim_product_price ORDER BY 1
    """,
  ]
}
