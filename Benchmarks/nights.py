#!/usr/bin/env python3
"""Measures one run per daily export, and compares it with a full run over all exports so far.

The records of the store are distributed evenly over the days, in their original order. Without
this, the last days would have more records, because all customers are requested again.

`make bench-nights` builds the executables and starts this script. Every few days it also runs all
exports so far with fresh databases. It prints both curves and a summary of the last runs in
Markdown. It writes them and the figures of every run (nights.md, nights.json) to the work folder.
It fails if the content digests or the numbers of purchases of the two runs differ.
"""

import argparse
import gzip
import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from itertools import islice
from statistics import median

import machine
import store
from measured import Failed, measure, require
from report import row

# Synthetic exports have days that would trigger these gates; no gate may stop a run here.
GATES = "gates: {rejected_share: off, no_usable_record: off, volume_drop: off, empty_file: off}\n"


class Shop:
    """A folder with a pipeline whose exports arrive day by day."""

    def __init__(self, folder, sample):
        shutil.rmtree(folder, ignore_errors=True)
        for part in ("receipts", "prices"):
            os.makedirs(f"{folder}/{part}")
        self.folder, self.sample = folder, sample
        for name in ("catalog.yaml", "eurofxref-hist.csv"):
            if os.path.exists(f"{sample}/{name}"):
                shutil.copy(f"{sample}/{name}", folder)
        with open(f"{sample}/pipeline.yaml") as file, open(f"{folder}/pipeline.yaml", "w") as own:
            own.write(file.read() + GATES)

    def receive(self, day):
        """Adds the exports of one day."""
        for part in ("receipts", "prices"):
            name = f"{part}/{part}-{day}.ndjson.gz"
            os.link(f"{self.sample}/{name}", f"{self.folder}/{name}")

    def run(self, bin, databases):
        """Runs the pipeline with the databases in the folder of that name; creates missing ones."""
        pipeline = f"{self.folder}/{databases}.yaml"
        with open(f"{self.folder}/pipeline.yaml") as file, open(pipeline, "w") as own:
            own.write(file.read().replace(": var/", f": {databases}/"))
        used, _ = measure([f"{bin}/paidline", "run", pipeline])
        return used.as_json()

    def published(self, databases):
        """The content digest and the number of purchases of the last run."""
        path = f"file:{self.folder}/{databases}/warehouse.db?mode=ro"
        with closing(sqlite3.connect(path, uri=True)) as warehouse:
            runs = "SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1"
            purchases = "SELECT COUNT(*) FROM fct_revenue"
            return (*warehouse.execute(runs).fetchone(), *warehouse.execute(purchases).fetchone())


def days(sample):
    """The days of the exports, in order."""
    names = sorted(os.listdir(f"{sample}/receipts"))
    return [name.removeprefix("receipts-").removesuffix(".ndjson.gz") for name in names]


def records(paths):
    """Yields the lines of gzip files one at a time.

    The memory of this process is included in the measured peak of its children.
    """
    for path in paths:
        with gzip.open(path) as file:
            yield from file


def dealt(sample):
    """Copies the store with its records distributed evenly over the exports; returns the folder."""
    folder = f"{sample}-even"
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("receipts", "prices"):
        os.makedirs(f"{folder}/{part}")
        names = sorted(os.listdir(f"{sample}/{part}"))
        paths = [f"{sample}/{part}/{name}" for name in names]
        total = sum(1 for _ in records(paths))
        rest = records(paths)
        for number, name in enumerate(names):
            first, end = (total * place // len(names) for place in (number, number + 1))
            with gzip.open(f"{folder}/{part}/{name}", "wb", compresslevel=6) as file:
                file.writelines(islice(rest, end - first))
    for name in os.listdir(sample):
        if not os.path.isdir(f"{sample}/{name}"):
            shutil.copy(f"{sample}/{name}", folder)
    return folder


def live(options):
    """Runs all days; returns one entry per day."""
    sample = dealt(store.written(
        options.bin, f"{options.work}/nights-{options.customers}-{options.nights}",
        ["--customers", str(options.customers), "--days", str(options.nights), "--nights"]))
    shop = Shop(f"{options.work}/nights", sample)
    nights = []
    for number, day in enumerate(days(sample), start=1):
        shop.receive(day)
        entry = {"night": number, "day": day, "run": shop.run(options.bin, "nightly")}
        if number % options.every == 0 or number == options.nights:
            shutil.rmtree(f"{shop.folder}/whole", ignore_errors=True)
            entry["whole"] = shop.run(options.bin, "whole")
            nightly, whole = shop.published("nightly"), shop.published("whole")
            if nightly != whole:
                raise Failed(
                    f"run {number}: digest and purchases are {nightly}, of the full run {whole}")
            entry["purchases"] = whole[1]
            print(f"bench-nights: run {number}", file=sys.stderr)
        nights.append(entry)
    return nights


def text(nights, last):
    """The table of both curves, and the last runs compared with the last full run."""
    head = machine.sentence(machine.describe())
    lines = [head, "", row(["run", "purchases", "this run", "peak memory", "full run", "ratio"])]
    lines.append(row(["---:"] * 6))
    for position, entry in enumerate(nights):
        if "whole" not in entry:
            continue
        # A single run is noisy: use the median of this run and the four before it.
        recent = [night["run"]["wall_s"] for night in nights[max(0, position - 4):position + 1]]
        night, whole = median(recent), entry["whole"]["wall_s"]
        lines.append(row([
            str(entry["night"]), f"{entry['purchases']:,}", f"{night:.2f} s",
            f"{entry['run']['peak_kib'] / 1024:,.0f} MiB", f"{whole:.2f} s",
            f"{night / whole:.2f}"]))
    final = [entry["run"]["wall_s"] for entry in nights[-last:]]
    whole = nights[-1]["whole"]["wall_s"]
    lines += [
        "", f"The last {len(final)} runs took {min(final):.2f} to {max(final):.2f} s, median "
        f"{median(final):.2f} s: {median(final) / whole:.2f} of a full run ({whole:.2f} s).",
        ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the release executables")
    parser.add_argument("--work", required=True, help="folder for stores and results")
    parser.add_argument("--customers", type=int, default=15000)
    parser.add_argument(
        "--nights", type=int, default=200,
        help="number of days, with one export and one run each; 30 or more")
    parser.add_argument(
        "--every", type=int, default=20, help="number of runs from one full run to the next")
    parser.add_argument("--last", type=int, default=10, help="number of last runs in the summary")
    options = parser.parse_args()
    if options.nights < 30 or options.every < 1 or options.last < 1 or options.customers < 1:
        parser.error("--nights must be 30 or more; --customers, --every and --last must be 1 or more")
    require(
        options.bin, ["paidline", "paidline-ingest", "paidline-reconstruct", "paidline-sample"])
    os.makedirs(options.work, exist_ok=True)
    nights = live(options)
    table = text(nights, options.last)
    with open(f"{options.work}/nights.json", "w") as file:
        json.dump({"machine": machine.describe(), "nights": nights}, file, indent=1)
    with open(f"{options.work}/nights.md", "w") as file:
        file.write(table)
    print(table, end="")


if __name__ == "__main__":
    try:
        main()
    except Failed as problem:
        sys.exit(f"bench-nights: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
