-- Schema of state.db, step from version 4 to 5: files whose place another content has taken, how each
-- file was read, the account of its rows; what the gates found, and which faults stand.

CREATE TABLE former_input_file AS SELECT * FROM input_file;
DROP TABLE input_file;

-- One row per input file by content and kind, whatever became of it.
CREATE TABLE input_file (
  file_id            INTEGER NOT NULL PRIMARY KEY,
  sha256             TEXT    NOT NULL,  -- of the bytes as they lay on disk, lower-case hex
  kind               TEXT    NOT NULL CHECK (kind IN ('receipts', 'prices')),
  name               TEXT    NOT NULL,  -- the path when it was first read
  status             TEXT    NOT NULL
    CHECK (status IN ('used', 'refused', 'held', 'superseded')),
  refusal            TEXT,              -- why the whole file was refused
  export_date        TEXT,              -- the day in its name; NULL where the name has none
  bytes              INTEGER NOT NULL,
  records            INTEGER NOT NULL,
  used               INTEGER NOT NULL,
  duplicates         INTEGER NOT NULL,
  rejected           INTEGER NOT NULL,
  used_rows          INTEGER NOT NULL,  -- rows and renewal states of responses
  duplicate_rows     INTEGER NOT NULL,  -- in_app rows that a latest row repeats
  rejected_rows      INTEGER NOT NULL,
  newest_snapshot_at INTEGER,           -- of its receipt records; NULL where it has none
  receipt_records    INTEGER NOT NULL,  -- receipt responses among the used records
  receipt_rows       INTEGER NOT NULL,  -- their rows, every sighting counted
  spelling           TEXT    NOT NULL,  -- hash of the key names and unit it was read under; '' = standard
  reader_version     INTEGER NOT NULL,  -- of the reader; a newer one may read what this one could not
  first_run_id       INTEGER NOT NULL REFERENCES run (run_id),
  UNIQUE (sha256, kind),
  CHECK (records = used + duplicates + rejected),
  CHECK (status <> 'refused' OR refusal IS NOT NULL),
  CHECK (status NOT IN ('used', 'held') OR refusal IS NULL)
) STRICT;
INSERT INTO input_file
SELECT file_id, sha256, kind, name, status, refusal, export_date, bytes, records, used, duplicates,
  rejected, receipt_rows, 0, 0, newest_snapshot_at, receipt_records, receipt_rows, '', 1,
  first_run_id
FROM former_input_file;
DROP TABLE former_input_file;

-- One row per run and gate that tripped; the columns are those of audit_gate, and who judged.
CREATE TABLE gate (
  run_id   INTEGER NOT NULL,
  judge    TEXT    NOT NULL DEFAULT '',  -- files | facts | data_tests; '' = known from the warehouse
  gate     TEXT    NOT NULL,
  severity TEXT    NOT NULL,
  subject  TEXT    NOT NULL,
  found    TEXT    NOT NULL,
  expected TEXT    NOT NULL,
  PRIMARY KEY (run_id, gate, subject)
) STRICT, WITHOUT ROWID;

-- One row per fault that stands, so that a night can tell an old one from a new one.
CREATE TABLE standing_fault (
  stage   TEXT    NOT NULL,  -- the stage that finds it: ingest | reconstruct
  fault   TEXT    NOT NULL,  -- what it is, the same every night
  message TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  told_at INTEGER NOT NULL,  -- when it was last said on standard error
  PRIMARY KEY (stage, fault)
) STRICT, WITHOUT ROWID;
