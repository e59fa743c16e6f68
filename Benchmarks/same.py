#!/usr/bin/env python3
"""Checks that all peers write equal tables.

Usage: same.py STORE, with the Python interpreter of the peers

Runs every peer on one store and compares all rows. `make bench` only compares counts and sums.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers"))
import tables  # noqa: E402

PEERS = ["python_orjson", "duckdb_sql", "polars_frames", "pandas_frames"]
SUMS = {
    "paid": """
        SELECT currency, price_status, COUNT(*), SUM(paid_milli), SUM(paid_reporting_micros)
        FROM fct_revenue GROUP BY 1, 2 ORDER BY 1, 2""",
    "entries": """
        SELECT entry_kind, currency, COUNT(*), SUM(amount_milli) FROM fct_revenue_entry
        GROUP BY 1, 2 ORDER BY 1, 2""",
    "conversions": """
        SELECT offer_kind, status, COUNT(*), SUM(days_to_convert), SUM(converted_paid_milli)
        FROM fct_conversion GROUP BY 1, 2 ORDER BY 1, 2"""}

def differences(one, other):
    """Yields a message for each difference between the tables of two databases."""
    for path in one, other:
        if not os.path.exists(path):
            yield f"{path} is missing"
            return
    database = sqlite3.connect(one)
    database.execute("ATTACH ? AS other", (other,))
    for table in tables.TABLES:
        for mine, theirs in ("main", "other"), ("other", "main"):
            rows = database.execute(
                f"SELECT * FROM {mine}.{table} EXCEPT SELECT * FROM {theirs}.{table}").fetchall()
            if rows:
                path = one if mine == "main" else other
                yield f"{table}: {len(rows)} rows only in {path}, for example {rows[0]}"
        counts = [
            database.execute(f"SELECT COUNT(*) FROM {schema}.{table}").fetchone()[0]
            for schema in ("main", "other")]
        if counts[0] != counts[1]:
            yield f"{table}: {counts[0]} rows in {one}, {counts[1]} in {other}"


def answers(path):
    """Row counts per table, and sums of amounts, entries and conversions.

    They are small enough to be compared after every round.
    """
    database = sqlite3.connect(path)
    found = {
        table: database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
        for table in tables.TABLES}
    for name, query in SUMS.items():
        found[name] = database.execute(query).fetchall()
    database.close()
    return found


def main(store):
    folder = os.path.dirname(tables.__file__)
    with tempfile.TemporaryDirectory() as scratch:
        paths = []
        for peer in PEERS:
            paths.append(f"{scratch}/{peer}.db")
            subprocess.run([sys.executable, f"{folder}/{peer}.py", store, paths[-1]], check=True)
        found = [text for path in paths[1:] for text in differences(paths[0], path)]
        counts = answers(paths[0])
    if found:
        sys.exit("\n".join(found))
    rows = sum(counts[table] for table in tables.TABLES)
    print(f"{len(PEERS)} peers wrote the same {rows:,} rows in {len(tables.TABLES)} tables")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(sys.argv[1])
