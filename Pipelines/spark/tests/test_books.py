"""Apple's reports prove the same amounts, and are compared with the same facts, on Spark."""

import gzip
import subprocess
import unittest

from spark_case import BIN, SparkCase, Store, parquet_database, rows_of
from paidline_views import Schema, statements


class BookTests(SparkCase):
    def store(self):
        """A store with three of Apple's reports per day; 5 % of the customers have no receipt."""
        folder = self.folder / "store"
        subprocess.run([BIN / "paidline-sample", folder, "--customers", "150", "--books",
                        "--missing-receipts", "50"], check=True, stdout=subprocess.DEVNULL)
        return Store.existing(folder, "pipeline.yaml")

    def test_what_reports_prove_in_1_and_7_partitions(self):
        store = self.store()
        decided = store.decide()
        rules = [row[decided["fct_revenue"].columns.index("price_rule")]
                 for row in decided["fct_revenue"].rows]
        self.assertGreater(rules.count("apple_report"), 1000)
        self.assertGreater(len(decided["audit_reconciliation"].rows), 400)
        digest = decided["audit_run"].rows[0][decided["audit_run"].columns.index("content_digest")]
        for partitions in (1, 7):
            with self.subTest(partitions=partitions):
                self.assertEqual(self.run_job(store, partitions), digest)
                self.assert_the_facts_of(decided)

    def test_the_views_in_duckdb(self):
        store = self.store()
        store.decide()
        self.run_job(store, 2)
        database = parquet_database(self.out)
        for statement in statements(Schema.of_program(BIN), "duckdb"):
            database.execute(statement)
        views = store.published("view")
        self.assertGreater(len(views["reconciliation_monthly"].rows), 20)
        for name, rows in views.items():
            with self.subTest(view=name):
                self.assertEqual(rows_of(database, name).comparable(), rows.comparable())

    def test_a_day_that_apple_issues_anew_and_one_without_sales(self):
        store = self.store()
        reports = sorted((store.folder / "apple").iterdir())
        sold = [path for path in reports if path.name.startswith("sales-")
                and gzip.decompress(path.read_bytes()).count(b"\n") > 1]
        anew, empty = sold[40], sold[50]
        lines = gzip.decompress(anew.read_bytes()).splitlines(keepends=True)
        # Of two reports of one day, the one with the last name is used: it has one line less.
        # A report with only a header means that nothing was sold.
        (anew.parent / anew.name.replace("sales-", "sales-b-")).write_bytes(
            gzip.compress(b"".join(lines[:-1])))
        empty.write_bytes(gzip.compress(
            gzip.decompress(empty.read_bytes()).splitlines(keepends=True)[0]))
        # The same report under two names is used once.
        (sold[60].parent / ("a-" + sold[60].name)).write_bytes(sold[60].read_bytes())
        decided = store.decide()
        self.run_job(store, 3)
        self.assert_the_facts_of(decided)


if __name__ == "__main__":
    unittest.main(verbosity=2)
