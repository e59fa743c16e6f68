"""Computes the fact tables of a pipeline on Apache Spark and writes them as Parquet.

    spark-submit --py-files paidline_filters.py,paidline_tables.py,paidline_views.py \\
        paidline_spark.py --pipeline nightly.yaml --out FOLDER [--bin FOLDER] [--installed]
        [--work FOLDER] [--partitions N] [--as-of TIME] [--accept GATE,GATE]

Each step runs one of Paidline's executables as a filter (Docs/cluster.md). Spark shuffles, joins,
retries and writes. The facts and their content digest equal those of a run on one machine.
"""

import argparse
import datetime
import os
import shutil
import sys
import tempfile
import uuid

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.storagelevel import StorageLevel

import paidline_tables as tables
from paidline_filters import ROW_SCHEMA, Filter, FilterFailed, bytes_of, end_line, failed_task, run_here

INGEST, RECONSTRUCT = "paidline-ingest", "paidline-reconstruct"


class Job:
    """One run over all exports of a pipeline.

    `work` is a folder on storage that all machines share. Its folder `_rows` holds the rows between
    the steps, with customer ids, and is deleted at the end.
    """

    def __init__(self, spark, pipeline, work, bin_folder, partitions, as_of=None, installed=False,
                 accept=None):
        self.spark, self.pipeline, self.partitions = spark, os.path.abspath(pipeline), partitions
        self.rows_folder = f"{work}/_rows"
        tables.make_private(spark, self.rows_folder)
        self.bin_folder, self.installed = os.path.abspath(bin_folder), installed
        self.as_of = ["--as-of", as_of] if as_of else []
        self.accept = ["--accept", accept] if accept else []
        self.folder = tempfile.TemporaryDirectory(prefix="paidline-")
        self.name = uuid.uuid4().hex
        self.persisted = []
        self.has_issues = False
        for name in () if installed else (INGEST, RECONSTRUCT):
            # Copy under a name unique to this job: Spark would resolve a symbolic link to its target.
            path = os.path.join(self.folder.name, self.sent(name))
            shutil.copy2(self.here(name), path)
            spark.sparkContext.addFile(path)

    def sent(self, name):
        """The name under which Spark distributes a file of this job."""
        return f"{self.name}-{name}"

    def program(self, name):
        """The path of an executable on a worker: installed, or distributed with the job."""
        return self.here(name) if self.installed else f"job:{self.sent(name)}"

    def here(self, name):
        """The path of an executable on the driver."""
        return os.path.join(self.bin_folder, name)

    def step(self, rows, step, tags, sides=()):
        """Runs the filter of a step on every partition of the rows."""
        program = INGEST if step == "gather" else RECONSTRUCT
        as_of = [] if step == "gather" else self.as_of
        arguments = [step, self.pipeline, *as_of]
        for side in sides:
            arguments += ["--side", "job:" + self.sent(f"{side}.rows")]
        work = Filter(program, self.program(program), arguments, tags)
        return rows.mapInArrow(work.rows, ROW_SCHEMA)

    def kept(self, rows):
        """Persists rows on disk, because several later steps read them."""
        self.persisted.append(rows.persist(StorageLevel.DISK_ONLY))
        return rows

    def written(self, name, rows):
        """Writes rows to files, because many later steps read some of them; returns their frame.

        The plans of later steps then begin with these files, not with all earlier steps, and the
        rows of one tag or table are read without all others.
        """
        self.spark.sparkContext.setJobDescription(f"rows {name}")
        path = f"{self.rows_folder}/{name}"
        rows.sortWithinPartitions("tag", "key").write.parquet(path)
        reader = self.spark.read.option("ignoreCorruptFiles", "false")
        return reader.option("ignoreMissingFiles", "false").schema(ROW_SCHEMA).parquet(path)

    def in_order(self, rows, *keys):
        """Shuffles rows by keys, and sorts each partition by the bytes of its lines."""
        return rows.repartition(self.partitions, *keys).sortWithinPartitions("line")

    def side_file(self, side, rows, tags, travels=True):
        """Writes rows to a side file on the driver; distributes it to the workers if `travels`."""
        self.spark.sparkContext.setJobDescription(f"rows {', '.join(tags)}")
        path = self.here_side(side)
        found = rows.where(F.col("tag").isin(tags)).select("tag", "line").toArrow()
        with open(path, "wb") as file:
            file.write(b"#paidline-rows\t1\n")
            file.write(bytes_of(found.column("line")))
            counts = dict.fromkeys(tags, 0)
            for tag in found.column("tag").to_pylist():
                counts[tag] += 1
            for tag, count in counts.items():
                file.write(end_line(tag, count))
        if travels:
            self.spark.sparkContext.addFile(path)
        return path

    def here_side(self, side):
        """The path of a side file on the driver."""
        return os.path.join(self.folder.name, self.sent(f"{side}.rows"))

    def judged(self, rows):
        """Evaluates the gates on rejected records and totals of the facts; returns their rows.

        Raises FilterFailed if a gate stops the job.
        """
        path = self.side_file(
            "judged", rows,
            ["amount", "compared", "doubted", "other", "reject", "reported", "tally", "unclaimed",
             "unit", "unknown"], travels=False)
        with open(path, "rb") as file:
            lines = file.read()
        arguments = ["judge", self.pipeline, *self.as_of, *self.accept,
                     "--side", self.here_side("files")]
        return run_here(self.here(RECONSTRUCT), arguments, lines)

    def inputs(self):
        """One row per export; a task reads one large export or several small ones."""
        named = run_here(self.here(INGEST), ["files", self.pipeline], b"")
        named.sort(key=lambda fields: -int(fields[4]))
        context = self.spark.sparkContext
        size = sum(int(fields[4]) for fields in named)
        count = max(1, min(len(named), max(4 * context.defaultParallelism, size >> 26)))
        rows = [("input", str(first), "\t".join(fields))
                for first in range(count) for fields in named[first::count]]
        spread = context.parallelize(rows, count)
        return self.spark.createDataFrame(spread, ROW_SCHEMA)

    def gathered(self):
        gathered = self.written("gathered", self.step(self.inputs(), "gather", ["input"]))
        self.side_file("files", gathered, ["file"])
        path = self.side_file("issues", gathered, ["issue", "number"])
        with open(path, "rb") as file:
            self.has_issues = any(line.startswith(b"issue\t") for line in file)
        return gathered

    def merged(self, parts):
        rows = self.in_order(parts, "key")
        merged = self.written("merged", self.step(rows, "merge", ["part"], ["files"]))
        self.side_file("products", merged, ["group", "kind", "lengths", "sold", "term"])
        return merged

    def met(self, gathered, merged):
        """Joins chains into households, in one process that reads the small rows of all chains."""
        reports = gathered.where(F.col("tag").isin("report", "storefront"))
        chains = merged.where(F.col("tag").isin("chain", "named", "seen"))
        # The process needs only the transaction ids that occur in several chains, and those that
        # price reports name.
        claims = merged.where("tag = 'transaction'")
        contested = claims.groupBy("key").count().where("count > 1").select("key")
        named = gathered.where("tag = 'report'").select(
            F.split("line", "\t").getItem(3).alias("key"))
        asked = contested.unionByName(named).distinct()
        claims = claims.join(asked, "key", "left_semi").select("tag", "key", "line")
        small = reports.unionByName(chains).unionByName(claims)
        ordered = small.repartition(1).sortWithinPartitions("line")
        tags = ["chain", "named", "report", "seen", "storefront", "transaction"]
        met = self.written("met", self.step(ordered, "join", tags))
        self.side_file("joined", met, ["passed", "placeholder", "winner"])
        return met

    def houses(self, parts, met):
        """The rows of all households, sorted so that those of one household are adjacent."""
        members = met.where("tag = 'member'").select(
            "key", F.split("line", "\t").getItem(2).alias("house"))
        joined = parts.join(members, "key", "left")
        # A left join, so that a part without a household is not lost: the filter rejects `none`.
        placed = joined.select(
            F.lit("house").alias("tag"), F.col("house").alias("key"),
            F.concat(F.lit("house\t"), F.coalesce("house", F.lit("none")), F.lit("\t"),
                     F.col("line")).alias("line"))
        return self.kept(self.in_order(placed.unionByName(met.where("tag = 'house'")), "key"))

    def decided(self):
        """Runs all steps; returns the rows of the facts, of the exports, and of the gates."""
        gathered = self.gathered()
        rejects = gathered.where("tag = 'reject'").dropDuplicates(["line"])
        self.judged(rejects)  # Gates on the exports stop the job before the long steps.
        parts = gathered.where("tag = 'part'")
        merged = self.merged(parts)
        met = self.met(gathered, merged)
        houses = self.houses(parts, met)
        sides = ["files", "products", "joined"]
        placed = self.step(houses, "place", ["house"], sides)
        learned = self.learned(gathered.where("tag = 'file'").unionByName(placed))
        houses = self.houses_with_verdicts(houses, met, learned)
        sides.append("price-book")
        sales = gathered.where("tag = 'sale'")
        booked = self.booked(sales, houses, sides) if self.has_issues else None
        facts = self.step(houses, "decide", ["house"],
                          [*sides, "issues", *(["cells"] if self.has_issues else [])])
        facts = self.written("facts", facts.unionByName(learned))
        if self.has_issues:
            facts = facts.unionByName(booked).unionByName(self.compared(booked, facts))
        sums = facts.where(
            "tag IN ('amount', 'compared', 'doubted', 'other', 'reported', 'tally', 'unclaimed',"
            " 'unit', 'unknown')")
        return facts, gathered, self.judged(rejects.unionByName(sums))

    def learned(self, rows):
        """Runs `learn`; writes the price book as a side file and returns all rows.

        Price reports are compared by storefront, by product and by voter, so one process must read
        all of them.
        """
        ordered = rows.repartition(1).sortWithinPartitions("line")
        tags = ["file", "placed", "signed"]
        learned = self.written("learned", self.step(ordered, "learn", tags, ["products", "issues"]))
        self.side_file(
            "price-book", learned, ["apart", "currency", "interval", "market", "prices", "unit"])
        return learned

    def houses_with_verdicts(self, houses, met, learned):
        """The rows of each household, with the verdicts on its price reports added."""
        fields = F.split("line", "\t")
        seen = met.where("tag = 'house'").where(fields[2] == "report").select(
            F.col("key").alias("house"), fields[3].alias("key"))
        verdicts = seen.join(learned.where("tag = 'verdict'"), "key").select(
            F.lit("house").alias("tag"), F.col("house").alias("key"),
            F.concat(F.lit("house\t"), "house", F.lit("\t"), "line").alias("line"))
        return self.kept(self.in_order(houses.unionByName(verdicts), "key"))

    def booked(self, sales, houses, sides):
        """The lines of Apple's reports that are used.

        Writes the side file `cells`: Apple's units and those of the facts, per cell.
        """
        booked = self.kept(self.step(
            self.in_order(sales, "key"), "book", ["sale"], ["files", "issues"]))
        counted = self.step(houses, "count", ["house"], sides)
        self.side_file("cells", booked.unionByName(counted), ["cell", "checked", "counted"])
        return booked

    def compared(self, booked, facts):
        """Compares the facts with Apple's reports, by product."""
        both = booked.where("tag = 'booked'").unionByName(facts.where("tag = 'entry'"))
        return self.kept(self.step(
            self.in_order(both, "key"), "reconcile", ["booked", "entry"],
            ["files", "issues", "products"]))

    def close(self):
        for rows in self.persisted:
            rows.unpersist()
        self.folder.cleanup()
        tables.delete_rows(self.spark, self.rows_folder)


