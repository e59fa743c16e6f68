CREATE TABLE raw_receipt (
  -- One row per raw receipt that was sent to Apple, or could not be.
  record_key     BLOB    NOT NULL PRIMARY KEY CHECK (length(record_key) = 32), -- SHA-256 of the record
  state          TEXT    NOT NULL CHECK (state IN ('pending', 'answered', 'rejected')),
  reason         TEXT,             -- why it is pending or rejected, as a stable word
  malformed_runs INTEGER NOT NULL, -- runs in which the response was 21002
  file_name      TEXT    NOT NULL, -- where the record was last seen
  line           INTEGER NOT NULL, -- its line there, from 1
  decided_at_ms  INTEGER NOT NULL, -- when this was last decided, Unix milliseconds, UTC
  CHECK ((state = 'answered') = (reason IS NULL))
) STRICT;

CREATE INDEX raw_receipt_by_state ON raw_receipt (state) WHERE state <> 'answered';

CREATE TABLE response (
  -- One row per response that is in no export yet: the line of the next export.
  record_key BLOB NOT NULL PRIMARY KEY REFERENCES raw_receipt (record_key),
  line       BLOB NOT NULL
) STRICT;

CREATE TABLE export (
  -- One row per export that was begun; of those not finished there is one at most.
  export_number INTEGER NOT NULL PRIMARY KEY,
  path          TEXT    NOT NULL,
  records       INTEGER NOT NULL,
  is_finished   INTEGER NOT NULL CHECK (is_finished IN (0, 1))
) STRICT;
