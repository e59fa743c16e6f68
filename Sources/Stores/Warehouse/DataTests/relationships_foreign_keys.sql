-- name: relationships_foreign_keys
-- severity: error
-- columns: child, row_key
-- means: A row points to a row that is not there, or compares another price than its purchase's. Tests of their own ask for what purchases, conversions and transaction ids point to.
SELECT 'audit_backtest' AS child, b.purchase_key AS row_key FROM main.audit_backtest AS b
LEFT JOIN main.fct_revenue AS r ON r.purchase_key = b.purchase_key
WHERE COALESCE(r.signed_price_milli <> b.signed_milli, TRUE)
UNION ALL
SELECT 'price_evidence_offer', o.evidence_id FROM price_evidence_offer AS o
WHERE (o.evidence_id IN (SELECT e.evidence_id FROM main.price_evidence AS e)) IS NOT TRUE
UNION ALL
SELECT 'price_evidence', e.evidence_id FROM price_evidence AS e
WHERE (e.source_file_id IN (SELECT f.source_file_id FROM main.audit_file AS f)) IS NOT TRUE
UNION ALL
SELECT 'rejected_record', x.source_line FROM main.rejected_record AS x
WHERE (x.source_file_id IN (SELECT f.source_file_id FROM main.audit_file AS f)) IS NOT TRUE
