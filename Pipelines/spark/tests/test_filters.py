"""Failures of a filter or of its input raise an exception."""

import unittest

import pyarrow as pa

import spark_case  # noqa: F401
import paidline_filters


class FilterTests(unittest.TestCase):
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
