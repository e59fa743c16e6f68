-- Schema of state.db, version 1: everything the input files say, before any rule, and what the nights
-- keep. Private working storage: it holds customer ids as the exports name them. What the files say can be
-- rebuilt from the exports; publications, restatements and gates also stand in the warehouse. Times are
-- Unix milliseconds, UTC. Bodies are described in ChainPartCoding,
-- PriceReportCoding, ReportLinesCoding, LinkCoding and PlacedCoding; a checksum is the CRC-32 of the
-- row's keys and blobs, by which a row that a disk has changed is found.

-- One row: the number of this file's transactions, 32 digits. It is the first table, so it has the
-- second page of the file, and every transaction writes this page: LogAgreement compares the page in
-- the file with the page in the log.
CREATE TABLE transaction_number (
  only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
  number   TEXT    NOT NULL CHECK (length(number) = 32)
) STRICT;
INSERT INTO transaction_number VALUES (1, printf('%032d', 0));

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
  status          TEXT    NOT NULL CHECK (status = 'running' OR status = 'succeeded' OR status = 'failed'),
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
  kind               TEXT    NOT NULL
    CHECK (kind = 'receipts' OR kind = 'prices' OR kind = 'signed' OR kind = 'exports'
      OR kind = 'apple_reports'),
  name               TEXT    NOT NULL,  -- the path when it was first read
  status             TEXT    NOT NULL
    CHECK (status = 'used' OR status = 'refused' OR status = 'held' OR status = 'superseded'
      OR status = 'ignored'),
  refusal            TEXT,              -- why the whole file was refused; what an ignored one is
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
  latest_snapshot    INTEGER,           -- two days after it was read: a later snapshot is rejected
  receipt_records    INTEGER NOT NULL,  -- receipt responses and signed transactions
  receipt_rows       INTEGER NOT NULL,  -- their rows, every sighting counted
  field_mapping           TEXT    NOT NULL,  -- hash of the key names and unit it was read under; '' = standard
  reader_version     INTEGER NOT NULL,  -- of the reader; a newer one may read what this one could not
  first_run_id       INTEGER NOT NULL REFERENCES run (run_id),
  assumed_production INTEGER NOT NULL,  -- rows of which nothing names the store
  UNIQUE (sha256, kind),
  CHECK (records = used + duplicates + rejected),
  CHECK (status NOT IN ('refused', 'ignored') OR refusal IS NOT NULL),
  CHECK (status NOT IN ('used', 'held') OR refusal IS NULL)
) STRICT;

-- One row per file: what it speaks of, so that a night finds its news without a look at everything.
CREATE TABLE file_keys (
  file_id      INTEGER NOT NULL PRIMARY KEY REFERENCES input_file (file_id),
  reading      INTEGER NOT NULL,  -- drawn at random for each commit: another reading, another number
  chain_keys   BLOB    NOT NULL,  -- 8 bytes each, the least significant first, ascending
  evidence_ids BLOB    NOT NULL,  -- the same
  customers    BLOB    NOT NULL,  -- each with its first day, those included who bought nothing
  checksum     INTEGER NOT NULL
) STRICT;

-- One row per file that holds tokens, by the reading of it that counts.
CREATE TABLE signed_token (
  file_id  INTEGER NOT NULL PRIMARY KEY REFERENCES input_file (file_id),
  run_id   INTEGER NOT NULL REFERENCES run (run_id),  -- the run that read it so
  verified INTEGER NOT NULL,  -- signature right
  trusted  INTEGER NOT NULL,  -- believed without a look at the signature
  unsigned INTEGER NOT NULL,  -- decoded payloads without a signature
  rejected INTEGER NOT NULL
) STRICT;

