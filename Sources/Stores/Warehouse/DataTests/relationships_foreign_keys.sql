-- name: relationships_foreign_keys
-- severity: error
-- columns: child, row_key
-- means: A row points to a row that is not there. Tests of their own ask for the reports and files of purchases.
SELECT 'fct_conversion' AS child, c.offer_purchase_key AS row_key FROM fct_conversion AS c
WHERE NOT EXISTS (SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = c.offer_purchase_key)
  OR c.converted_purchase_key IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = c.converted_purchase_key)
UNION ALL
SELECT 'audit_backtest', b.purchase_key FROM main.audit_backtest AS b
WHERE NOT EXISTS (SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = b.purchase_key)
UNION ALL
SELECT 'price_evidence_offer', o.evidence_id FROM price_evidence_offer AS o
WHERE NOT EXISTS (SELECT 1 FROM main.price_evidence AS e WHERE e.evidence_id = o.evidence_id)
UNION ALL
SELECT 'price_evidence', e.evidence_id FROM price_evidence AS e
WHERE NOT EXISTS (SELECT 1 FROM main.audit_file AS f WHERE f.source_file_id = e.source_file_id)
UNION ALL
SELECT 'rejected_record', x.source_line FROM main.rejected_record AS x
WHERE NOT EXISTS (SELECT 1 FROM main.audit_file AS f WHERE f.source_file_id = x.source_file_id)
