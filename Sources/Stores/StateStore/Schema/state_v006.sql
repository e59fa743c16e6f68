-- Schema of state.db, step from version 5 to 6: what a run published is told by the sum of its rows'
-- hashes, as in audit_run.

ALTER TABLE publication RENAME COLUMN content_sha256 TO content_digest;