-- One row per place and reason why a record or row could not be used.
CREATE TABLE reject (
  file_id     INTEGER NOT NULL REFERENCES input_file (file_id),
  line        INTEGER NOT NULL,
  reason_code TEXT    NOT NULL,
  detail      TEXT    NOT NULL,  -- without personal data
  PRIMARY KEY (file_id, line, reason_code)
) STRICT, WITHOUT ROWID;

-- One row per text that bodies name by number. Customer ids stand apart from all other texts, so
-- that erasing a customer is one UPDATE that touches nothing else.
CREATE TABLE symbol (
  symbol_id   INTEGER NOT NULL PRIMARY KEY,
  text        TEXT    NOT NULL,
  is_customer INTEGER NOT NULL CHECK (is_customer IN (0, 1)),
  UNIQUE (text, is_customer)
) STRICT;

-- One row per purchase chain and file that mentions it: the chain's records, rows and renewal
-- states in that file. Records without rows stand under chain_key 0. A file that does not fit into
-- memory has a row for each piece of it that speaks of the chain.
CREATE TABLE chain_part (
  chain_key INTEGER NOT NULL,  -- hash of the environment and the original transaction id
  file_id   INTEGER NOT NULL REFERENCES input_file (file_id),
  piece     INTEGER NOT NULL,  -- from 0
  body      BLOB    NOT NULL,
  checksum  INTEGER NOT NULL,
  PRIMARY KEY (chain_key, file_id, piece)
) STRICT, WITHOUT ROWID;

-- One row per price report and file that holds it.
CREATE TABLE price_report (
  evidence_id INTEGER NOT NULL,  -- identity of the report's content
  file_id     INTEGER NOT NULL REFERENCES input_file (file_id),
  body        BLOB    NOT NULL,
  checksum    INTEGER NOT NULL,
  PRIMARY KEY (evidence_id, file_id)
) STRICT, WITHOUT ROWID;

-- One row per file that is a report of App Store Connect; one without a line says that nothing was sold.
CREATE TABLE apple_report (
  file_id INTEGER NOT NULL PRIMARY KEY REFERENCES input_file (file_id),
  report  TEXT    NOT NULL
    CHECK (report = 'sales' OR report = 'subscriber' OR report = 'subscription_event'
      OR report = 'subscription' OR report = 'financial' OR report = 'finance_detail'
      OR report = 'analytics_event' OR report = 'analytics_state'),
  day     TEXT,              -- the commonest of its lines; NULL without a line
  lines   BLOB    NOT NULL,  -- its lines about in-app purchases
  checksum INTEGER NOT NULL
) STRICT;

-- One row per report, Apple ID and product id that stand in the same lines.
CREATE TABLE apple_number (
  file_id    INTEGER NOT NULL REFERENCES input_file (file_id),
  apple_id   TEXT    NOT NULL,
  product_id TEXT    NOT NULL,
  lines      INTEGER NOT NULL,
  PRIMARY KEY (file_id, apple_id, product_id)
) STRICT, WITHOUT ROWID;

-- One row per file on disk whose hash is known: while nothing here has changed, neither has its
-- content. Times are nanoseconds since 1970, as the file system tells them.
CREATE TABLE file_stamp (
  device   INTEGER NOT NULL,
  inode    INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  changed  INTEGER NOT NULL,
  sha256   TEXT    NOT NULL,
  PRIMARY KEY (device, inode)
) STRICT;

-- One row per file whose content was taken out again by its content and kind; it is not read again.
CREATE TABLE forgotten_file (
  sha256       TEXT    NOT NULL,
  kind         TEXT    NOT NULL
    CHECK (kind = 'receipts' OR kind = 'prices' OR kind = 'signed' OR kind = 'exports'
      OR kind = 'apple_reports'),
  name         TEXT    NOT NULL,  -- the path when it was first read
  export_date  TEXT,
  bytes        INTEGER NOT NULL,
  forgotten_at INTEGER NOT NULL,
  PRIMARY KEY (sha256, kind)
) STRICT;

