-- name: relationships_source_file
-- severity: error
-- columns: child, row_key
-- means: A row comes from a file that audit_file does not list.
SELECT 'fct_revenue' AS child, purchase_key AS row_key FROM fct_revenue
WHERE source_file_id NOT IN (SELECT source_file_id FROM main.audit_file)
UNION ALL
SELECT 'price_evidence', evidence_id FROM price_evidence
WHERE source_file_id NOT IN (SELECT source_file_id FROM main.audit_file)
UNION ALL
SELECT 'rejected_record', source_line FROM main.rejected_record
WHERE source_file_id NOT IN (SELECT source_file_id FROM main.audit_file)
