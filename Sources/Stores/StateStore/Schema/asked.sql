CREATE TABLE question (
  -- One row per question: a raw receipt, the history of a chain, the notifications of an environment.
  service       TEXT    NOT NULL CHECK (service IN ('receipts', 'histories', 'notifications')),
  key           BLOB    NOT NULL, -- SHA-256 of the record; original_transaction_id; environment
  state         TEXT    NOT NULL CHECK (state IN ('pending', 'answered', 'covered', 'rejected')),
  at_ms         INTEGER NOT NULL, -- when this was last decided, or the end of the span of notifications
  reason        TEXT,             -- why it is pending or rejected, as a stable word
  doubtful_runs INTEGER NOT NULL, -- runs in which the response was 21002
  environment   TEXT,             -- which environment knows the chain
  cursor        TEXT,             -- Apple's token for the next page
  lead          BLOB,             -- the chain whose history has this chain
  since_ms      INTEGER,          -- the start of the span of notifications; times are Unix milliseconds, UTC
  file_name     TEXT,             -- where the receipt was last seen
  line          INTEGER,          -- its line there, from 1
  PRIMARY KEY (service, key),
  CHECK (state <> 'answered' OR reason IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX question_unanswered ON question (service) WHERE state IN ('pending', 'rejected');

CREATE TABLE response (
  -- One row per response that is in no export yet: a line of the next export.
  response_number INTEGER NOT NULL PRIMARY KEY, -- in the order of arrival
  service         TEXT    NOT NULL,
  key             BLOB    NOT NULL, -- as in question; of prices, the path and query of the page
  received_at_ms  INTEGER NOT NULL,
  line            BLOB    NOT NULL
) STRICT;

CREATE INDEX response_by_key ON response (service, key);

CREATE TABLE export (
  -- One row per export that was begun; of those not finished, a service has one at most.
  service       TEXT    NOT NULL,
  export_number INTEGER NOT NULL,
  path          TEXT    NOT NULL,
  is_finished   INTEGER NOT NULL CHECK (is_finished IN (0, 1)),
  PRIMARY KEY (service, export_number)
) STRICT;
