-- Schema of state.db, step from version 1 to 2: what was taken out again, and which files need not
-- be read to be recognised.

-- One row per customer who was erased, whether or not a file has named it yet.
CREATE TABLE erased_customer (
  code      TEXT    NOT NULL PRIMARY KEY,  -- HMAC-SHA256 of the id under the setting erasure_secret
  erased_at INTEGER NOT NULL
) STRICT;

-- One row per file whose content was taken out again by its content and kind; it is not read again.
CREATE TABLE forgotten_file (
  sha256       TEXT    NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('receipts', 'prices')),
  name         TEXT    NOT NULL,  -- the path when it was first read
  export_date  TEXT,
  bytes        INTEGER NOT NULL,
  forgotten_at INTEGER NOT NULL,
  PRIMARY KEY (sha256, kind)
) STRICT;

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
