-- Schema of state.db, step from version 3 to 4: the reporting currency of what was published, as in
-- audit_run.

ALTER TABLE publication ADD COLUMN reporting_currency TEXT;
