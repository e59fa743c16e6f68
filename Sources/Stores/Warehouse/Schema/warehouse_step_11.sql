-- From version 10 to 11: charges beside the prices that were shown. The rows themselves are
-- written again by the next run, because its rules are new.

ALTER TABLE price_evidence ADD COLUMN evidence_kind TEXT NOT NULL DEFAULT 'shown'
  CHECK (evidence_kind = 'shown' OR evidence_kind = 'charged');

-- A CHECK is widened in place: rows that met it before meet it now.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'OR verdict = ''impossible_amount''',
  'OR verdict = ''impossible_amount'' OR verdict = ''contested_charge''
      OR verdict = ''other_store''')
WHERE type = 'table' AND name = 'price_evidence';
UPDATE sqlite_schema SET sql = replace(sql, 'OR price_rule = ''reported_with_purchase''',
  'OR price_rule = ''reported_charge'' OR price_rule = ''reported_with_purchase''')
WHERE type = 'table' AND name = 'fct_revenue';
UPDATE sqlite_schema SET sql = replace(sql, 'OR rule = ''reported_with_purchase''',
  'OR rule = ''reported_charge'' OR rule = ''reported_with_purchase''')
WHERE type = 'table' AND name = 'audit_backtest';
UPDATE sqlite_schema SET sql = replace(sql, 'OR gate = ''ambiguous_product''',
  'OR gate = ''ambiguous_product'' OR gate = ''unknown_transactions''
      OR gate = ''unknown_ownership'' OR gate = ''converted_amounts''')
WHERE type = 'table' AND name = 'audit_gate';
UPDATE sqlite_schema SET sql = replace(sql, 'OR reason = ''family_shared''',
  'OR reason = ''family_shared'' OR reason = ''assigned'' OR reason = ''unknown_ownership''')
WHERE type = 'table' AND name = 'excluded_purchase';
UPDATE sqlite_schema SET sql = replace(sql, 'OR reason_code = ''row_invalid_quantity''',
  'OR reason_code = ''row_invalid_quantity'' OR reason_code = ''impossible_period''')
WHERE type = 'table' AND name = 'rejected_record';
PRAGMA writable_schema = RESET;

DROP VIEW IF EXISTS price_outlier;
CREATE VIEW price_outlier AS
-- One row per price report that was not believed, beside what it was compared with.
SELECT
  evidence_id, bundle_id, product_id, customer_key, transaction_id, purchase_key, storefront, currency,
  price_milli, reference_milli, 10000 * price_milli / NULLIF(reference_milli, 0) AS ratio_bp, verdict,
  reported_at, source_file_id, source_line
FROM price_evidence
WHERE verdict NOT IN ('believed', 'no_reference', 'charged');
