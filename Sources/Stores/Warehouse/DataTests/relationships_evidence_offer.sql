-- name: relationships_evidence_offer
-- severity: error
-- columns: evidence_id, offer_id
-- means: An offer price belongs to a report that is not there.
SELECT o.evidence_id, o.offer_id FROM price_evidence_offer AS o
WHERE NOT EXISTS (SELECT 1 FROM main.price_evidence AS e WHERE e.evidence_id = o.evidence_id)
