"""Runs Paidline's filters inside Spark: rows in, rows out, and an exception where one fails.

A row is a line of text: a tag and fields with tabs between them. What Docs/cluster.md says of rows
is checked here: the version in the first line, and that as many rows arrive as were written.
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
    """A filter that ended badly, with what it said."""

    def __init__(self, message, status=70):
        super().__init__(message)
        self.status = status


def failed_task(told):
    """The failure of a filter in a task, from what Spark tells of it; None if no filter failed."""
    _, name, said = told.rpartition(f"{FilterFailed.__name__}: ")
    if not name:
        return None
    # Spark's own lines begin with a blank: the places in its code.
    message = re.split(r"\n\s", said, maxsplit=1)[0].strip()
    status = re.search(r" ended with (\d+): ", message)
    return FilterFailed(message, int(status[1]) if status else 70)


def end_line(tag, count):
    """The line that tells how many rows of a tag there are."""
    return b"#end\t%s\t%d\n" % (tag.encode(), count)


def bytes_of(lines):
    """Lines as a filter reads them, from an Arrow array, without a Python object for each."""
    lines = pc.binary_join_element_wise(
        lines.cast(pa.large_string()), pa.scalar("", pa.large_string()),
        pa.scalar("\n", pa.large_string()))
    if isinstance(lines, pa.ChunkedArray):
        return b"".join(bytes_of_joined(chunk) for chunk in lines.chunks)
    return bytes_of_joined(lines)


def bytes_of_joined(lines):
    """The bytes of the texts of an array, end to end."""
    if len(lines) == 0:
        return b""
    ends = pa.Array.from_buffers(
        pa.int64(), len(lines) + 1, [None, lines.buffers()[1]], offset=lines.offset)
    return lines.buffers()[2][ends[0].as_py() : ends[len(lines)].as_py()].to_pybytes()


class Filter:
    """A program with its arguments, which reads rows of some tags.

    `name` is what the program is started as, whatever its file is called: one executable holds all
    stages of the package.
    """

    def __init__(self, name, program, arguments, tags):
        self.name, self.program, self.arguments, self.tags = name, program, arguments, tags

    def command(self):
        return [self.name] + [located(part) for part in self.arguments]

    def rows(self, batches):
        """Runs the filter over Arrow batches of rows, and hands on batches of rows.

        A partition without a row starts no process.
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
        """Writes all rows and how many they are; where what gives them fails, so does the filter."""
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
            pass  # The status and the words of the filter tell more.
        except Exception as trouble:  # Raised again where Spark sees it.
            troubles.append(trouble)
            process.kill()


def located(part):
    """The path of a file that travels with the job (`job:NAME`); anything else as it is."""
    if not part.startswith("job:"):
        return part
    from pyspark import SparkFiles

    path = SparkFiles.get(part[len("job:") :])
    if not os.path.exists(path):
        raise FilterFailed(f"{path} did not come with the job")
    return path


class Counts:
    """How many rows of each tag a filter wrote, and how many it says that it wrote."""

    def __init__(self, name):
        self.name, self.counted, self.promised = name, {}, {}

    def note(self, line):
        """Takes a first or a last line into account."""
        fields = line.split(b"\t")
        if fields[0] == b"#end":
            self.promised[fields[1]] = self.promised.get(fields[1], 0) + int(fields[2])
        elif fields != [b"#paidline-rows", VERSION]:
            raise FilterFailed(
                f"{self.name}: expected rows of version {VERSION.decode()}; found {line!r}")

    def require_all(self):
        """Raises where rows are missing: without a last line, who knows."""
        tags = self.counted.keys() | self.promised.keys()
        if not self.promised or any(
                self.counted.get(tag, 0) != self.promised.get(tag, 0) for tag in tags):
            raise FilterFailed(
                f"{self.name}: expected {self.promised}; found {self.counted}: rows are missing")


def parsed(stream, counts):
    """Arrow batches of the rows on a stream, which are counted."""
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
    """An Arrow batch of rows."""
    columns = [pa.array(column, pa.binary()).cast(pa.string()) for column in (tags, keys, lines)]
    return pa.RecordBatch.from_arrays(columns, schema=_ARROW_SCHEMA)


def run_here(program, arguments, lines):
    """Runs a filter on this machine, on bytes, and returns the rows it writes."""
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
    """The text of a field; None for no value."""
    if field == "\\N":
        return None
    if "\\" not in field:
        return field
    text, rest = [], iter(field)
    for letter in rest:
        text.append({"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}[next(rest)]
                    if letter == "\\" else letter)
    return "".join(text)
