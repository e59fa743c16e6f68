"""The tables of a job: converts rows to typed columns, tests them and writes them as Parquet."""

import datetime
import json

from pyspark.sql import functions as F

from paidline_filters import unescaped
from paidline_views import Schema, text_tables, translated


class DataTestFailed(Exception):
    """A failed data test or primary key check; nothing was published."""


def number_of(field):
    r"""The integer of a field; `\N` becomes None."""
    return None if field == "\\N" else int(field)


def files_of(spark, folder):
    """The file system of a folder, and the function that makes its paths."""
    java = spark.sparkContext._jvm
    path = java.org.apache.hadoop.fs.Path
    return path(folder).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()), path


def delete_rows(spark, folder):
    """Deletes a folder of rows between steps, if it exists; raises OSError if it remains."""
    files, path = files_of(spark, folder)
    if not files.delete(path(folder), True) and files.exists(path(folder)):
        raise OSError(f"{folder} cannot be deleted; it holds customer ids")


def make_private(spark, folder):
    """Creates an empty folder that only its owner can read; deletes what a killed job left there."""
    delete_rows(spark, folder)
    files, path = files_of(spark, folder)
    permission = spark.sparkContext._jvm.org.apache.hadoop.fs.permission.FsPermission
    files.mkdirs(path(folder), permission("700"))


