"""The facts of a job as tables: typed, examined, and written as Parquet."""

import re

from pyspark.sql import functions as F

from paidline_filters import unescaped


class DataTestFailed(Exception):
    """Facts that break a data test, so that nothing is written."""


class Schema:
    """What `paidline-reconstruct schema` says: the columns of the tables, and the data tests."""

    def __init__(self, rows):
        self.columns, self.keys, self.tests = {}, {}, []
        for tag, *fields in rows:
            if tag == "column":
                table, name, kind, is_key = fields
                self.columns.setdefault(table, []).append((name, kind == "text"))
                if is_key == "1":
                    self.keys.setdefault(table, []).append(name)
            else:
                name, severity, meaning, sql = fields
                self.tests.append((name, severity, unescaped(meaning), spark_sql(unescaped(sql))))

    @staticmethod
    def type_of(name, is_text):
        """Money and numbers are BIGINT; days and times are told by their names."""
        if not is_text:
            return "BIGINT"
        if name.endswith("_date") or name == "date_day":
            return "DATE"
        if name.endswith("_at") or name in ("as_of", "valid_from", "valid_to"):
            return "TIMESTAMP"
        return "STRING"


def spark_sql(sql):
    """A data test in Spark's words: one schema, and IS NOT between values by its standard name."""
    sql = sql.replace("main.", "")
    return re.sub(r"\bIS NOT (?!NULL\b)", "IS DISTINCT FROM ", sql)


class Tables:
    """All tables of a job."""

    def __init__(self, spark, schema, facts, gathered):
        self.spark, self.schema = spark, schema
        self.digest = self._sum(facts.where("tag = 'digest'"))
        self.frames = {table: self._facts(facts, table) for table in schema.columns}
        self._add_accounts(facts, gathered)

    @staticmethod
    def _sum(rows):
        """Digests add up modulo 2^256."""
        parts = [int(row.line.split("\t")[1], 16) for row in rows.select("line").collect()]
        return f"{sum(parts) % (1 << 256):064x}"

    def _facts(self, facts, table):
        columns = self.schema.columns[table]
        read = ", ".join(
            f"`{name}` {'STRING' if is_text else 'BIGINT'}" for name, is_text in columns)
        # A row that is no such object has no key, which examine() looks for: an error raised here
        # would be raised for rows of other tables too, as Spark may ask conditions in any order.
        text = F.substring_index("line", "\t", -1)
        rows = facts.where((F.col("tag") == "fact") & (F.col("key") == table)).select(
            F.from_json(text, read).alias("row")).select("row.*")
        typed = [F.col(name).cast(Schema.type_of(name, is_text)).alias(name)
                 for name, is_text in columns]
        rows = rows.select(*typed)
        if any(name == "purchased_date" for name, _ in columns):
            rows = rows.withColumn("purchase_month", F.date_format("purchased_date", "yyyy-MM"))
        return rows

    def _add_accounts(self, facts, gathered):
        """The accounts of the files, what was rejected, and the row of the run."""
        spark = self.spark
        fields = F.split("line", "\t")
        files = {}
        for row in gathered.where("tag = 'file'").select("line").collect():
            _, key, name, day, size, used, twice, rejected, _ = row.line.split("\t")
            name = unescaped(name)
            if key not in files or name < files[key][0]:
                files[key] = (name, unescaped(day), int(size), int(used), int(twice), int(rejected))
        ids = {key: number for number, key in enumerate(sorted(files), start=1)}
        spark.createDataFrame(
            [(ids[key], name, *key.rsplit(".", 1), "used", day, size, used + twice + rejected, used,
              twice, rejected, 1)
             for key, (name, day, size, used, twice, rejected) in files.items()],
            "source_file_id BIGINT, name STRING, sha256 STRING, kind STRING, status STRING, "
            "export_date STRING, bytes BIGINT, records BIGINT, used BIGINT, duplicates BIGINT, "
            "rejected BIGINT, first_run_id BIGINT").createOrReplaceTempView("_files")
        self.frames["audit_file"] = spark.table("_files").withColumn(
            "export_date", F.col("export_date").cast("DATE"))
        numbers = spark.createDataFrame(list(ids.items()), "key STRING, source_file_id BIGINT")
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
        self._add_run(facts, files)

    def _add_run(self, facts, files):
        run = [unescaped(field) for field in
               facts.where("tag = 'run'").select("line").first().line.split("\t")[1:]]
        as_of, complete, program, rules, settings, catalogue, rates, currency = run
        self.frames["audit_run"] = self.spark.createDataFrame(
            [(1, "run", as_of, complete, program, rules, len(files),
              sum(sum(file[3:]) for file in files.values()),
              sum(file[5] for file in files.values()), self.digest, settings, catalogue, rates,
              currency)],
            "run_id BIGINT, kind STRING, as_of STRING, complete_through_date STRING, "
            "program_version STRING, rules_version STRING, files BIGINT, records BIGINT, "
            "rejected BIGINT, content_digest STRING, settings_sha256 STRING, "
            "catalogue_sha256 STRING, rates_sha256 STRING, reporting_currency STRING"
        ).select(
            "run_id", "kind", F.col("as_of").cast("TIMESTAMP"),
            F.col("complete_through_date").cast("DATE"), "program_version", "rules_version",
            "files", "records", "rejected", "content_digest", "settings_sha256",
            "catalogue_sha256", "rates_sha256", "reporting_currency")

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
                self._write(f"{beside}/{name}", frame)
            self._examine(beside)
            for name in sorted(self.frames, key=lambda name: name == "audit_run"):
                files.delete(path(f"{out}/{name}"), True)
                if not files.rename(path(f"{beside}/{name}"), path(f"{out}/{name}")):
                    raise OSError(f"{beside}/{name} cannot be moved to {out}")
        finally:
            files.delete(path(beside), True)

    @staticmethod
    def _write(path, frame):
        if "purchase_month" in frame.columns:
            frame.repartition("purchase_month").write.partitionBy("purchase_month").parquet(path)
        else:
            frame.write.parquet(path)

    def _examine(self, folder):
        """Asks all data tests, and whether every primary key is there once."""
        for name in self.frames:
            self.spark.read.parquet(f"{folder}/{name}").createOrReplaceTempView(name)
        results, failures = [], []
        for name, severity, meaning, sql in self.schema.tests:
            broken = self.spark.sql(sql).count()
            results.append((1, name, severity, broken))
            if broken and severity == "error":
                failures.append(f"{name}: {broken} rows. {meaning}")
        for table, keys in self.schema.keys.items():
            # A row that could not be read has no key either.
            missing = " OR ".join(f"{key} IS NULL" for key in keys)
            rows, different, unread = self.spark.sql(
                f"SELECT count(1), count(DISTINCT {', '.join(keys)}), "
                f"count_if({missing}) FROM {table}").first()
            broken = rows - different
            results.append((1, f"unique_{table}", "error", broken))
            if broken:
                failures.append(
                    f"unique_{table}: {broken} keys stand there twice, {unread} are missing")
        if failures:
            raise DataTestFailed(
                "data tests failed, and nothing was published:\n" + "\n".join(failures))
        self.frames["data_test_result"] = self.spark.createDataFrame(
            results, "run_id BIGINT, test_name STRING, severity STRING, failing_rows BIGINT")
        self._write(f"{folder}/data_test_result", self.frames["data_test_result"])
