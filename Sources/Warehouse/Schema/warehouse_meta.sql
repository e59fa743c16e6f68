DELETE FROM meta_column;
