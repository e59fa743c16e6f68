"""Runs Paidline's filters inside Spark: rows in, rows out, and an exception if a filter fails.

A row is a line of text: a tag and fields, separated by tabs (Docs/cluster.md). This module checks
the version in the first line, and that as many rows arrive as were written.
"""

import io
import os
import re
import subprocess
import sys
import threading

import pyarrow as pa
import pyarrow.compute as pc

VERSION = b"1"
ROW_SCHEMA = "tag string, key string, line string"
_ARROW_SCHEMA = pa.schema([("tag", pa.string()), ("key", pa.string()), ("line", pa.string())])
_PORTION = 1 << 20


class FilterFailed(Exception):
    """The failure of a filter, with its error message and exit status."""

    def __init__(self, message, status=70):
        super().__init__(message)
        self.status = status


def failed_task(told):
    """Extracts a filter's failure from Spark's error text; returns None if no filter failed."""
    _, name, said = told.rpartition(f"{FilterFailed.__name__}: ")
    if not name:
        return None
    # The lines of Spark's stack trace begin with white space.
    message = re.split(r"\n\s", said, maxsplit=1)[0].strip()
    status = re.search(r" ended with (\d+): ", message)
    return FilterFailed(message, int(status[1]) if status else 70)


def end_line(tag, count):
    """The last line for a tag, with its number of rows."""
    return b"#end\t%s\t%d\n" % (tag.encode(), count)


def bytes_of(lines):
    """Joins an Arrow array of lines into the input of a filter, without a Python object per line."""
    lines = pc.binary_join_element_wise(
        lines.cast(pa.large_string()), pa.scalar("", pa.large_string()),
        pa.scalar("\n", pa.large_string()))
    if isinstance(lines, pa.ChunkedArray):
        return b"".join(bytes_of_joined(chunk) for chunk in lines.chunks)
    return bytes_of_joined(lines)


def bytes_of_joined(lines):
    """The concatenated bytes of an Arrow array of strings."""
    if len(lines) == 0:
        return b""
    ends = pa.Array.from_buffers(
        pa.int64(), len(lines) + 1, [None, lines.buffers()[1]], offset=lines.offset)
    return lines.buffers()[2][ends[0].as_py() : ends[len(lines)].as_py()].to_pybytes()


