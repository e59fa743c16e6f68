"""The views over Parquet say what those of the warehouse say, in DuckDB and in Spark SQL."""

import unittest

from spark_case import JOB, Rows, SparkCase, Store, folders, parquet_database, rows_of

def statements():
    """The statements of views.sql."""
    lines = (JOB / "views.sql").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("--"))
    return [one.strip() for one in text.split(";") if one.strip()]


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
        database = parquet_database(self.out)
        for statement in statements():
            database.execute(statement)
        self.assert_views(views, lambda name: rows_of(database, name))
        for name in folders(self.out):
            self.spark.read.parquet(f"{self.out}/{name}").createOrReplaceTempView(name)
        for statement in statements():
            self.spark.sql(statement)
        self.assert_views(views, self.spark_rows)


if __name__ == "__main__":
    unittest.main(verbosity=2)
