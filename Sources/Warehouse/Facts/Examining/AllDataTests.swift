extension DataTest {
  /// All tests, in the order in which they run.
  public static let all: [DataTest] =
    identityTests + vocabularyTests + relationshipTests + eligibilityTests + amountTests
    + ledgerTests + auditTests

  private static func error(_ name: String, _ sql: String, touched: String? = nil) -> DataTest {
    DataTest(name: name, severity: .error, sql: sql, touchedSQL: touched)
  }

  /// A test that one row can break, whatever the other rows say.
  private static func rows(
    _ name: String, _ key: String, of table: String, _ severity: TestSeverity = .error,
    where condition: String
  ) -> DataTest {
    DataTest(
      name: name, severity: severity, sql: "SELECT \(key) FROM \(table)\nWHERE \(condition)",
      conditions: [RowCondition(table: table, sql: condition)])
  }

  /// A test that rows of several tables can break by themselves.
  private static func rows(
    _ name: String, of tables: [(table: String, key: String)], where condition: String
  ) -> DataTest {
    let queries = tables.map { "SELECT \($0.key) FROM \($0.table)\nWHERE \(condition)" }
    return DataTest(
      name: name, severity: .error, sql: queries.joined(separator: "\nUNION ALL\n"),
      conditions: tables.map { RowCondition(table: $0.table, sql: condition) })
  }

  /// A test that a row can break together with the one that it points to.
  private static func joined(
    _ name: String, _ key: String, _ condition: JoinedCondition, touched: String
  ) -> DataTest {
    DataTest(
      name: name, severity: .error,
      sql: """
        SELECT \(condition.alias).\(key) FROM \(condition.table) AS \(condition.alias)
        \(condition.join)
        """,
      joined: condition, touchedSQL: touched)
  }

  /// A test that there are equally many rows of two kinds.
  private static func balance(_ name: String, _ one: RowCondition, _ other: RowCondition)
    -> DataTest
  {
    let balance = RowBalance(one: one, other: other)
    return DataTest(name: name, severity: .error, sql: balance.sql, balance: balance)
  }

  private static let identityTests: [DataTest] = [
    // The key is the purchase's with its last two bits replaced by the kind, and it is unique.
    rows(
      "unique_fct_revenue_entry_kind", "entry_key", of: "fct_revenue_entry",
      where: """
        entry_key >> 2 <> purchase_key >> 2 OR entry_key & 3 IS NOT CASE entry_kind
          WHEN 'charge' THEN 0 WHEN 'refund' THEN 1 WHEN 'upgrade_credit_estimate' THEN 2 END
        """),
    error(
      "unique_fct_conversion_offer_number",
      """
      SELECT original_transaction_id, offer_number FROM fct_conversion
      GROUP BY original_transaction_id, offer_number HAVING count(1) > 1
      """),
    error(
      "unique_audit_file_content",
      "SELECT sha256, kind FROM audit_file GROUP BY sha256, kind HAVING count(1) > 1"),
    rows(
      "not_null_fct_revenue", "purchase_key", of: "fct_revenue",
      where: """
        purchase_key IS NULL OR transaction_id IS NULL OR transaction_id = ''
          OR original_transaction_id IS NULL OR original_transaction_id = ''
          OR product_id IS NULL OR product_id = '' OR purchased_at IS NULL
          OR paid_low_milli IS NULL OR quantity IS NULL
        """),
    rows(
      "not_null_fct_conversion", "offer_purchase_key", of: "fct_conversion",
      where: """
        offer_purchase_key IS NULL OR started_at IS NULL OR ends_at IS NULL
          OR matures_at IS NULL OR is_mature IS NULL
        """),
  ]

  private static let vocabularyTests: [DataTest] = [
    rows(
      "accepted_values_fct_revenue", "purchase_key", of: "fct_revenue",
      where: """
        period_kind NOT IN ('trial', 'intro', 'promo', 'offer_code', 'regular', 'one_time')
          OR payment_mode NOT IN ('free_trial', 'pay_as_you_go', 'pay_up_front', 'standard',
          'unknown')
          OR price_status NOT IN ('exact', 'derived', 'inferred', 'configured', 'zero_by_rule',
          'unresolved', 'conflict')
          OR price_rule NOT IN ('conflict', 'signed_price', 'free_trial', 'free_offer',
          'reported_with_purchase', 'same_offer', 'previous_renewal', 'customer_report',
          'price_history', 'catalogue_offer', 'catalogue_price', 'unresolved')
          OR reversal_kind NOT IN ('none', 'refund', 'upgrade')
        """),
    rows(
      "accepted_values_fct_conversion", "offer_purchase_key", of: "fct_conversion",
      where: """
        offer_kind NOT IN ('trial', 'intro', 'promo', 'offer_code')
          OR status NOT IN ('pending', 'billing_retry', 'converted', 'lapsed')
        """),
    rows(
      "accepted_values_dim_subscription", "original_transaction_id", of: "dim_subscription",
      where: """
        status NOT IN ('trial', 'intro', 'promo', 'active', 'grace', 'billing_retry',
          'expired', 'revoked')
        """),
    rows(
      "accepted_values_price_evidence", "evidence_id", of: "price_evidence",
      where: """
        verdict NOT IN ('believed', 'no_reference', 'outlier', 'unit_error',
          'currency_mismatch', 'outvoted', 'distrusted')
        """),
  ]

  /// The test that asks SQLite for the foreign keys of all tables.
  static let foreignKeys = "relationships_foreign_keys"

  private static let relationshipTests: [DataTest] = [
    error(
      foreignKeys,
      "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check",
      touched: """
        SELECT purchase_key FROM \(ExaminationScope.touched.rows(of: "fct_revenue"))
        WHERE evidence_id IS NOT NULL
          AND evidence_id NOT IN (SELECT evidence_id FROM price_evidence)
        UNION ALL
        SELECT entry_key FROM \(ExaminationScope.touched.rows(of: "fct_revenue_entry"))
        WHERE purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
        UNION ALL
        SELECT offer_purchase_key FROM \(ExaminationScope.touched.rows(of: "fct_conversion"))
        WHERE offer_purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
          OR converted_purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
        """),
    rows(
      "relationships_fct_revenue_transaction_id", "purchase_key", of: "fct_revenue",
      where: """
        transaction_id NOT IN (SELECT transaction_id FROM bridge_transaction_id)
        """),
    rows(
      "relationships_bridge_purchase", "purchase_key", of: "bridge_transaction_id",
      where: """
        purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
          AND purchase_key NOT IN (SELECT purchase_key FROM excluded_purchase)
        """),
    rows(
      "relationships_excluded_purchase", "purchase_key", of: "excluded_purchase",
      where: """
        purchase_key IN (SELECT purchase_key FROM fct_revenue)
        """),
    rows(
      "relationships_basis_purchase", "purchase_key", of: "fct_revenue",
      where: """
        basis_purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
        """),
    rows(
      "relationships_product", "purchase_key", of: "fct_revenue",
      where: """
        product_id NOT IN (SELECT product_id FROM dim_product)
        """),
    rows(
      "relationships_source_file",
      of: [
        ("fct_revenue", "purchase_key"), ("price_evidence", "evidence_id"),
        ("rejected_record", "source_line"),
      ],
      where: "source_file_id NOT IN (SELECT source_file_id FROM audit_file)"),
    rows(
      "relationships_evidence_offer", "evidence_id", of: "price_evidence_offer",
      where: """
        evidence_id NOT IN (SELECT evidence_id FROM price_evidence)
        """),
    error(
      "relationships_conversion_is_later",
      "SELECT c.offer_purchase_key FROM fct_conversion AS c\n" + conversionDisagrees,
      touched: """
        SELECT c.offer_purchase_key FROM (
          SELECT * FROM fct_conversion
          WHERE offer_purchase_key IN (SELECT number FROM temp.touched_fct_conversion)
            OR converted_purchase_key IN (SELECT number FROM temp.touched_fct_revenue)) AS c
        \(conversionDisagrees)
        """),
  ]

  private static let conversionDisagrees = """
    JOIN fct_revenue AS r ON r.purchase_key = c.converted_purchase_key
    WHERE r.purchased_at < c.started_at OR r.purchase_key = c.offer_purchase_key
      OR r.original_transaction_id <> c.original_transaction_id
      OR r.purchased_at <> c.converted_at
    """

  private static let eligibilityTests: [DataTest] = [
    rows(
      "eligibility_agrees_with_reason", "customer_key, subscription_group_id",
      of: "dim_offer_eligibility",
      where: """
        is_promo_eligible <> 1 OR is_intro_eligible IS NOT CASE intro_reason
          WHEN 'eligible' THEN 1 WHEN 'in_grace_period' THEN NULL ELSE 0 END
        """)
  ]

  private static let amountTests: [DataTest] = [
    rows(
      "amount_within_bounds", "purchase_key", of: "fct_revenue",
      where: """
        paid_low_milli < 0 OR paid_high_milli < paid_low_milli
          OR paid_milli IS NOT NULL AND (paid_milli <> paid_low_milli
          OR paid_high_milli IS NULL OR paid_milli <> paid_high_milli)
        """),
    rows(
      "amount_known_unless_unresolved", "purchase_key", of: "fct_revenue",
      where: """
        (paid_milli IS NULL) <> (price_status IN ('unresolved', 'conflict'))
        """),
    rows(
      "amount_of_free_rows_is_zero", "purchase_key", of: "fct_revenue",
      where: """
        (period_kind = 'trial' AND price_status <> 'conflict' OR price_status = 'zero_by_rule')
          AND paid_milli IS NOT 0
        """),
    rows(
      "amount_has_currency", "purchase_key", of: "fct_revenue",
      where: "paid_milli > 0 AND currency IS NULL"),
    rows(
      "amount_exact_is_believed", "purchase_key", of: "fct_revenue",
      where: """
        price_status = 'exact' AND (evidence_id IS NULL OR evidence_id NOT IN (
            SELECT evidence_id FROM price_evidence WHERE verdict = 'believed'))
          OR evidence_id IN (SELECT evidence_id FROM price_evidence
            WHERE verdict NOT IN ('believed', 'no_reference'))
        """),
    rows(
      "reversal_has_time", "purchase_key", of: "fct_revenue",
      where: """
        (reversal_kind = 'none') <> (reversed_at IS NULL)
          OR access_ends_at > expires_at OR access_ends_at > reversed_at
        """),
    rows(
      "time_agrees_with_date", "purchase_key", of: "fct_revenue",
      where: """
        purchased_date <> substr(purchased_at, 1, 10) OR length(purchased_at) <> 20
          OR substr(purchased_at, 11, 1) <> 'T' OR substr(purchased_at, 20, 1) <> 'Z'
        """),
    rows(
      "price_interval_has_length", "product_id", of: "dim_product_price",
      where: """
        valid_to IS NOT NULL AND valid_to < valid_from
        """),
    rows(
      "conflicting_sightings", "purchase_key", of: "fct_revenue", .warn,
      where: "price_status = 'conflict'"),
    rows(
      "reporting_amount_has_rate_date", "purchase_key", of: "fct_revenue",
      where: """
        (paid_reporting_micros IS NULL) <> (fx_rate_date IS NULL)
          OR paid_reporting_micros IS NOT NULL AND (paid_milli IS NULL OR paid_reporting_micros < 0)
          OR fx_rate_date <> purchased_date AND (fx_rate_date > purchased_date
          OR fx_rate_date < date(purchased_date, '-7 days'))
        """),
    rows(
      "proceeds_within_paid", "purchase_key", of: "fct_revenue",
      where: """
        proceeds_estimate_micros NOT BETWEEN 0 AND COALESCE(paid_reporting_micros, -1)
          OR proceeds_estimate_micros > 0 AND (commission_bp IS NULL OR tax_bp IS NULL)
          OR commission_bp NOT BETWEEN 0 AND 9999 OR tax_bp NOT BETWEEN 0 AND 9999
        """),
    rows(
      "unconverted_amounts", "purchase_key", of: "fct_revenue", .warn,
      where: """
        paid_milli > 0 AND paid_reporting_micros IS NULL
          AND (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
        """),
    rows(
      "unestimated_proceeds", "purchase_key", of: "fct_revenue", .warn,
      where: """
        paid_reporting_micros > 0 AND proceeds_estimate_micros IS NULL
          AND (commission_bp IS NOT NULL OR tax_bp IS NOT NULL)
        """),
    rows(
      "unresolved_amounts", "purchase_key", of: "fct_revenue", .warn,
      where: "price_status = 'unresolved'"),
  ]

  private static let entryDisagrees = JoinedCondition(
    table: "fct_revenue_entry", alias: "e", parent: "fct_revenue", parentAlias: "r",
    column: "purchase_key", parentKey: "purchase_key",
    sql: """
      r.currency IS NOT e.currency OR e.amount_milli = 0
        OR e.entry_kind = 'charge' AND (e.amount_milli IS NOT r.paid_milli
          OR e.entry_date IS NOT r.purchased_date)
        OR e.entry_kind = 'refund' AND (e.amount_milli IS NOT -r.paid_milli
          OR r.reversal_kind IS NOT 'refund' OR e.entry_date IS NOT substr(r.reversed_at, 1, 10))
        OR e.entry_kind = 'upgrade_credit_estimate' AND (r.reversal_kind IS NOT 'upgrade'
          OR e.amount_milli NOT BETWEEN -r.paid_milli AND 0)
      """)

  private static let ledgerTests: [DataTest] = [
    joined(
      "ledger_entry_agrees_with_purchase", "entry_key", entryDisagrees,
      touched: """
        SELECT e.entry_key
        FROM \(ExaminationScope.touched.rows(of: "fct_revenue_entry")) AS e
        \(entryDisagrees.join)
        UNION ALL
        SELECT e.entry_key FROM temp.touched_fct_revenue AS t
        JOIN fct_revenue_entry AS e ON e.entry_key BETWEEN t.number & ~3 AND t.number | 3
        \(entryDisagrees.join)
        """),
    // Each entry has its purchase's amount, and no purchase has two of a kind: so where there are
    // as many as there should be, the sums agree, currency by currency.
    balance(
      "ledger_charges_equal_paid",
      RowCondition(table: "fct_revenue", sql: "paid_milli > 0"),
      RowCondition(table: "fct_revenue_entry", sql: "entry_kind = 'charge'")),
    balance(
      "ledger_refunds_equal_refunded",
      RowCondition(table: "fct_revenue", sql: "paid_milli > 0 AND reversal_kind = 'refund'"),
      RowCondition(table: "fct_revenue_entry", sql: "entry_kind = 'refund'")),
  ]

  private static let auditTests: [DataTest] = [
    rows(
      "audit_file_adds_up", "source_file_id", of: "audit_file",
      where: """
        records <> used + duplicates + rejected OR used < 0 OR duplicates < 0 OR rejected < 0
        """),
    rows(
      "accepted_values_audit_file", "source_file_id", of: "audit_file",
      where: """
        kind NOT IN ('receipts', 'prices') OR status NOT IN
          ('used', 'refused', 'held', 'superseded')
        """),
  ]
}
