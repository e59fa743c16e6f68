-- name: unique_conversion_offer_number
-- severity: error
-- columns: original_transaction_id, offer_number
-- means: Two offers of a subscription have one number.
SELECT original_transaction_id, offer_number FROM main.fct_conversion
GROUP BY original_transaction_id, offer_number HAVING count(1) > 1
