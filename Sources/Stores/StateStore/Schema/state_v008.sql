-- Schema of state.db, step from version 7 to 8: what became of signed transactions. Files that were
-- read before have no row.

-- One row per file that holds tokens, by the reading of it that counts.
CREATE TABLE signed_token (
  file_id  INTEGER NOT NULL PRIMARY KEY REFERENCES input_file (file_id),
  run_id   INTEGER NOT NULL REFERENCES run (run_id),  -- the run that read it so
  verified INTEGER NOT NULL,  -- signature right
  trusted  INTEGER NOT NULL,  -- believed without a look at the signature
  unsigned INTEGER NOT NULL,  -- decoded payloads without a signature
  rejected INTEGER NOT NULL
) STRICT;
