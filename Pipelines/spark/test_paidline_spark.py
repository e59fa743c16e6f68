"""Paidline on Spark gives the facts of one machine: run by `make test-spark`.

PAIDLINE_BIN names the folder of the executables, PAIDLINE_SPARK_MASTER another master than
local[2], and PAIDLINE_LONG asks for the larger stores and for 200 partitions.
"""

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

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
BIN = pathlib.Path(os.environ.get("PAIDLINE_BIN", REPOSITORY / ".build/debug")).resolve()
IS_LONG = "PAIDLINE_LONG" in os.environ

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYTHONPATH"] = str(HERE)

import duckdb  # noqa: E402
import pyarrow as pa  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import paidline_filters  # noqa: E402
import paidline_spark  # noqa: E402

PIPELINE = """\
state: var/state.db
warehouse: warehouse.db
inputs:
  receipts: ["receipts/*.ndjson*"]
  prices: ["prices/*.ndjson*"]
  catalog: catalog.yaml
gates: {rejected_share: off, no_usable_record: off, volume_drop: off, empty_file: off}
"""


class Store:
    """A folder with exports and a pipeline, decided on one machine."""

    def __init__(self, folder, customers=0):
        self.folder = pathlib.Path(folder)
        if customers:
            subprocess.run([BIN / "paidline-sample", folder, "--customers", str(customers)],
                           check=True, stdout=subprocess.DEVNULL)
        else:
            for name in ("receipts", "prices", "catalog.yaml"):
                source = REPOSITORY / "SampleData" / name
                (shutil.copytree if source.is_dir() else shutil.copy)(source, self.folder / name)
        self.pipeline = self.folder / "job.yaml"
        self.pipeline.write_text(PIPELINE)

    def share_an_id(self):
        """One customer id in a fifth of all records."""
        for path in (self.folder / "receipts").iterdir():
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
        """The digest and the rows of each table on one machine."""
        subprocess.run([BIN / "paidline", "run", "-q", self.pipeline], check=True)
        warehouse = sqlite3.connect(self.folder / "warehouse.db")
        digest, = warehouse.execute("SELECT content_digest FROM audit_run").fetchone()
        counts = {name: warehouse.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                  for name in ("fct_revenue", "fct_revenue_entry", "fct_conversion",
                               "price_evidence", "bridge_transaction_id", "rejected_record",
                               "audit_file")}
        sums = warehouse.execute(
            "SELECT sum(paid_milli), min(purchased_at), max(purchased_date) FROM fct_revenue"
        ).fetchone()
        warehouse.close()
        return digest, counts, sums


class SparkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        master = os.environ.get("PAIDLINE_SPARK_MASTER", "local[2]")
        cls.spark = (
            SparkSession.builder.master(master).appName("paidline-test")
            .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "4").getOrCreate())
        cls.spark.sparkContext.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="paidline-spark-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def run_job(self, store, partitions):
        return paidline_spark.run(
            self.spark, str(store.pipeline), str(self.out), str(BIN), partitions,
            installed=partitions > 1)

    def published(self):
        """The digest and the rows of each table, as DuckDB reads them."""
        def ask(table, what):
            return duckdb.sql(
                f"SELECT {what} FROM read_parquet('{self.out}/{table}/**/*.parquet')").fetchall()

        digest = ask("audit_run", "content_digest")[0][0]
        counts = {name: ask(name, "count(*)")[0][0]
                  for name in ("fct_revenue", "fct_revenue_entry", "fct_conversion",
                               "price_evidence", "bridge_transaction_id", "rejected_record",
                               "audit_file")}
        sums = ask("fct_revenue", "sum(paid_milli)::BIGINT, "
                   "strftime(min(purchased_at), '%Y-%m-%dT%H:%M:%SZ'), "
                   "strftime(max(purchased_date), '%Y-%m-%d')")[0]
        return digest, counts, sums

    def test_the_sample_has_the_facts_of_one_machine(self):
        store = Store(self.folder)
        decided = store.decide()
        self.assertGreater(decided[1]["fct_revenue"], 400)
        # The second and later runs go to the place of the first.
        for partitions in [1, 2, 7] + ([200] if IS_LONG else []):
            with self.subTest(partitions=partitions):
                self.assertEqual(self.run_job(store, partitions), decided[0])
                self.assertEqual(self.published(), decided)

    def test_an_id_that_a_fifth_of_all_records_share_changes_nothing(self):
        store = Store(self.folder, customers=3000 if IS_LONG else 60)
        store.share_an_id()
        decided = store.decide()
        self.assertEqual(self.run_job(store, 7 if IS_LONG else 3), decided[0])
        self.assertEqual(self.published(), decided)

    def test_a_cut_archive_fails_the_job_which_names_it_and_leaves_the_last_output(self):
        store = Store(self.folder, customers=10)
        digest = self.run_job(store, 1)
        cut = sorted((store.folder / "receipts").iterdir())[0]
        cut.write_bytes(cut.read_bytes()[:-9])
        with self.assertRaises(Exception) as failed:
            self.run_job(store, 1)
        self.assertIn(cut.name, str(failed.exception))
        self.assertIn("ended with 65", str(failed.exception))
        self.assertEqual(self.published()[0], digest)

    def test_a_failed_data_test_leaves_the_last_output(self):
        store = Store(self.folder, customers=10)
        digest = self.run_job(store, 1)
        tests = paidline_spark.tables.Schema.__init__

        def with_a_test_that_fails(schema, rows):
            tests(schema, rows)
            schema.tests.append(
                ("planted", "error", "It is planted.", "SELECT 1 FROM fct_revenue"))

        paidline_spark.tables.Schema.__init__ = with_a_test_that_fails
        try:
            with self.assertRaisesRegex(paidline_spark.tables.DataTestFailed, "planted: "):
                self.run_job(store, 1)
        finally:
            paidline_spark.tables.Schema.__init__ = tests
        self.assertEqual(self.published()[0], digest)
        self.assertFalse((self.out / "_next").exists())


class FilterTests(unittest.TestCase):
    """What becomes of a filter, and of what feeds it, that fails."""

    @staticmethod
    def batch(*lines):
        return pa.RecordBatch.from_pydict({
            "tag": [line.split("\t")[0] for line in lines],
            "key": [line.split("\t")[1] for line in lines], "line": list(lines)})

    def run_script(self, script, batches):
        found = paidline_filters.Filter("sh", "/bin/sh", ["-c", script], ["part"])
        return [line for batch in found.rows(batches)
                for line in batch.column("line").to_pylist()]

    def test_rows_pass_through_and_are_counted(self):
        lines = ["part\t1\té", "part\t2\t\\N"]
        self.assertEqual(self.run_script("cat", [self.batch(*lines)]), lines)

    def test_a_slice_of_a_batch_is_what_is_fed(self):
        batch = self.batch("part\t1", "part\t2", "part\t3", "part\t4")
        self.assertEqual(self.run_script("cat", [batch.slice(1, 2)]), ["part\t2", "part\t3"])

    def test_an_empty_partition_starts_no_process(self):
        self.assertEqual(self.run_script("exit 7", []), [])

    def test_a_filter_that_fails_is_told_with_its_words(self):
        for script in ("echo why >&2; cat > /dev/null; exit 7", "echo why >&2; exit 7"):
            with self.assertRaisesRegex(paidline_filters.FilterFailed, "ended with 7: why"):
                self.run_script(script, [self.batch("part\t1")] * 100_000)

    def test_a_row_that_is_missing_is_noticed(self):
        with self.assertRaisesRegex(paidline_filters.FilterFailed, "rows are missing"):
            self.run_script("grep -v '^part.1'", [self.batch("part\t1", "part\t2")])

    def test_what_feeds_a_filter_fails_it_and_hangs_nothing(self):
        def dying():
            yield self.batch("part\t1")
            raise ValueError("the feeder died")

        with self.assertRaisesRegex(ValueError, "the feeder died"):
            self.run_script("cat > /dev/null", dying())


if __name__ == "__main__":
    unittest.main(verbosity=2)
