-- Schema of state.db, step from version 8 to 9: what each file speaks of, so that a night finds its
-- news without a look at everything. Files that were read before have no row.

CREATE TABLE file_keys (
  file_id      INTEGER NOT NULL PRIMARY KEY REFERENCES input_file (file_id),
  reading      INTEGER NOT NULL,  -- drawn at random for each commit: another reading, another number
  chain_keys   BLOB    NOT NULL,  -- 8 bytes each, the least significant first, ascending
  evidence_ids BLOB    NOT NULL   -- the same
) STRICT;
