-- name: amount_exact_is_believed
-- severity: error
-- columns: purchase_key
-- means: An amount rests on a report that is not believed, or is exact without a believed or a signed one.
SELECT r.purchase_key FROM fct_revenue AS r
LEFT JOIN main.price_evidence AS e ON e.evidence_id = r.evidence_id
WHERE r.price_status = 'exact' AND r.price_rule <> 'signed_price' AND e.verdict IS NOT 'believed'
  OR e.verdict NOT IN ('believed', 'no_reference')
