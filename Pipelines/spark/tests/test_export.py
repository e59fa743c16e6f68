"""`paidline export --format parquet` on one machine writes the same tables as the Spark job."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from spark_case import BIN, SparkCase, Store, parquet_database, read_parquet, rows_of
from paidline_views import Schema, statements


class ExportTests(SparkCase):
    def export(self, store, *more):
        # `paidline export` must use the duckdb module of the Python that runs the test.
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        subprocess.run(
            [BIN / "paidline", "export", store.pipeline, "--format", "parquet", "--output",
             self.folder / "exported", *more], check=True, env=os.environ | {"PATH": path})
        return self.folder / "exported"

    def columns(self, out):
        database = parquet_database(out)
        return {name: sorted(database.execute(f'DESCRIBE "{name}"').fetchall())
                for name in read_parquet(out)}

    def test_the_tables_columns_types_and_months_are_those_of_the_job(self):
        store = Store(self.folder / "store")
        decided = store.decide()
        self.run_job(store, 2)
        exported = self.export(store)
        self.assertEqual(self.columns(exported), self.columns(self.out))
        found = read_parquet(exported)
        for name, rows in decided.items():
            with self.subTest(table=name):
                self.assertEqual(found[name].comparable(), rows.comparable())
        months = [sorted(path.name for path in (out / "fct_revenue").iterdir() if path.is_dir())
                  for out in (exported, self.out)]
        self.assertEqual(*months)
        self.assertIn("purchase_month=2021-05", months[0])

    def test_a_second_export_replaces_the_first_and_leaves_nothing_else(self):
        store = Store(self.folder / "store")
        store.decide()
        exported = self.export(store)
        (exported / "fct_revenue" / "purchase_month=1999-01").mkdir()
        self.export(store, "--table", "fct_revenue", "--table", "revenue_daily")
        self.assertFalse((exported / "fct_revenue" / "purchase_month=1999-01").exists())
        view = store.published("view")["revenue_daily"]
        self.assertEqual(read_parquet(exported)["revenue_daily"].comparable(), view.comparable())
        self.assertEqual([path.name for path in exported.iterdir() if "." in path.name], [])

    def test_the_views_of_a_store_with_apple_reports_over_what_is_exported(self):
        folder = self.folder / "books"
        subprocess.run([BIN / "paidline-sample", folder, "--customers", "40", "--days", "200",
                        "--books", "--missing-receipts", "50"], check=True,
                       stdout=subprocess.DEVNULL)
        store = Store.existing(folder, "pipeline.yaml")
        subprocess.run([BIN / "paidline", "run", "-q", store.pipeline], check=True)
        database = parquet_database(self.export(store))
        for statement in statements(Schema.of_program(BIN), "duckdb"):
            database.execute(statement)
        views = store.published("view")
        self.assertGreater(len(views["reconciliation_monthly"].rows), 20)
        for name, rows in views.items():
            with self.subTest(view=name):
                self.assertEqual(rows_of(database, name).comparable(), rows.comparable())


if __name__ == "__main__":
    unittest.main(verbosity=2)
