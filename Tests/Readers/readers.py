"""Opens a warehouse with sqlite3, Python, DuckDB and Datasette; all must read the same data.

Usage: readers.py WAREHOUSE METADATA
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import yaml

SUMS = "SELECT currency, count(1), SUM(paid_milli) FROM fct_revenue GROUP BY 1 ORDER BY 1"


def main(warehouse, metadata):
    python = sqlite3.connect(f"file:{warehouse}?mode=ro", uri=True)
    names = [name for (name,) in python.execute(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'untyped_%' ORDER BY name")]
    counts = {name: python.execute(f"SELECT count(1) FROM {name}").fetchone()[0] for name in names}
    sums = python.execute(SUMS).fetchall()
    check(len(names) >= 34, f"expected 34 tables and views or more; found {len(names)}")
    check(counts["fct_revenue"] > 0, "fct_revenue is empty")

    shell(warehouse, sums)
    duckdb(warehouse, python, counts, sums)
    parquet(warehouse, counts, sums)
    datasette(warehouse, metadata, counts)
    print(f"{len(names)} tables and views read by sqlite3, Python, DuckDB and Datasette")


def shell(warehouse, sums):
    """The `sqlite3` command computes the same sums."""
    answer = run(["sqlite3", "-readonly", "-json", warehouse, SUMS])
    rows = [tuple(row.values()) for row in json.loads(answer)]
    check(rows == sums, f"sqlite3 returns {rows}, Python {sums}")


def duckdb(warehouse, python, counts, sums):
    """DuckDB finds the same tables and views, rows, types and answers."""
    duck = connected()
    duck.execute(f"ATTACH '{warehouse}' AS warehouse (TYPE sqlite, READ_ONLY)")
    duck.execute("USE warehouse")
    listed = {row[0] for row in duck.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'warehouse' "
        "UNION SELECT view_name FROM duckdb_views() WHERE database_name = 'warehouse'").fetchall()}
    listed = {name for name in listed if not name.startswith("untyped_")}
    check(listed == set(counts), f"tables that only SQLite or only DuckDB lists: {listed ^ set(counts)}")
    kinds = {}
    for name in counts:
        rows = python.execute(f"SELECT * FROM {name}").fetchall()
        found = duck.execute(f"SELECT * FROM {name}").fetchall()
        check(found == rows or sorted(found, key=str) == sorted(rows, key=str),
              f"{name}: DuckDB finds other rows than SQLite")
        for place, column in enumerate(duck.execute(f"DESCRIBE {name}").fetchall()):
            kinds.setdefault(column[0], {}).setdefault(column[1], []).append(name)
            values = {type(row[place]) for row in rows} - {type(None)}
            wanted = {"BIGINT": {int}, "DOUBLE": {float}, "VARCHAR": {str}}.get(column[1], set())
            check(values <= wanted, f"{name}.{column[0]} is {column[1]} in DuckDB, not {values}")
    # A column without values has the type that columns of its name have elsewhere.
    for column, found in kinds.items():
        check(len(found) == 1, f"{column} has several types in DuckDB: {found}")
    answers(duck, python)
    rows = duck.execute(SUMS.replace("SUM(paid_milli)", "CAST(SUM(paid_milli) AS BIGINT)")).fetchall()
    check(sorted(rows, key=str) == sorted(sums, key=str), f"DuckDB returns {rows}, Python {sums}")
    # Amounts must stay integers; floating point would round them.
    types = dict(row[:2] for row in duck.execute("DESCRIBE fct_revenue").fetchall())
    check(types["paid_milli"] == "BIGINT", f"paid_milli is {types['paid_milli']} in DuckDB")


def answers(duck, python):
    """The queries of the page of answers give the same in DuckDB and in SQLite."""
    page = (Path(__file__).parents[2] / "Docs/analysts/answers.md").read_text()
    queries = re.findall(r"```sql\n(.*?);\n```", page, re.DOTALL)
    check(len(queries) >= 14, f"the page has {len(queries)} queries")
    for query in queries:
        wanted = python.execute(query).fetchall()
        found = duck.execute(query).fetchall()
        check(wanted != [], f"no rows: {query}")
        check(sorted(map(rounded, found)) == sorted(map(rounded, wanted)),
              f"DuckDB and SQLite answer otherwise: {query}")


def rounded(row):
    """The cells as text, numbers with six digits: DuckDB sums in decimals, SQLite in doubles."""
    return [str(cell) if isinstance(cell, str) or cell is None else f"{float(cell):.6g}" for cell in row]


def connected():
    """DuckDB with the extension for SQLite."""
    import duckdb
    from duckdb_extensions import import_extension

    import_extension("sqlite_scanner")
    duck = duckdb.connect()
    duck.execute("LOAD sqlite_scanner")
    return duck


def parquet(warehouse, counts, sums):
    """The statements of the page about Parquet write what the warehouse holds, a second time too."""
    page = (Path(__file__).parents[2] / "Docs/analysts/parquet.md").read_text()
    lines = re.search(r"```sql\n(.*?)```", page, re.DOTALL)[1].splitlines()
    check(len(lines) == 3, f"the page has {len(lines)} statements")
    (warehouse, here) = (Path(warehouse).resolve(), os.getcwd())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        duck = connected()
        for line in [*lines, lines[-1]]:
            duck.execute(line.replace("'warehouse.db'", f"'{warehouse}'"))
        days = duck.execute("SELECT count(1) FROM 'revenue_daily.parquet'").fetchone()[0]
        check(days == counts["revenue_daily"], f"{days} days in Parquet")
        facts = "read_parquet('fct_revenue/*/*.parquet')"
        query = SUMS.replace("fct_revenue", facts).replace("SUM(", "CAST(SUM(")
        rows = duck.execute(query.replace("paid_milli)", "paid_milli) AS BIGINT)")).fetchall()
        check(sorted(rows, key=str) == sorted(sums, key=str), f"Parquet has {rows}, Python {sums}")
        wrong = duck.execute(
            f"SELECT count(1) FROM {facts} WHERE strftime(purchased_date::DATE, '%Y-%m') "
            "<> purchase_month OR purchased_at::TIMESTAMPTZ IS NULL").fetchone()[0]
        check(wrong == 0, f"{wrong} rows of Parquet are in the folder of another month")
        os.chdir(here)


def datasette(warehouse, metadata, counts):
    """Datasette shows every table, the descriptions, and rows for each canned query."""
    database = Path(warehouse).stem
    settings = yaml.safe_load(Path(metadata).read_text())["databases"][database]

    def get(path):
        program = Path(sysconfig.get_path("scripts")) / "datasette"
        return run([str(program), warehouse, "--metadata", metadata, "--get", path])

    page = get(f"/{database}")
    for name in counts:
        check(f"/{database}/{name}" in page, f"Datasette does not show {name}")
    table = get(f"/{database}/fct_revenue")
    meaning = settings["tables"]["fct_revenue"]["columns"]["paid_milli"]
    check(meaning.split(",")[0] in table, "Datasette does not describe paid_milli")
    check(set(settings["tables"]) == set(counts),
          "tables only in the metadata or only in the warehouse: "
          f"{set(settings['tables']) ^ set(counts)}")
    for name in settings["queries"]:
        answer = json.loads(get(f"/{database}/{name}.json?_shape=objects"))
        check(answer["ok"], f"the canned query {name} failed: {answer.get('error')}")
        check(answer["rows"] or name.startswith("restated"), f"the canned query {name} returns no rows")


def run(arguments):
    ended = subprocess.run(arguments, capture_output=True, text=True, check=False)
    check(ended.returncode == 0, f"{arguments} exited with {ended.returncode}: {ended.stderr}")
    return ended.stdout


def check(is_right, message):
    if not is_right:
        raise SystemExit(message)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
