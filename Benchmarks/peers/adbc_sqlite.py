"""Writes SQLite through ADBC, which inserts whole columns; used by the peers with data frames."""

from contextlib import contextmanager

import adbc_driver_sqlite.dbapi

import tables


@contextmanager
def written(output):
    """Connects to a new database with empty tables, without journal and sync.

    On exit it commits the rows and creates the indexes.
    """
    tables.created(output).execute("COMMIT")
    with adbc_driver_sqlite.dbapi.connect(output, autocommit=True) as database:
        with database.cursor() as cursor:
            for pragma in "journal_mode", "synchronous":
                cursor.execute(f"PRAGMA {pragma} = OFF")
                cursor.fetchall()
        # PRAGMAs must run outside of a transaction; all rows are inserted in one transaction of ADBC.
        database.adbc_connection.set_autocommit(False)
        yield database
        database.adbc_connection.commit()
    tables.index(output)
