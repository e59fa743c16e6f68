/// How bad a failed data test is.
public enum TestSeverity: String, Hashable, Sendable, CaseIterable {
  /// Shown, and published all the same.
  case warn
  /// Nothing is published.
  case error
}

/// A question about the facts whose answer must be no row at all.
///
/// The queries use table names alone, so that they run on any database with the tables: on the
/// transaction about to be committed, and on a published file (`paidline check`).
public struct DataTest: Hashable, Sendable {
  /// What must hold, as a name: `unique_…`, `not_null_…`, `accepted_values_…`, `relationships_…`.
  public var name: String
  /// How bad it is if it does not.
  public var severity: TestSeverity
  /// Returns the rows that break it.
  public var sql: String
}

/// What a data test found.
public struct DataTestResult: Hashable, Sendable {
  /// The test.
  public var test: DataTest
  /// How many rows break it; 0 is a pass.
  public var failingRows: Int
  /// Whether nothing may be published.
  public var isFailure: Bool { failingRows > 0 && test.severity == .error }
}

extension DataTest {
  /// All tests, in the order in which they run.
  public static let all: [DataTest] =
    identityTests + vocabularyTests + relationshipTests + eligibilityTests + amountTests
    + ledgerTests + auditTests

  private static func error(_ name: String, _ sql: String) -> DataTest {
    DataTest(name: name, severity: .error, sql: sql)
  }

  private static func warn(_ name: String, _ sql: String) -> DataTest {
    DataTest(name: name, severity: .warn, sql: sql)
  }

  private static let identityTests = [
    error(
      "unique_fct_revenue_entry_kind",
      """
      SELECT purchase_key, entry_kind FROM fct_revenue_entry
      GROUP BY purchase_key, entry_kind HAVING count(1) > 1
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
    error(
      "not_null_fct_revenue",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE purchase_key IS NULL OR transaction_id IS NULL OR transaction_id = ''
        OR original_transaction_id IS NULL OR original_transaction_id = ''
        OR product_id IS NULL OR product_id = '' OR purchased_at IS NULL
        OR paid_low_milli IS NULL OR quantity IS NULL
      """),
    error(
      "not_null_fct_conversion",
      """
      SELECT offer_purchase_key FROM fct_conversion
      WHERE offer_purchase_key IS NULL OR started_at IS NULL OR ends_at IS NULL
        OR matures_at IS NULL OR is_mature IS NULL
      """),
  ]

