"""The facts of a job as tables: typed, examined, and written as Parquet."""

import datetime
import json

from pyspark.sql import functions as F

from paidline_filters import unescaped
from paidline_views import Schema, text_tables, translated


class DataTestFailed(Exception):
    """Facts that break a data test, so that nothing is written."""


def number_of(field):
    """The whole number of a field; None for none."""
    return None if field == "\\N" else int(field)


class Tables:
    """All tables of a job: those of SCHEMA, with their names, columns and types."""

    def __init__(self, spark, schema, facts, gathered, judgement, started_at):
        self.spark, self.schema, self.started_at = spark, schema, started_at
        self.digest = self._sum(facts.where("tag = 'digest'"))
        self.frames = {table: self._facts(facts, table) for table in schema.columns}
        for table, rows in schema.descriptions.items():
            self.frames[table] = self._typed(
                table, spark.createDataFrame([(row,) for row in rows], "text STRING"))
        files = self._add_accounts(gathered)
        self._add_run(facts, files, judgement)

    @staticmethod
    def _sum(rows):
        """Digests add up modulo 2^256."""
        parts = [int(row.line.split("\t")[1], 16) for row in rows.select("line").collect()]
        return f"{sum(parts) % (1 << 256):064x}"

    def _facts(self, facts, table):
        rows = facts.where((F.col("tag") == "fact") & (F.col("key") == table))
        return self._typed(table, rows.select(F.substring_index("line", "\t", -1).alias("text")))

    def _typed(self, table, rows):
        """Objects of JSON as rows of a table."""
        columns = self.schema.columns[table]
        read = ", ".join(
            f"`{name}` {'STRING' if is_text else 'BIGINT'}" for name, is_text in columns)
        # A row that is no such object has no key, which examine() looks for: an error raised here
        # would be raised for rows of other tables too, as Spark may ask conditions in any order.
        rows = rows.select(F.from_json("text", read).alias("row")).select("row.*")
        rows = rows.select(*[F.col(name).cast(Schema.type_of(name, is_text)).alias(name)
                             for name, is_text in columns])
        if any(name == "purchased_date" for name, _ in columns):
            rows = rows.withColumn("purchase_month", F.date_format("purchased_date", "yyyy-MM"))
        return rows

    def _set(self, table, rows):
        """Rows of values as a table; columns that are not named are NULL."""
        given = [{name: row.get(name) for name, _ in self.schema.columns[table]} for row in rows]
        self.frames[table] = self._typed(table, self.spark.createDataFrame(
            [(json.dumps(row),) for row in given], "text STRING"))

    def _add_accounts(self, gathered):
        """The accounts of the files, and what was rejected."""
        files = {}
        for row in gathered.where("tag = 'file'").select("line").collect():
            _, key, name, day, size, used, twice, rejected, *_, assumed = row.line.split("\t")
            name = unescaped(name)
            if key not in files or name < files[key]["name"]:
                used, twice, rejected = int(used), int(twice), int(rejected)
                sha256, kind = key.rsplit(".", 1)
                files[key] = {
                    "name": name, "sha256": sha256, "kind": kind, "status": "used",
                    "export_date": unescaped(day), "bytes": int(size),
                    "records": used + twice + rejected, "used": used, "duplicates": twice,
                    "rejected": rejected, "assumed_production": int(assumed), "first_run_id": 1}
        for number, key in enumerate(sorted(files), start=1):
            files[key]["source_file_id"] = number
        self._set("audit_file", files.values())
        numbers = self.spark.createDataFrame(
            [(key, file["source_file_id"]) for key, file in files.items()],
            "key STRING, source_file_id BIGINT")
        fields = F.split("line", "\t")
        rejects = gathered.where("tag = 'reject'").dropDuplicates(["line"]).select(
            "key", fields[2].cast("BIGINT").alias("source_line"), fields[3].alias("reason_code"),
            F.udf(unescaped, "STRING")(fields[4]).alias("detail"))
        # Further rows of one record and reason are counted, as on one machine.
        rejects = rejects.join(F.broadcast(numbers), "key").groupBy(
            "source_file_id", "source_line", "reason_code").agg(
                F.min("detail").alias("first"), F.count(F.lit(1)).alias("rows"))
        self.frames["rejected_record"] = rejects.select(
            "source_file_id", "source_line", "reason_code",
            F.when(F.col("rows") == 1, F.col("first")).otherwise(
                F.concat("first", F.lit(" (and "), F.col("rows") - 1, F.lit(" more)"))
            ).alias("detail"))
        return files.values()

    def _add_run(self, facts, files, judgement):
        """The row of the run, its gates, and the days it tells of."""
        _, as_of, complete, program, rules, settings, catalogue, rates, currency = map(
            unescaped, facts.where("tag = 'run'").select("line").first().line.split("\t"))
        (_, coverage, exact), = (row for row in judgement if row[0] == "coverage")
        moment = "%Y-%m-%dT%H:%M:%SZ"
        self._set("audit_run", [{
            "run_id": 1, "kind": "run", "as_of": as_of,
            "started_at": self.started_at.strftime(moment),
            "finished_at": datetime.datetime.now(datetime.timezone.utc).strftime(moment),
            "complete_through_date": complete, "program_version": program,
            "rules_version": rules, "files": len(files),
            "records": sum(file["records"] for file in files),
            "rejected": sum(file["rejected"] for file in files),
            "price_coverage_bp": number_of(coverage), "exact_bp": number_of(exact),
            "content_digest": self.digest, "settings_sha256": settings,
            "catalogue_sha256": catalogue, "rates_sha256": rates,
            "reporting_currency": currency}])
        self._set("audit_gate", [
            dict(zip(("gate", "severity", "subject", "found", "expected"),
                     map(unescaped, row[1:])), run_id=1)
            for row in judgement if row[0] == "gate"])
        days = self.frames["fct_revenue"].agg(
            F.min("purchased_date").alias("first"),
            F.greatest(
                F.lit(as_of).cast("TIMESTAMP").cast("DATE"),
                F.lit(complete).cast("DATE")).alias("last")).where("first IS NOT NULL")
        days = days.select(F.explode(F.expr(
            "sequence(first, greatest(first, last))")).alias("date_day"))
        self.frames["dim_date"] = days.selectExpr(
            "date_day", "date_format(date_day, 'yyyy-MM') AS month",
            "format_string('%04d-W%02d', extract(YEAROFWEEK FROM date_day), "
            "extract(WEEK FROM date_day)) AS iso_week",
            "CAST(NULL AS BIGINT) AS apple_fiscal_year",
            "CAST(NULL AS BIGINT) AS apple_fiscal_period")

    def publish(self, out):
        """Writes all tables beside those of the last run, examines them, and puts them in place.

        Raises DataTestFailed, with what breaks, where the last run's tables stay as they are. The
        row of the run is put in place last, so that its digest stands for tables that are there.
        """
        java = self.spark.sparkContext._jvm
        path = java.org.apache.hadoop.fs.Path
        files = path(out).getFileSystem(self.spark.sparkContext._jsc.hadoopConfiguration())
        beside = f"{out}/_next"
        files.delete(path(beside), True)
        try:
            for name, frame in self.frames.items():
                self.spark.sparkContext.setJobDescription(f"write {name}")
                self._write(f"{beside}/{name}", frame)
            self._examine(beside)
            for name in sorted(self.frames, key=lambda name: name == "audit_run"):
                files.delete(path(f"{out}/{name}"), True)
                if not files.rename(path(f"{beside}/{name}"), path(f"{out}/{name}")):
                    raise OSError(f"{beside}/{name} cannot be moved to {out}")
        finally:
            files.delete(path(beside), True)

    @staticmethod
    def _write(path, frame, replaces=False):
        # Of no rows a partitioned table would have no file, and nobody could tell its columns.
        if "purchase_month" in frame.columns and not frame.isEmpty():
            frame = frame.repartition("purchase_month")
            frame.write.partitionBy("purchase_month").parquet(path)
        else:
            frame.write.mode("overwrite" if replaces else "error").parquet(path)

    def _examine(self, folder):
        """Asks all data tests, and whether every primary key is there once."""
        self.spark.sparkContext.setJobDescription("data tests")
        for name in self.frames:
            self.spark.read.parquet(f"{folder}/{name}").createOrReplaceTempView(name)
        for statement in text_tables(self.schema, "spark"):
            self.spark.sql(statement)
        results, failures = [], []
        for name, severity, meaning, sql in self.schema.tests:
            broken = self.spark.sql(translated(sql, "spark").sql("spark", identify=True)).count()
            results.append({"run_id": 1, "test": name, "severity": severity,
                            "failing_rows": broken, "sql": sql})
            if broken and severity == "error":
                failures.append(f"{name}: {broken} rows. {meaning}")
        for table, keys in self.schema.keys.items():
            # A row that could not be read has no key either.
            missing = " OR ".join(f"{key} IS NULL" for key in keys)
            rows, different, unread = self.spark.sql(
                f"SELECT count(1), count(DISTINCT {', '.join(keys)}), "
                f"count_if({missing}) FROM {table}").first()
            if rows != different:
                failures.append(f"primary key of {table}: {rows - different} rows stand there "
                                f"twice or have none, {unread} of them the latter")
        if failures:
            raise DataTestFailed(
                "data tests failed, and nothing was published:\n" + "\n".join(failures))
        self._set("data_test_result", results)
        self._write(f"{folder}/data_test_result", self.frames["data_test_result"], True)
