-- Schema of state.db, step from version 9 to 10: Apple's reports. The lists of kinds grow, for which
-- SQLite needs the tables built anew.

CREATE TABLE former_input_file AS SELECT * FROM input_file;
DROP TABLE input_file;

-- One row per input file by content and kind, whatever became of it.
CREATE TABLE input_file (
  file_id            INTEGER NOT NULL PRIMARY KEY,
  sha256             TEXT    NOT NULL,  -- of the bytes as they lay on disk, lower-case hex
  kind               TEXT    NOT NULL CHECK (kind IN ('receipts', 'prices', 'signed', 'apple_reports')),
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
  receipt_records    INTEGER NOT NULL,  -- receipt responses and signed transactions
  receipt_rows       INTEGER NOT NULL,  -- their rows, every sighting counted
  spelling           TEXT    NOT NULL,  -- hash of the key names and unit it was read under; '' = standard
  reader_version     INTEGER NOT NULL,  -- of the reader; a newer one may read what this one could not
  first_run_id       INTEGER NOT NULL REFERENCES run (run_id),
  UNIQUE (sha256, kind),
  CHECK (records = used + duplicates + rejected),
  CHECK (status <> 'refused' OR refusal IS NOT NULL),
  CHECK (status NOT IN ('used', 'held') OR refusal IS NULL)
) STRICT;
INSERT INTO input_file SELECT * FROM former_input_file;
DROP TABLE former_input_file;

CREATE TABLE former_forgotten_file AS SELECT * FROM forgotten_file;
DROP TABLE forgotten_file;

-- One row per file whose content was taken out again by its content and kind; it is not read again.
CREATE TABLE forgotten_file (
  sha256       TEXT    NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('receipts', 'prices', 'signed', 'apple_reports')),
  name         TEXT    NOT NULL,  -- the path when it was first read
  export_date  TEXT,
  bytes        INTEGER NOT NULL,
  forgotten_at INTEGER NOT NULL,
  PRIMARY KEY (sha256, kind)
) STRICT;
INSERT INTO forgotten_file SELECT * FROM former_forgotten_file;
DROP TABLE former_forgotten_file;

-- One row per file that is a report of App Store Connect; one without a line says that nothing was sold.
CREATE TABLE apple_report (
  file_id INTEGER NOT NULL PRIMARY KEY REFERENCES input_file (file_id),
  report  TEXT    NOT NULL
    CHECK (report IN ('sales', 'subscriber', 'subscription_event', 'subscription', 'financial'))
) STRICT;

-- One row per line of a report of App Store Connect that tells of an in-app purchase.
CREATE TABLE apple_report_line (
  file_id          INTEGER NOT NULL REFERENCES input_file (file_id),
  line             INTEGER NOT NULL,  -- of the inflated file, from 1, the header's
  report           TEXT    NOT NULL
    CHECK (report IN ('sales', 'subscriber', 'subscription_event', 'subscription', 'financial')),
  event_date       TEXT    NOT NULL,
  product_id       TEXT,
  apple_id         TEXT,
  storefront       TEXT    NOT NULL,
  currency         TEXT,              -- NULL in a report without prices
  units            INTEGER NOT NULL,
  unit_price_milli INTEGER,
  amount_milli     INTEGER NOT NULL,
  offer            TEXT,
  is_renewal       INTEGER CHECK (is_renewal IN (0, 1)),
  is_refund        INTEGER NOT NULL CHECK (is_refund IN (0, 1)),
  is_preserved     INTEGER CHECK (is_preserved IN (0, 1)),
  purchase_date    TEXT,
  subscriber       TEXT,
  PRIMARY KEY (file_id, line)
) STRICT, WITHOUT ROWID;
