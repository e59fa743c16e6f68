"""SQLite through ADBC, which takes whole columns: how the peers with data frames write."""

from contextlib import contextmanager

import adbc_driver_sqlite.dbapi

import tables


@contextmanager
def written(output):
    """A connection to a new database with empty tables, without journal and sync; on leaving what
    was written is committed and the indexes are made."""
    tables.created(output).execute("COMMIT")
    with adbc_driver_sqlite.dbapi.connect(output, autocommit=True) as database:
        with database.cursor() as cursor:
            for pragma in "journal_mode", "synchronous":
                cursor.execute(f"PRAGMA {pragma} = OFF")
                cursor.fetchall()
        # PRAGMAs need to stand outside of a transaction; one of ADBC's own holds all rows.
        database.adbc_connection.set_autocommit(False)
        yield database
        database.adbc_connection.commit()
    tables.index(output)
