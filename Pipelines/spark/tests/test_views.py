"""The views over Parquet return the rows of the warehouse's views, in DuckDB and in Spark SQL."""

import sqlite3
import subprocess
import sys
import unittest

import duckdb

from spark_case import BIN, JOB, Rows, SparkCase, Store, rows_of, text_of
from paidline_views import Schema, parquet_tables, statements, translated

# Expressions that the other engines evaluate differently from SQLite, or not at all.
EXPRESSIONS = [
    "-7 / 2", "7 / -2", "7 / (1 - 1)", "7 / 2.0", "1.0 * 7 / 2", "CAST(-2.7 AS INTEGER)",
    "CAST('12M' AS INTEGER)", "12 * (substr('2022-03', 1, 4) - substr('2021-11', 1, 4))",
    "substr('P3M', -1)", "(1 = 1) + (2 > 1)", "COALESCE(NULL = 1, 0)", "NOT 3", "1 AND 2",
    "0 OR NULL",
    "CASE WHEN 5 THEN 'yes' END", "CASE 1 WHEN 1 = 1 THEN 'yes' END", "MAX(1, 4)", "NULL IS NULL",
    "1 IS NOT NULL", "1 IS NOT 2", "NULL IS NOT NULL", "(1 IN (SELECT 2)) IS NOT TRUE",
    "(NULL IN (SELECT 2)) IS NOT TRUE", "COALESCE(NULL, TRUE)",
    "('a', 1) IN (SELECT * FROM (SELECT 'a' AS a, 1 AS b) AS t)",
    "6 & ~3 | 1", "10000 * SUM(7) / SUM(-2)", "-COALESCE(NULL, 4) - 1", "'a' || 'b' || '-01'",
    "strftime('%Y-%m-%d', '2020-12-02', '+90 days')", "strftime('%Y-%m', '2021-12-01', '+1 month')",
    "strftime('%Y-%m-%dT%H:%M:%SZ', '2021-12-31T23:59:58Z', '+60 days')",
    "strftime('%Y-%m-%d', '2021-12-01', '+1 month', '-1 day')",
    "strftime('%s', '2021-12-31T23:59:58Z') - strftime('%s', '2021-12-30')",
    "(SELECT SUM(a > 1) FROM (SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3) AS t)",
    "(SELECT MIN(a <> 2 OR a) FROM (SELECT 1 AS a UNION ALL SELECT 2) AS t)",
]


class ViewTests(SparkCase):
    def assert_views(self, expected, found):
        for name, rows in expected.items():
            with self.subTest(view=name):
                self.assertEqual(found(name).comparable(), rows.comparable())

    def spark_rows(self, name):
        frame = self.spark.table(name)
        columns = [
            f"date_format(`{column}`, \"yyyy-MM-dd'T'HH:mm:ss'Z'\") AS `{column}`"
            if kind == "timestamp" else f"`{column}`" for column, kind in frame.dtypes]
        return Rows(frame.columns, [tuple(row) for row in frame.selectExpr(*columns).collect()])

    def make_views(self, dialect, run):
        schema = Schema.of_program(BIN)
        for statement in parquet_tables(schema, dialect, str(self.out)):
            run(statement)
        for statement in statements(schema, dialect):
            run(statement)

    def test_every_view_says_in_duckdb_and_in_spark_what_it_says_in_sqlite(self):
        store = Store(self.folder / "store", customers=200)
        store.say(more="reporting_currency: EUR\n")
        decided = store.decide()
        views = store.published("view")
        self.run_job(store, 2)
        self.assert_the_facts_of(decided)
        for name in ("revenue_daily", "mrr_movement_monthly", "subscription_movement_daily",
                     "retention_cohort", "ltv_cohort", "trial_conversion", "churn_monthly"):
            self.assertGreater(len(views[name].rows), 10, name)
        database = duckdb.connect()
        self.make_views("duckdb", database.execute)
        self.assert_views(views, lambda name: rows_of(database, name))
        self.make_views("spark", self.spark.sql)
        self.assert_views(views, self.spark_rows)

    def test_days_times_and_numbers_keep_their_types(self):
        store = Store(self.folder / "store")
        store.decide()
        self.run_job(store, 1)
        database = duckdb.connect()
        self.make_views("duckdb", database.execute)
        kinds = {(name, column): kind for name, column, kind in database.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns "
            "WHERE table_name NOT LIKE '\\_%' ESCAPE '\\'").fetchall()}
        self.assertEqual(kinds["revenue", "purchased_at"], "TIMESTAMP WITH TIME ZONE")
        self.assertEqual(kinds["revenue_daily", "date_day"], "DATE")
        self.assertEqual(kinds["revenue_monthly", "month"], "VARCHAR")
        self.assertEqual(kinds["revenue", "paid"], "DOUBLE")
        self.assertEqual(set(kinds.values()), {
            "BIGINT", "DATE", "DOUBLE", "TIMESTAMP WITH TIME ZONE", "VARCHAR"})


class TranslationTests(SparkCase):
    def assert_values(self, dialect, value):
        """Asserts that each translated expression has the value that SQLite computes."""
        sqlite = sqlite3.connect(":memory:")
        for expression in EXPRESSIONS:
            with self.subTest(expression=expression, dialect=dialect):
                told, = sqlite.execute(f"SELECT {expression}").fetchone()
                query = translated(f"SELECT {expression} AS value", dialect)
                self.assertEqual(text_of(value(query.sql(dialect, identify=True))), text_of(told))

    def test_what_sqlite_understands_otherwise_means_the_same_in_duckdb(self):
        self.assert_values("duckdb", lambda sql: duckdb.execute(sql).fetchone()[0])

    def test_what_sqlite_understands_otherwise_means_the_same_in_spark(self):
        self.spark.conf.set("spark.sql.session.timeZone", "UTC")
        self.assert_values("spark", lambda sql: self.spark.sql(sql).first()[0])

    def test_what_cannot_be_translated_is_refused(self):
        with self.assertRaisesRegex(ValueError, "weekday 1"):
            translated("SELECT strftime('%Y-%m-%d', day, 'weekday 1') FROM dim_date", "duckdb")
        with self.assertRaisesRegex(ValueError, "ORDER BY … DESC LIMIT 1"):
            translated("SELECT (SELECT as_of FROM audit_run ORDER BY run_id LIMIT 1)", "spark")

    def test_the_statements_are_printed_with_those_that_make_the_tables_known(self):
        printed = subprocess.run(
            [sys.executable, JOB / "paidline_views.py", "duckdb", "--bin", BIN,
             "--facts", "/facts"], check=True, capture_output=True, text=True).stdout
        self.assertIn("read_parquet('/facts/fct_revenue/**/*.parquet');", printed)
        self.assertIn("VIEW revenue_monthly AS", printed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
