-- Schema of state.db, step from version 2 to 3: what was published, so that it outlives a lost
-- warehouse. It cannot be rebuilt from the exports. The columns are those of audit_run and
-- audit_restatement.

-- One row per run that published.
CREATE TABLE publication (
  run_id                INTEGER NOT NULL PRIMARY KEY,
  kind                  TEXT    NOT NULL,
  as_of                 TEXT    NOT NULL,
  started_at            TEXT    NOT NULL,
  finished_at           TEXT    NOT NULL,
  complete_through_date TEXT,
  program_version       TEXT    NOT NULL,
  rules_version         TEXT    NOT NULL,
  files                 INTEGER NOT NULL,
  records               INTEGER NOT NULL,
  rejected              INTEGER NOT NULL,
  price_coverage_bp     INTEGER,
  exact_bp              INTEGER,
  content_sha256        TEXT    NOT NULL,
  state_generation      INTEGER NOT NULL,
  settings_sha256       TEXT    NOT NULL,
  catalogue_sha256      TEXT,
  rates_sha256          TEXT
) STRICT;

-- One row per run, published day and cause of a published figure that changed.
CREATE TABLE restatement (
  run_id    INTEGER NOT NULL REFERENCES publication (run_id),
  metric    TEXT    NOT NULL,
  date_day  TEXT    NOT NULL,
  currency  TEXT    NOT NULL,
  cause     TEXT    NOT NULL,
  old_milli INTEGER NOT NULL,
  new_milli INTEGER NOT NULL,
  rows      INTEGER NOT NULL,
  PRIMARY KEY (run_id, metric, date_day, currency, cause)
) STRICT, WITHOUT ROWID;