-- One row per customer who was erased, whether or not a file has named it yet.
CREATE TABLE erased_customer (
  code      TEXT    NOT NULL PRIMARY KEY,  -- HMAC-SHA256 of the id under the setting erasure_secret
  erased_at INTEGER NOT NULL
) STRICT;

-- One row per run that published, so that it outlives a lost warehouse: the columns of audit_run.
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
  content_digest        TEXT    NOT NULL,
  state_generation      INTEGER NOT NULL,
  settings_sha256       TEXT    NOT NULL,
  catalogue_sha256      TEXT,
  rates_sha256          TEXT,
  reporting_currency    TEXT
) STRICT;

-- One row per run, published day and cause of a published figure that changed: as audit_restatement.
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

-- One row per run and published amount that the run changed: the columns of audit_change.
CREATE TABLE amount_change (
  run_id           INTEGER NOT NULL REFERENCES publication (run_id),
  purchase_key     INTEGER NOT NULL,
  old_paid_milli   INTEGER,
  new_paid_milli   INTEGER,
  old_currency     TEXT,
  new_currency     TEXT,
  old_price_rule   TEXT    NOT NULL,
  new_price_rule   TEXT,  -- NULL: the purchase is no revenue any more
  old_price_status TEXT    NOT NULL,
  new_price_status TEXT,
  cause            TEXT    NOT NULL,
  PRIMARY KEY (run_id, purchase_key)
) STRICT, WITHOUT ROWID;

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
  logged_at INTEGER NOT NULL,  -- when it was last logged
  PRIMARY KEY (stage, fault)
) STRICT, WITHOUT ROWID;

-- One row: the publication that the rows of link, claim, placed, vote and cell_row belong to. If the
-- warehouse has another one, all chains are decided.
CREATE TABLE last_publication (
  only_row       INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
  content_digest TEXT    NOT NULL,  -- of the published facts: audit_run.content_digest
  settings       TEXT    NOT NULL,  -- the settings and versions that they follow from
  sums           BLOB    NOT NULL,  -- prices, products and sums, as rows that filters write
  checksum       INTEGER NOT NULL
) STRICT;

-- One row per chain: its account, customers and products, and when time alone changes a row of it.
CREATE TABLE link (
  chain_key           INTEGER NOT NULL PRIMARY KEY,
  account_key         INTEGER NOT NULL,  -- the chain that represents its Apple account
  next_change_at      INTEGER,           -- NULL where nothing changes without new data
  is_on_later_charges INTEGER NOT NULL CHECK (is_on_later_charges IN (0, 1)),
  body                BLOB    NOT NULL,
  checksum            INTEGER NOT NULL
) STRICT;

-- One row per transaction id and chain that claims it.
CREATE TABLE claim (
  transaction_id INTEGER NOT NULL,  -- for an id that is a text: its symbol_id, negative
  chain_key      INTEGER NOT NULL,
  checksum       INTEGER NOT NULL,
  PRIMARY KEY (transaction_id, chain_key)
) STRICT, WITHOUT ROWID;

-- One row per price report that is used: its place, the purchase it names, the verdict on it.
CREATE TABLE placed (
  evidence_id INTEGER NOT NULL PRIMARY KEY,
  body        BLOB    NOT NULL,
  checksum    INTEGER NOT NULL
) STRICT;

-- One row per signed price that votes.
CREATE TABLE vote (
  chain_key   INTEGER NOT NULL,
  evidence_id INTEGER NOT NULL,
  body        BLOB    NOT NULL,
  checksum    INTEGER NOT NULL,
  PRIMARY KEY (chain_key, evidence_id)
) STRICT, WITHOUT ROWID;

-- One row per chain that Apple's reports may prove: its rows, each with its cell of the reports.
CREATE TABLE cell_row (
  chain_key INTEGER NOT NULL PRIMARY KEY,
  body      BLOB    NOT NULL,
  checksum  INTEGER NOT NULL
) STRICT;
