"""Shared by the tests of the Spark job: stores of exports, one machine's facts, Spark sessions.

PAIDLINE_BIN is the folder of the executables; if PAIDLINE_LONG is set, IS_LONG is true.
"""

import atexit
import gzip
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
JOB = REPOSITORY / "Pipelines/spark"
BIN = pathlib.Path(os.environ.get("PAIDLINE_BIN", REPOSITORY / ".build/debug")).resolve()
IS_LONG = "PAIDLINE_LONG" in os.environ

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYTHONPATH"] = str(JOB)
sys.path.insert(0, str(JOB))

import duckdb  # noqa: E402
import pyspark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import paidline_spark  # noqa: E402
from paidline_views import Schema  # noqa: E402

PIPELINE = """\
state: var/state.db
warehouse: warehouse.db
inputs:
  receipts: ["receipts/*.ndjson*"]
  prices: ["prices/*.ndjson*"]
  catalog: catalog.yaml
  rates: %s
gates: {rejected_share: off, no_usable_record: off, volume_drop: off, empty_file: off}
"""


class Store:
    """A folder with exports and a pipeline, which `paidline` can run on one machine."""

    def __init__(self, folder, customers=0):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        if customers:
            subprocess.run([BIN / "paidline-sample", folder, "--customers", str(customers)],
                           check=True, stdout=subprocess.DEVNULL)
        else:
            for name in ("receipts", "prices", "catalog.yaml"):
                source = REPOSITORY / "SampleData" / name
                (shutil.copytree if source.is_dir() else shutil.copy)(source, self.folder / name)
        self.pipeline = self.folder / "job.yaml"
        self.say()

    @classmethod
    def existing(cls, folder, pipeline):
        """Opens a store that already has a pipeline."""
        store = cls.__new__(cls)
        store.folder, store.pipeline = pathlib.Path(folder), pathlib.Path(folder) / pipeline
        return store

    def warehouse(self):
        """The path of warehouse.db."""
        return next(self.folder.rglob("warehouse.db"))

    def say(self, gates=None, more=""):
        """Writes the pipeline file; `gates` replaces the default gates, `more` is appended."""
        text = PIPELINE % (REPOSITORY / "SampleData/eurofxref-hist.csv")
        if gates is not None:
            text = text[:text.index("gates:")] + f"gates: {gates}\n"
        self.pipeline.write_text(text + more)

    def receipts(self):
        return sorted((self.folder / "receipts").iterdir())

    def share_an_id(self):
        """Sets the same customer id in every fifth record."""
        for path in self.receipts():
            lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
            for number in range(0, len(lines), 5):
                try:
                    record = json.loads(lines[number])
                except ValueError:
                    continue
                if isinstance(record, dict) and "customer_id" in record:
                    record["customer_id"] = "guest"
                    lines[number] = json.dumps(record).encode() + b"\n"
            path.write_bytes(gzip.compress(b"".join(lines)))

    def decide(self):
        """Runs `paidline` with fresh databases; returns the published tables."""
        for name in ("warehouse.db", "warehouse.db-wal", "warehouse.db-shm"):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "var", ignore_errors=True)
        subprocess.run([BIN / "paidline", "run", "-q", self.pipeline], check=True)
        return self.published()

    def published(self, kind="table"):
        """The rows of the warehouse's tables or views, keyed by name.

        What the warehouse keeps in a table and a cluster computes in a view is a view.
        """
        warehouse = sqlite3.connect(self.warehouse())
        views = Schema.of_program(BIN).views
        names = [name for name, in warehouse.execute(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'untyped_%'")
            if (name in views) == (kind == "view")]
        tables = {}
        for name in names:
            read = warehouse.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in read.description]
            tables[name] = Rows(columns, read.fetchall())
        warehouse.close()
        return tables