class Tables:
    """All tables of a job, with the names, columns and types of `schema`."""

    def __init__(self, spark, schema, facts, gathered, judgement, started_at):
        self.spark, self.schema, self.started_at = spark, schema, started_at
        self.digest = self._sum(facts.where("tag = 'digest'"))
        # A table without rows needs no pass over the facts.
        self.filled = {
            row.key for row in facts.where("tag = 'fact'").select("key").distinct().collect()}
        self.frames = {
            table: self._facts(facts, table) if table in self.filled else self._made(table, [])
            for table in schema.columns}
        for table, rows in schema.descriptions.items():
            self.frames[table] = self._typed(table, self._texts(rows))
        files = self._add_accounts(gathered)
        self._add_run(facts, files, judgement)

    @staticmethod
    def _sum(rows):
        """The content digest: the sum of the tasks' digests modulo 2^256."""
        parts = [int(row.line.split("\t")[1], 16) for row in rows.select("line").collect()]
        return f"{sum(parts) % (1 << 256):064x}"

    def _facts(self, facts, table):
        rows = facts.where((F.col("tag") == "fact") & (F.col("key") == table))
        return self._typed(table, rows.select(F.substring_index("line", "\t", -1).alias("text")))

    def _typed(self, table, rows):
        """Parses JSON objects into the typed columns of a table."""
        columns = self.schema.columns[table]
        read = ", ".join(
            f"`{name}` {'STRING' if is_text else 'BIGINT'}" for name, is_text in columns)
        # Malformed JSON gives NULL keys, which _examine() reports. An error raised here could come
        # from rows of other tables, because Spark may evaluate conditions in any order.
        rows = rows.select(F.from_json("text", read).alias("row")).select("row.*")
        rows = rows.select(*[F.col(name).cast(Schema.type_of(name, is_text)).alias(name)
                             for name, is_text in columns])
        if any(name == "purchased_date" for name, _ in columns):
            rows = rows.withColumn("purchase_month", F.date_format("purchased_date", "yyyy-MM"))
        return rows

    def _texts(self, texts):
        """One column of texts in one partition: the tables that the driver makes are small."""
        return self.spark.createDataFrame([(text,) for text in texts], "text STRING").coalesce(1)

    def _made(self, table, rows):
        """Creates a table from dictionaries; missing columns are NULL."""
        given = [{name: row.get(name) for name, _ in self.schema.columns[table]} for row in rows]
        return self._typed(table, self._texts([json.dumps(row) for row in given]))

    def _add_accounts(self, gathered):
        """Adds `audit_file` and `rejected_record`; returns the rows of `audit_file`."""
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
        self.frames["audit_file"] = self._made("audit_file", files.values())
        numbers = self.spark.createDataFrame(
            [(key, file["source_file_id"]) for key, file in files.items()],
            "key STRING, source_file_id BIGINT")
        fields = F.split("line", "\t")
        rejects = gathered.where("tag = 'reject'").dropDuplicates(["line"]).select(
            "key", fields[2].cast("BIGINT").alias("source_line"), fields[3].alias("reason_code"),
            F.udf(unescaped, "STRING")(fields[4]).alias("detail"))
        # One row per record and reason, with the number of further cases, as on one machine.
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
        """Adds `audit_run` and `audit_gate`."""
        _, as_of, complete, program, rules, settings, catalogue, rates, currency = map(
            unescaped, facts.where("tag = 'run'").select("line").first().line.split("\t"))
        (_, coverage, exact), = (row for row in judgement if row[0] == "coverage")
        moment = "%Y-%m-%dT%H:%M:%SZ"
        self.frames["audit_run"] = self._made("audit_run", [{
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
        self.frames["audit_gate"] = self._made("audit_gate", [
            dict(zip(("gate", "severity", "subject", "found", "expected"),
                     map(unescaped, row[1:])), run_id=1)
            for row in judgement if row[0] == "gate"])
        self.last_day = max(filter(None, [as_of[:10] if as_of else None, complete]), default=None)

    def _dates(self):
        """Creates `dim_date`: each day from the first purchase to the last day of the exports."""
        first = self.frames["fct_revenue"].agg(F.min("purchased_date")).first()[0]
        if first is None:
            return self._made("dim_date", [])
        last = max(first, datetime.date.fromisoformat(self.last_day or str(first)))
        days = [first + datetime.timedelta(days) for days in range((last - first).days + 1)]
        return self._made("dim_date", [
            {"date_day": str(day), "month": f"{day:%Y-%m}",
             "iso_week": "{0:04}-W{1:02}".format(*day.isocalendar())} for day in days])

    def publish(self, out):
        """Writes all tables to `_next`, tests them, then moves them into place.

        Raises DataTestFailed with the failed tests; the tables of the last run then stay as they
        are. `audit_run` is moved last, so that its digest never precedes the tables it describes.
        """
        files, path = files_of(self.spark, out)
        beside = f"{out}/_next"
        files.delete(path(beside), True)
        try:
            for name in sorted(self.frames, key=lambda name: name == "dim_date"):
                self.spark.sparkContext.setJobDescription(f"write {name}")
                if name == "dim_date":
                    self.frames[name] = self._dates()
                self._write(beside, name)
            self._examine(beside)
            for name in sorted(self.frames, key=lambda name: name == "audit_run"):
                files.delete(path(f"{out}/{name}"), True)
                if not files.rename(path(f"{beside}/{name}"), path(f"{out}/{name}")):
                    raise OSError(f"{beside}/{name} cannot be moved to {out}")
        finally:
            files.delete(path(beside), True)

    def _write(self, folder, name, replaces=False):
        """Writes a table to a folder of its own; afterwards the frame reads what was written."""
        frame = self.frames[name]
        writer = frame.write
        if name in self.filled and "purchase_month" in frame.columns:
            writer = frame.repartition("purchase_month").write.partitionBy("purchase_month")
        writer.mode("overwrite" if replaces else "error").parquet(f"{folder}/{name}")
        # With its schema given, a table is not read to find its columns.
        self.frames[name] = self.spark.read.schema(frame.schema).parquet(f"{folder}/{name}")

    def _examine(self, folder):
        """Runs all data tests, and checks that every primary key is unique and not NULL."""
        self.spark.sparkContext.setJobDescription("data tests")
        for name, frame in self.frames.items():
            frame.createOrReplaceTempView(name)
        for statement in text_tables(self.schema, "spark"):
            self.spark.sql(statement)
        results, failures = [], []
        for name, severity, meaning, sql in self.schema.tests:
            broken = self.spark.sql(translated(sql, "spark").sql("spark", identify=True)).count()
            results.append({"run_id": 1, "test": name, "severity": severity,
                            "failing_rows": broken, "sql": sql})
            if broken and severity == "error":
                failures.append(f"{name}: {broken} failing rows. {meaning}")
        failures += self._broken_keys()
        if failures:
            raise DataTestFailed(
                "data tests failed; nothing was published:\n" + "\n".join(failures))
        self.frames["data_test_result"] = self._made("data_test_result", results)
        self._write(folder, "data_test_result", replaces=True)

    def _broken_keys(self):
        """Counts the duplicate and NULL primary keys of all tables in one query; describes them."""
        # A row with malformed JSON has NULL keys, too.
        rows = " UNION ALL ".join(
            f"SELECT '{table}' AS of_table, {' OR '.join(f'{key} IS NULL' for key in keys)} AS unread, "
            f"array({', '.join(f'CAST({key} AS STRING)' for key in keys)}) AS row_key FROM {table}"
            for table, keys in self.schema.keys.items())
        return [f"primary key of {row.of_table}: {row.wrong} rows have a duplicate or NULL key, "
                f"{row.unread} of them NULL" for row in self.spark.sql(
                    "SELECT of_table, count(1) - count(DISTINCT IF(unread, NULL, row_key)) AS wrong, "
                    f"count_if(unread) AS unread FROM ({rows}) GROUP BY of_table "
                    "HAVING wrong > 0 ORDER BY of_table").collect()]
