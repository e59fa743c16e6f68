CREATE TABLE question (
  -- One row per raw receipt record that was asked about, or could not be.
  record_key     BLOB    NOT NULL PRIMARY KEY CHECK (length(record_key) = 32), -- SHA-256 of the record
  state          TEXT    NOT NULL CHECK (state IN ('pending', 'answered', 'rejected')),
  reason         TEXT,             -- why it is pending or rejected, as a stable word
  malformed_runs INTEGER NOT NULL, -- runs in which Apple answered 21002
  file_name      TEXT    NOT NULL, -- where the record was last seen
  line           INTEGER NOT NULL, -- its line there, from 1
  decided_at_ms  INTEGER NOT NULL, -- when this was last decided, Unix milliseconds, UTC
  CHECK ((state = 'answered') = (reason IS NULL))
) STRICT;

CREATE INDEX question_by_state ON question (state) WHERE state <> 'answered';

CREATE TABLE answer (
  -- One row per answer that no export holds yet: the line of the export to come.
  record_key BLOB NOT NULL PRIMARY KEY REFERENCES question (record_key),
  line       BLOB NOT NULL
) STRICT;

CREATE TABLE export (
  -- One row per export that was begun; of those not finished there is one at most.
  export_number INTEGER NOT NULL PRIMARY KEY,
  path          TEXT    NOT NULL,
  records       INTEGER NOT NULL,
  is_finished   INTEGER NOT NULL CHECK (is_finished IN (0, 1))
) STRICT;