class Filter:
    """A program with its arguments and the tags of the rows that it reads.

    `name` becomes argv[0], whatever the name of the file: in the package one executable contains
    all stages and selects one by its name.
    """

    def __init__(self, name, program, arguments, tags):
        self.name, self.program, self.arguments, self.tags = name, program, arguments, tags

    def command(self):
        return [self.name] + [located(part) for part in self.arguments]

    def rows(self, batches):
        """Runs the filter on Arrow batches of rows; yields its output as Arrow batches.

        An empty partition starts no process.
        """
        batches = iter(batches)
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return
        command = self.command()
        process = subprocess.Popen(
            command, executable=located(self.program), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said, troubles = [], []
        feeder = threading.Thread(
            target=self._feed, args=(process, first, batches, troubles), daemon=True)
        listener = threading.Thread(
            target=lambda: said.append(process.stderr.read()), daemon=True)
        feeder.start()
        listener.start()
        try:
            counts = Counts(self.name)
            yield from parsed(process.stdout, counts)
            feeder.join()
            status = process.wait()
            listener.join()
            if troubles:
                raise troubles[0]
            if status != 0:
                message = b"".join(said).decode(errors="replace").strip()
                raise FilterFailed(
                    f"{' '.join(command[:2])} ended with {status}: {message}", status)
            counts.require_all()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            process.stdout.close()
            feeder.join()
            listener.join()
            process.stderr.close()

    def _feed(self, process, first, batches, troubles):
        """Writes all rows and their counts to the filter; kills the filter if the input fails."""
        try:
            counts = dict.fromkeys(self.tags, 0)
            with process.stdin as stdin:
                stdin.write(b"#paidline-rows\t%s\n" % VERSION)
                batch = first
                while batch is not None:
                    for counted in pc.value_counts(batch.column("tag")):
                        tag = counted["values"].as_py()
                        counts[tag] = counts.get(tag, 0) + counted["counts"].as_py()
                    stdin.write(bytes_of(batch.column("line")))
                    batch = next(batches, None)
                for tag, count in counts.items():
                    stdin.write(end_line(tag, count))
        except BrokenPipeError:
            pass  # The filter's exit status and message are more useful.
        except Exception as trouble:  # Raised again in the thread that Spark waits for.
            troubles.append(trouble)
            process.kill()


def located(part):
    """The local path of a file distributed with the job (`job:NAME`); other arguments unchanged."""
    if not part.startswith("job:"):
        return part
    from pyspark import SparkFiles

    path = SparkFiles.get(part[len("job:") :])
    if not os.path.exists(path):
        raise FilterFailed(f"{path} is missing: Spark did not distribute it to this worker")
    return path


class Counts:
    """The number of rows received from a filter per tag, and the number that the filter reports."""

    def __init__(self, name):
        self.name, self.counted, self.promised = name, {}, {}

    def note(self, line):
        """Checks the version in a first line; adds the count of a last line."""
        fields = line.split(b"\t")
        if fields[0] == b"#end":
            self.promised[fields[1]] = self.promised.get(fields[1], 0) + int(fields[2])
        elif fields != [b"#paidline-rows", VERSION]:
            raise FilterFailed(
                f"{self.name}: expected rows of version {VERSION.decode()}; found {line!r}")

    def require_all(self):
        """Raises if rows are missing, or if there is no last line to compare with."""
        tags = self.counted.keys() | self.promised.keys()
        if not self.promised or any(
                self.counted.get(tag, 0) != self.promised.get(tag, 0) for tag in tags):
            raise FilterFailed(
                f"{self.name}: rows are missing: expected {self.promised}; found {self.counted}")


def parsed(stream, counts):
    """Yields the rows of a stream as Arrow batches; adds them to the counts."""
    rest = b""
    tags, keys, lines = [], [], []
    while portion := stream.read(_PORTION):
        several = (rest + portion).split(b"\n")
        rest = several.pop()
        for line in several:
            if line.startswith(b"#"):
                counts.note(line)
                continue
            tag, _, fields = line.partition(b"\t")
            counts.counted[tag] = counts.counted.get(tag, 0) + 1
            tags.append(tag)
            keys.append(fields.partition(b"\t")[0])
            lines.append(line)
        if len(lines) >= 10_000:
            yield batch_of(tags, keys, lines)
            tags, keys, lines = [], [], []
    if lines:
        yield batch_of(tags, keys, lines)


def batch_of(tags, keys, lines):
    """Builds an Arrow batch with the columns of ROW_SCHEMA."""
    columns = [pa.array(column, pa.binary()).cast(pa.string()) for column in (tags, keys, lines)]
    return pa.RecordBatch.from_arrays(columns, schema=_ARROW_SCHEMA)


def run_here(program, arguments, lines):
    """Runs a filter on the driver with bytes as its input; returns its rows."""
    ended = subprocess.run([program, *arguments], input=lines, capture_output=True)
    if ended.returncode != 0:
        message = ended.stderr.decode(errors="replace").strip()
        raise FilterFailed(
            f"{os.path.basename(program)} {arguments[0]} ended with {ended.returncode}: {message}",
            ended.returncode)
    sys.stderr.write(ended.stderr.decode(errors="replace"))
    rows = []
    counts = Counts(program)
    for batch in parsed(io.BytesIO(ended.stdout), counts):
        rows += [line.split("\t") for line in batch.column("line").to_pylist()]
    counts.require_all()
    return rows


def unescaped(field):
    r"""Decodes a field: `\N` becomes None, `a\tb` becomes `a`, a tab and `b`."""
    if field == "\\N":
        return None
    if "\\" not in field:
        return field
    text, rest = [], iter(field)
    for letter in rest:
        text.append({"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}[next(rest)]
                    if letter == "\\" else letter)
    return "".join(text)
