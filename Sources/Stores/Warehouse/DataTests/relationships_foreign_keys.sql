-- name: relationships_foreign_keys
-- severity: error
-- columns: child, row_key
-- means: A row points to a row that is not there.
SELECT 'fct_revenue' AS child, r.purchase_key AS row_key FROM fct_revenue AS r
WHERE r.evidence_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM main.price_evidence AS e WHERE e.evidence_id = r.evidence_id)
UNION ALL
SELECT 'fct_revenue_entry', e.entry_key FROM fct_revenue_entry AS e
WHERE NOT EXISTS (SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = e.purchase_key)
UNION ALL
SELECT 'fct_conversion', c.offer_purchase_key FROM fct_conversion AS c
WHERE NOT EXISTS (SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = c.offer_purchase_key)
  OR c.converted_purchase_key IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = c.converted_purchase_key)
