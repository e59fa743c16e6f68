-- name: amount_exact_is_believed
-- severity: error
-- columns: purchase_key
-- means: An amount rests on a report that is not there or not believed, or is exact by one that cannot make it so.
SELECT r.purchase_key FROM fct_revenue AS r
LEFT JOIN main.price_evidence AS e ON e.evidence_id = r.evidence_id
WHERE r.evidence_id IS NOT NULL AND COALESCE(e.verdict, '') <> 'believed'
  AND (COALESCE(e.verdict, '') <> 'no_reference' AND COALESCE(e.verdict, '') <> 'charged'
    AND COALESCE(e.verdict, '') <> 'wrong_place'
    OR r.price_status = 'exact' AND r.price_rule <> 'signed_price'
      AND r.price_rule <> 'reported_charge')
