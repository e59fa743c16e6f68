-- name: amount_exact_is_believed
-- severity: error
-- columns: purchase_key
-- means: An amount rests on a report that is not there or not believed, or is exact by one that cannot make it so.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.evidence_id IS NOT NULL AND CASE
  (SELECT e.verdict FROM main.price_evidence AS e WHERE e.evidence_id = r.evidence_id)
  WHEN 'believed' THEN 0
  WHEN 'no_reference' THEN r.price_status = 'exact' AND r.price_rule <> 'signed_price'
  WHEN 'charged' THEN r.price_status = 'exact' AND r.price_rule <> 'signed_price'
  ELSE 1 END