def run(spark, pipeline, out, bin_folder, partitions=200, as_of=None, installed=False,
        accept=None, work=None):
    """Computes and publishes all tables; returns the content digest.

    `out` keeps the tables of the last run until all gates and data tests have passed. `work` is
    the folder of the rows between the steps; default: `out`.
    """
    started_at = datetime.datetime.now(datetime.timezone.utc)
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    # Spark's default, INT96, does not record that times are in UTC.
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    job = Job(
        spark, pipeline, work or out, bin_folder, partitions, as_of, installed, accept)
    try:
        facts, gathered, judgement = job.decided()
        schema = tables.Schema.of_program(job.bin_folder)
        found = tables.Tables(spark, schema, facts, gathered, judgement, started_at)
        found.publish(out)
        return found.digest
    finally:
        job.close()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pipeline", required=True, help="pipeline file; the same path on every machine")
    parser.add_argument("--out", required=True, help="folder to which the Parquet tables are written")
    parser.add_argument("--work", metavar="FOLDER",
                        help="folder on shared storage; the rows between the steps, with customer "
                        "ids, are in its folder _rows, which is deleted before and after; default: "
                        "--out. Two jobs at once need different folders")
    parser.add_argument("--bin", default="/usr/bin", help="folder of the executables, which "
                        "Spark distributes to the workers; default: /usr/bin")
    parser.add_argument("--installed", action="store_true",
                        help="the executables are installed in --bin on every machine; "
                        "do not distribute them")
    parser.add_argument("--partitions", type=int, default=200,
                        help="number of partitions of a shuffle; default: 200")
    parser.add_argument("--as-of", help="ignore data after this time; default: "
                        "the time of the newest snapshot")
    parser.add_argument("--accept", metavar="GATE,GATE",
                        help="publish even if these gates fail")
    given = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("paidline").getOrCreate()
    try:
        digest = run(spark, given.pipeline, given.out, given.bin, given.partitions, given.as_of,
                     given.installed, given.accept, given.work)
        print(f"content_digest {digest}")
        return 0
    except tables.DataTestFailed as failure:
        print(f"paidline-spark: {failure}", file=sys.stderr)
        return 65
    except FilterFailed as failure:
        print(f"paidline-spark: {failure}", file=sys.stderr)
        return failure.status
    except PySparkException as failure:
        failed = failed_task(str(failure))
        if failed is None:
            raise
        print(f"paidline-spark: {failed}", file=sys.stderr)
        return failed.status
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
