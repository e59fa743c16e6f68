"""Failures end the job with their message and keep the last output; retried tasks are used once."""

import os
import pathlib
import signal
import threading
import time
import unittest
from unittest import mock

from spark_case import SparkCase, Store, read_parquet

import paidline_spark
from paidline_filters import failed_task


def changed_schema(change):
    """A context in which every schema that a job reads is changed."""
    read = paidline_spark.tables.Schema.__init__

    def read_and_change(schema, rows):
        read(schema, rows)
        change(schema)

    return mock.patch.object(paidline_spark.tables.Schema, "__init__", read_and_change)


class FaultTests(SparkCase):
    def digest(self):
        run = read_parquet(self.out)["audit_run"]
        return run.rows[0][run.columns.index("content_digest")]

    def test_a_cut_archive_fails_the_job_which_names_it_and_leaves_the_last_output(self):
        store = Store(self.folder / "store", customers=10)
        digest = self.run_job(store, 1)
        cut = store.receipts()[0]
        cut.write_bytes(cut.read_bytes()[:-9])
        with self.assertRaises(Exception) as failed:
            self.run_job(store, 1)
        self.assertIn(cut.name, str(failed.exception))
        failure = failed_task(str(failed.exception))
        self.assertEqual(failure.status, 65)
        self.assertTrue(str(failure).startswith("paidline-ingest gather ended with 65: "))
        self.assertIn(cut.name, str(failure))
        self.assertNotIn("Traceback", str(failure))
        self.assertEqual(self.digest(), digest)

    def test_a_failed_data_test_leaves_the_last_output(self):
        store = Store(self.folder / "store", customers=10)
        digest = self.run_job(store, 1)
        planted = ("planted", "error", "It is planted.", "SELECT 1 FROM fct_revenue")
        with changed_schema(lambda schema: schema.tests.append(planted)):
            with self.assertRaisesRegex(paidline_spark.tables.DataTestFailed, "planted: "):
                self.run_job(store, 1)
        self.assertEqual(self.digest(), digest)
        self.assertFalse((self.out / "_next").exists())

    def test_rows_of_a_killed_job_are_replaced_and_only_the_owner_can_read_rows(self):
        store = Store(self.folder / "store", customers=10)
        work = self.folder / "work"
        (work / "_rows/gathered").mkdir(parents=True)
        (work / "_rows/gathered/old.parquet").write_text("of a killed job")
        (work / "mine").write_text("of somebody else")
        modes = []
        decided = paidline_spark.Job.decided

        def looked_at(job):
            result = decided(job)
            modes.append((work / "_rows").stat().st_mode & 0o777)
            return result

        with mock.patch.object(paidline_spark.Job, "decided", looked_at):
            self.run_job(store, 1, work=str(work))
        self.assertEqual(modes, [0o700])
        self.assertEqual([path.name for path in work.iterdir()], ["mine"])
        self.assertFalse((self.out / "_rows").exists())

    def test_a_duplicate_and_a_missing_key_leave_the_last_output(self):
        store = Store(self.folder / "store", customers=10)
        digest = self.run_job(store, 1)
        keys = {"fct_revenue": ["reversed_at"], "dim_product": ["bundle_id"]}
        with changed_schema(lambda schema: schema.keys.update(keys)):
            with self.assertRaises(paidline_spark.tables.DataTestFailed) as failed:
                self.run_job(store, 1)
        self.assertRegex(str(failed.exception), r"primary key of dim_product: \d+ rows have a "
                         r"duplicate or NULL key, 0 of them NULL\n")
        self.assertRegex(str(failed.exception), r"primary key of fct_revenue: \d+ rows have a "
                         r"duplicate or NULL key, [1-9]\d* of them NULL$")
        self.assertEqual(self.digest(), digest)

    def test_a_gate_that_stops_leaves_the_last_output_and_an_accepted_one_is_told(self):
        store = Store(self.folder / "store", customers=10)
        digest = self.run_job(store, 1)
        (store.folder / "receipts" / "2021-01-09.ndjson").write_text("no,export\nnone\nat all\n")
        store.say(gates="{volume_drop: off, missing_export_day: off}")
        with self.assertRaisesRegex(Exception, "2021-01-09.ndjson can be used"):
            self.run_job(store, 1)
        self.assertEqual(self.digest(), digest)
        self.run_job(store, 1, accept="no_usable_record")
        gates = read_parquet(self.out)["audit_gate"]
        found = [dict(zip(gates.columns, row)) for row in gates.rows]
        self.assertEqual([(row["gate"], row["severity"], row["found"]) for row in found],
                         [("no_usable_record", "accepted", "0 of 1 record usable")])

    def test_a_gate_of_the_facts_stops_too(self):
        store = Store(self.folder / "store")
        store.say(gates="{coverage_floor: {share: 0.9999}, rejected_share: off, volume_drop: off}")
        with self.assertRaisesRegex(Exception, "gates.coverage_floor requires"):
            self.run_job(store, 2)
        self.assertFalse(self.out.exists() and any(self.out.iterdir()))


class RetryTests(SparkCase):
    master = "local[2,4]"

    def test_a_task_that_fails_twice_half_way_is_taken_again_and_counts_once(self):
        store = Store(self.folder / "store")
        decided = store.decide()
        programs = self.wrapped("paidline-reconstruct", """
            if [ "$1" = decide ] && { mkdir "$folder/first" || mkdir "$folder/second"; } 2>/dev/null
            then "$real" "$@" | head -c 20000; echo planted >&2; exit 75; fi
            exec "$real" "$@" """)
        self.run_job(store, 1, bin_folder=programs)
        self.assertTrue((self.folder / "second").exists())
        self.assert_the_facts_of(decided)

    def test_a_task_that_always_fails_ends_the_job_with_its_words(self):
        store = Store(self.folder / "store", customers=5)
        programs = self.wrapped("paidline-reconstruct", """
            if [ "$1" = place ]; then echo try >> "$folder/tries"; echo why >&2; cat >/dev/null; exit 75; fi
            exec "$real" "$@" """)
        with self.assertRaisesRegex(Exception, "paidline-reconstruct place ended with 75: why"):
            self.run_job(store, 1, bin_folder=programs)
        self.assertEqual((self.folder / "tries").read_text(), "try\n" * 4)
        self.assertEqual(list(self.out.iterdir()), [])


def executor(number, application):
    """The process id of an executor; None if it is not running."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if (b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words
                and application.encode() in words
                and words[words.index(b"--executor-id") + 1] == str(number).encode()):
            return int(path.parent.name)
    return None


class ExecutorTests(SparkCase):
    master = "local-cluster[2,1,1024]"

    def test_an_executor_that_is_killed_in_the_middle_changes_nothing(self):
        store = Store(self.folder / "store")
        decided = store.decide()
        # The sleep makes sure that the executor is killed while it decides.
        programs = self.wrapped("paidline-reconstruct", """
            if [ "$1" = decide ]; then : > "$folder/deciding"; sleep 1; fi
            exec "$real" "$@" """)
        killed = []

        def kill():
            deadline = time.monotonic() + 300
            while not (self.folder / "deciding").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            process = executor(0, self.spark.sparkContext.applicationId)
            if process is not None:
                os.kill(process, signal.SIGKILL)
                killed.append(process)

        killer = threading.Thread(target=kill)
        killer.start()
        self.run_job(store, 6, bin_folder=programs)
        killer.join()
        self.assertEqual(len(killed), 1)
        self.assertIsNone(executor(0, self.spark.sparkContext.applicationId))
        self.assert_the_facts_of(decided)


if __name__ == "__main__":
    unittest.main(verbosity=2)