  private static let vocabularyTests = [
    error(
      "accepted_values_fct_revenue",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE period_kind NOT IN ('trial', 'intro', 'promo', 'offer_code', 'regular', 'one_time')
        OR payment_mode NOT IN ('free_trial', 'pay_as_you_go', 'pay_up_front', 'standard',
          'unknown')
        OR price_status NOT IN ('exact', 'derived', 'inferred', 'configured', 'zero_by_rule',
          'unresolved', 'conflict')
        OR price_rule NOT IN ('conflict', 'signed_price', 'free_trial', 'free_offer',
          'reported_with_purchase', 'same_offer', 'previous_renewal', 'customer_report',
          'price_history', 'catalogue_offer', 'catalogue_price', 'unresolved')
        OR reversal_kind NOT IN ('none', 'refund', 'upgrade')
      """),
    error(
      "accepted_values_fct_conversion",
      """
      SELECT offer_purchase_key FROM fct_conversion
      WHERE offer_kind NOT IN ('trial', 'intro', 'promo', 'offer_code')
        OR status NOT IN ('pending', 'billing_retry', 'converted', 'lapsed')
      """),
    error(
      "accepted_values_dim_subscription",
      """
      SELECT original_transaction_id FROM dim_subscription
      WHERE status NOT IN ('trial', 'intro', 'promo', 'active', 'grace', 'billing_retry',
        'expired', 'revoked')
      """),
    error(
      "accepted_values_price_evidence",
      """
      SELECT evidence_id FROM price_evidence
      WHERE verdict NOT IN ('believed', 'no_reference', 'outlier', 'unit_error',
        'currency_mismatch')
      """),
  ]

  private static let relationshipTests = [
    error(
      "relationships_foreign_keys",
      "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check"),
    error(
      "relationships_fct_revenue_transaction_id",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE transaction_id NOT IN (SELECT transaction_id FROM bridge_transaction_id)
      """),
    error(
      "relationships_bridge_purchase",
      """
      SELECT purchase_key
      FROM (SELECT DISTINCT purchase_key FROM bridge_transaction_id)
      WHERE purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
        AND purchase_key NOT IN (SELECT purchase_key FROM excluded_purchase)
      """),
    error(
      "relationships_excluded_purchase",
      """
      SELECT purchase_key FROM excluded_purchase
      WHERE purchase_key IN (SELECT purchase_key FROM fct_revenue)
      """),
    error(
      "relationships_basis_purchase",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE basis_purchase_key IS NOT NULL
        AND basis_purchase_key NOT IN (SELECT purchase_key FROM fct_revenue)
      """),
    error(
      "relationships_product",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE product_id NOT IN (SELECT product_id FROM dim_product)
      """),
    error(
      "relationships_source_file",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE source_file_id NOT IN (SELECT source_file_id FROM audit_file)
      UNION ALL
      SELECT evidence_id FROM price_evidence
      WHERE source_file_id NOT IN (SELECT source_file_id FROM audit_file)
      UNION ALL
      SELECT source_line FROM rejected_record
      WHERE source_file_id NOT IN (SELECT source_file_id FROM audit_file)
      """),
    error(
      "relationships_evidence_offer",
      """
      SELECT evidence_id FROM price_evidence_offer
      WHERE evidence_id NOT IN (SELECT evidence_id FROM price_evidence)
      """),
    error(
      "relationships_conversion_is_later",
      """
      SELECT c.offer_purchase_key FROM fct_conversion AS c
      JOIN fct_revenue AS r ON r.purchase_key = c.converted_purchase_key
      WHERE r.purchased_at < c.started_at OR r.purchase_key = c.offer_purchase_key
        OR r.original_transaction_id <> c.original_transaction_id
        OR r.purchased_at <> c.converted_at
      """),
  ]

  private static let eligibilityTests = [
    error(
      "eligibility_agrees_with_reason",
      """
      SELECT customer_key, subscription_group_id FROM dim_offer_eligibility
      WHERE is_promo_eligible <> 1 OR is_intro_eligible IS NOT CASE intro_reason
        WHEN 'eligible' THEN 1 WHEN 'in_grace_period' THEN NULL ELSE 0 END
      """)
  ]

  private static let amountTests = [
    error(
      "amount_within_bounds",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE paid_low_milli < 0 OR paid_high_milli < paid_low_milli
        OR paid_milli IS NOT NULL AND (paid_milli <> paid_low_milli
          OR paid_high_milli IS NULL OR paid_milli <> paid_high_milli)
      """),
    error(
      "amount_known_unless_unresolved",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE (paid_milli IS NULL) <> (price_status IN ('unresolved', 'conflict'))
      """),
    error(
      "amount_of_free_rows_is_zero",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE (period_kind = 'trial' OR price_status = 'zero_by_rule') AND paid_milli IS NOT 0
      """),
    error(
      "amount_has_currency",
      "SELECT purchase_key FROM fct_revenue WHERE paid_milli > 0 AND currency IS NULL"),
    error(
      "amount_exact_is_believed",
      """
      SELECT r.purchase_key FROM fct_revenue AS r
      LEFT JOIN price_evidence AS e ON e.evidence_id = r.evidence_id
      WHERE r.price_status = 'exact' AND e.verdict IS NOT 'believed'
        OR e.verdict IN ('outlier', 'unit_error', 'currency_mismatch')
      """),
    error(
      "reversal_has_time",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE (reversal_kind = 'none') <> (reversed_at IS NULL)
        OR access_ends_at > expires_at OR access_ends_at > reversed_at
      """),
    error(
      "time_agrees_with_date",
      """
      SELECT purchase_key FROM fct_revenue
      WHERE purchased_date <> substr(purchased_at, 1, 10) OR length(purchased_at) <> 20
        OR substr(purchased_at, 11, 1) <> 'T' OR substr(purchased_at, 20, 1) <> 'Z'
      """),
    error(
      "price_interval_has_length",
      """
      SELECT product_id FROM dim_product_price WHERE valid_to IS NOT NULL AND valid_to < valid_from
      """),
    warn(
      "conflicting_sightings",
      "SELECT purchase_key FROM fct_revenue WHERE price_status = 'conflict'"),
    warn(
      "unresolved_amounts",
      "SELECT purchase_key FROM fct_revenue WHERE price_status = 'unresolved'"),
  ]

  private static let ledgerTests = [
    error(
      "ledger_entry_agrees_with_purchase",
      """
      SELECT e.entry_key FROM fct_revenue_entry AS e
      LEFT JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
      WHERE r.currency IS NOT e.currency OR e.amount_milli = 0
        OR e.entry_kind = 'charge' AND (e.amount_milli IS NOT r.paid_milli
          OR e.entry_date IS NOT r.purchased_date)
        OR e.entry_kind = 'refund' AND (e.amount_milli IS NOT -r.paid_milli
          OR r.reversal_kind IS NOT 'refund' OR e.entry_date IS NOT substr(r.reversed_at, 1, 10))
        OR e.entry_kind = 'upgrade_credit_estimate' AND (r.reversal_kind IS NOT 'upgrade'
          OR e.amount_milli NOT BETWEEN -r.paid_milli AND 0)
      """),
    error(
      "ledger_charges_equal_paid",
      """
      SELECT currency, SUM(milli) FROM (
        SELECT currency, paid_milli AS milli FROM fct_revenue WHERE paid_milli > 0
        UNION ALL
        SELECT currency, -amount_milli FROM fct_revenue_entry WHERE entry_kind = 'charge'
      ) GROUP BY currency HAVING SUM(milli) <> 0
      """),
    error(
      "ledger_refunds_equal_refunded",
      """
      SELECT currency, SUM(milli) FROM (
        SELECT currency, paid_milli AS milli FROM fct_revenue
        WHERE paid_milli > 0 AND reversal_kind = 'refund'
        UNION ALL
        SELECT currency, amount_milli FROM fct_revenue_entry WHERE entry_kind = 'refund'
      ) GROUP BY currency HAVING SUM(milli) <> 0
      """),
  ]

  private static let auditTests = [
    error(
      "audit_file_adds_up",
      """
      SELECT source_file_id FROM audit_file
      WHERE records <> used + duplicates + rejected OR used < 0 OR duplicates < 0 OR rejected < 0
      """),
    error(
      "accepted_values_audit_file",
      """
      SELECT source_file_id FROM audit_file
      WHERE kind NOT IN ('receipts', 'prices') OR status NOT IN ('used', 'refused', 'held')
      """),
  ]
}