class Rows:
    """The rows of a table or view, to be compared regardless of their order."""

    # Columns whose values differ between runs or machines.
    OF_A_RUN = {"first_run_id", "changed_run_id", "run_id", "source_file_id", "started_at",
                "finished_at", "state_generation", "purchase_month"}

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows

    def comparable(self, leaving=()):
        """The columns and rows that must be equal on one machine and on Spark, sorted."""
        kept = sorted(
            (name, number) for number, name in enumerate(self.columns)
            if name not in self.OF_A_RUN and name not in leaving)
        rows = sorted(tuple(text_of(row[number]) for _, number in kept) for row in self.rows)
        return [name for name, _ in kept], rows


def text_of(value):
    """Formats a value so that those of SQLite, DuckDB and Spark can be compared."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def parquet_database(out):
    """Opens DuckDB with a view for each Parquet table in a folder."""
    database = duckdb.connect()
    database.execute("SET TimeZone = 'UTC'")
    for name in folders(out):
        database.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet("
                         f"'{out}/{name}/**/*.parquet', hive_types_autocast = false)")
    return database


def read_parquet(out):
    """Reads all Parquet tables in a folder with DuckDB."""
    database = parquet_database(out)
    tables = {name: rows_of(database, name) for name in folders(out)}
    database.close()
    return tables


def rows_of(database, name):
    """The rows of a table or view in DuckDB, with times as strings."""
    columns = database.execute(f'DESCRIBE "{name}"').fetchall()
    # Python cannot represent the year 1 with a time zone.
    read = ", ".join(
        f"strftime(\"{column}\" AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')"
        if "TIMESTAMP" in kind else f'"{column}"' for column, kind, *_ in columns)
    return Rows([column for column, *_ in columns],
                database.execute(f'SELECT {read} FROM "{name}"').fetchall())


def folders(out):
    return sorted(path.name for path in pathlib.Path(out).iterdir() if path.is_dir())


_session = {}


def session(master):
    """The Spark session of a master; ends a session of another master first."""
    if _session.get("master") != master:
        end_session()
        _session["spark"] = (
            SparkSession.builder.master(master).appName("paidline-test")
            .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.showConsoleProgress", "false")
            # One session runs hundreds of jobs; by default the driver keeps their plans for its UI.
            .config("spark.driver.memory", "2g").config("spark.sql.ui.retainedExecutions", "5")
            .config("spark.ui.retainedJobs", "20").config("spark.ui.retainedStages", "20")
            .config("spark.sql.shuffle.partitions", "4").getOrCreate())
        _session["master"] = master
        _session["spark"].sparkContext.setLogLevel("OFF")
    return _session["spark"]


def end_session():
    """Ends the session, and removes the files its executors left in the virtual environment."""
    if _session:
        _session["spark"].stop()
        _session.clear()
    shutil.rmtree(pathlib.Path(pyspark.__file__).parent / "work", ignore_errors=True)


atexit.register(end_session)


class SparkCase(unittest.TestCase):
    """A test with a Spark session, a folder for stores, and an output folder."""

    master = "local[2]"

    def setUp(self):
        self.spark = session(self.master)
        folder = tempfile.TemporaryDirectory(prefix="paidline-spark-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def run_job(self, store, partitions, bin_folder=BIN, installed=True, **options):
        return paidline_spark.run(
            self.spark, str(store.pipeline), str(self.out), str(bin_folder), partitions,
            installed=installed, **options)

    def assert_the_facts_of(self, decided):
        """Asserts that every table equals that of one machine."""
        found = read_parquet(self.out)
        self.assertEqual(sorted(found), sorted(decided))
        for name in decided:
            # Empty on a cluster, which does not count people without purchases (Docs/cluster.md).
            if name == "customers_daily":
                continue
            with self.subTest(table=name):
                self.assertEqual(found[name].comparable(), decided[name].comparable())

    def wrapped(self, name, script):
        """Makes a folder of executables with a script in place of one; `$real` is the original."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        for program in ("paidline", "paidline-ingest", "paidline-reconstruct"):
            if not (folder / program).exists():
                (folder / program).symlink_to(BIN / program)
        (folder / name).unlink()
        (folder / name).write_text(
            f"#!/bin/sh\nreal='{BIN / name}'\nfolder='{self.folder}'\n{script}\n")
        (folder / name).chmod(0o755)
        return folder
