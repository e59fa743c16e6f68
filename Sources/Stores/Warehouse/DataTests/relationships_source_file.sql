-- name: relationships_source_file
-- severity: error
-- columns: purchase_key
-- means: A purchase comes from a file that audit_file does not list.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE (r.source_file_id IN (SELECT f.source_file_id FROM main.audit_file AS f)) IS NOT TRUE
