-- Schema of state.db, version 1: everything the input files say, before any rule.
-- Private working storage: it holds customer ids as the exports name them. It can always be rebuilt
-- from the exports. Times are Unix milliseconds, UTC. Bodies are described in ChainPartCoding and
-- PriceReportCoding.

-- One row: how often what the files say has changed.
CREATE TABLE generation (
  only_row   INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
  generation INTEGER NOT NULL  -- the warehouse records the one it was built from
) STRICT;
INSERT INTO generation VALUES (1, 0);

-- One row per setting that must outlive a run.
CREATE TABLE setting (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- One row per run of a stage or a pipeline, successful or not.
CREATE TABLE run (
  run_id          INTEGER NOT NULL PRIMARY KEY,
  kind            TEXT    NOT NULL,  -- run | backfill | full_refresh, or the stage that ran alone
  started_at      INTEGER NOT NULL,
  finished_at     INTEGER,           -- NULL while it runs, and for ever if it was killed
  status          TEXT    NOT NULL CHECK (status IN ('running', 'succeeded', 'failed')),
  exit_status     INTEGER,           -- NULL while it runs
  program_version TEXT    NOT NULL,
  rules_version   TEXT    NOT NULL,
  as_of           INTEGER,           -- given by hand, or decided by the run; NULL while unknown
  generation      INTEGER,           -- of the state that the run saw at its end
  message         TEXT,              -- why it failed, without personal data
  CHECK ((status = 'running') = (finished_at IS NULL))
) STRICT;

-- One row per input file by content and kind, whatever became of it.
CREATE TABLE input_file (
  file_id            INTEGER NOT NULL PRIMARY KEY,
  sha256             TEXT    NOT NULL,  -- of the bytes as they lay on disk, lower-case hex
  kind               TEXT    NOT NULL CHECK (kind IN ('receipts', 'prices')),
  name               TEXT    NOT NULL,  -- the path when it was first read
  status             TEXT    NOT NULL CHECK (status IN ('used', 'refused', 'held')),
  refusal            TEXT,              -- why the whole file was refused
  export_date        TEXT,              -- the day in its name; NULL where the name has none
  bytes              INTEGER NOT NULL,
  records            INTEGER NOT NULL,
  used               INTEGER NOT NULL,
  duplicates         INTEGER NOT NULL,
  rejected           INTEGER NOT NULL,
  newest_snapshot_at INTEGER,           -- of its receipt records; NULL where it has none
  receipt_records    INTEGER NOT NULL,  -- receipt responses among the used records
  receipt_rows       INTEGER NOT NULL,  -- their rows, every sighting counted
  first_run_id       INTEGER NOT NULL REFERENCES run (run_id),
  UNIQUE (sha256, kind),
  CHECK (records = used + duplicates + rejected),
  CHECK ((status = 'refused') = (refusal IS NOT NULL))
) STRICT;

-- One row per text that bodies name by number. Customer ids stand apart from all other texts, so
-- that erasing a customer is one UPDATE that touches nothing else.
CREATE TABLE symbol (
  symbol_id   INTEGER NOT NULL PRIMARY KEY,
  text        TEXT    NOT NULL,
  is_customer INTEGER NOT NULL CHECK (is_customer IN (0, 1)),
  UNIQUE (text, is_customer)
) STRICT;

-- One row per purchase chain and file that mentions it: the chain's records, rows and renewal
-- states in that file. Records without rows stand under chain_key 0.
CREATE TABLE chain_part (
  chain_key INTEGER NOT NULL,  -- hash of the environment and the original transaction id
  file_id   INTEGER NOT NULL REFERENCES input_file (file_id),
  body      BLOB    NOT NULL,
  PRIMARY KEY (chain_key, file_id)
) STRICT, WITHOUT ROWID;

-- One row per price report and file that holds it.
CREATE TABLE price_report (
  evidence_id INTEGER NOT NULL,  -- identity of the report's content
  file_id     INTEGER NOT NULL REFERENCES input_file (file_id),
  body        BLOB    NOT NULL,
  PRIMARY KEY (evidence_id, file_id)
) STRICT, WITHOUT ROWID;

-- One row per place and reason why a record or row could not be used.
CREATE TABLE reject (
  file_id     INTEGER NOT NULL REFERENCES input_file (file_id),
  line        INTEGER NOT NULL,
  reason_code TEXT    NOT NULL,
  detail      TEXT    NOT NULL,  -- without personal data
  PRIMARY KEY (file_id, line, reason_code)
) STRICT, WITHOUT ROWID;
