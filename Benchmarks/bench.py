#!/usr/bin/env python3
"""Measures Paidline, its floor and its peers on synthetic stores of several sizes.

`make bench` builds the executables and starts this script. It prints the tables, and writes them
and the figures of every run (table.md, runs.json) to the work folder.
"""

import argparse
import json
import os
import shutil
import sys

import machine
import report
import same
import store
from measured import Failed, measure, require

EXECUTABLES = [
    "paidline", "paidline-ingest", "paidline-reconstruct", "paidline-sample", "paidline-bench"]

# Share of customers who buy nothing, in an app that few customers pay for.
FEW_BUY = 0.95


class Contest:
    """One store, and the results of all programs that run on it."""

    def __init__(self, options, customers, bought_nothing):
        self.bin, self.python = options.bin, options.python
        self.folder = store.written(
            options.bin, f"{options.work}/store-{customers}-{bought_nothing}",
            ["--customers", str(customers), "--bought-nothing", str(bought_nothing)])
        self.runs = {"paidline": [], "floor": []}
        self.facts = {
            "customers": customers, "bought_nothing": bought_nothing,
            "gzip_bytes": store.gzip_bytes(self.folder)}
        self.answers = {}

    def paidline(self):
        """Measures `paidline run` with fresh databases."""
        databases = f"{self.folder}/var"
        shutil.rmtree(databases, ignore_errors=True)
        used, _ = measure([f"{self.bin}/paidline", "run", f"{self.folder}/pipeline.yaml"])
        for name in ("state", "warehouse"):
            self.facts[f"{name}_bytes"] = os.path.getsize(f"{databases}/{name}.db")
        return used.as_json()

    def floor(self):
        """Measures inflating all exports, then inserting the rows of the current warehouse."""
        used, text = measure([f"{self.bin}/paidline-bench", "floor", self.folder])
        found = json.loads(text)
        self.facts |= {name: found[name] for name in ("text_bytes", "rows")}
        inflate, insert = found["inflate_us"] / 1e6, found["insert_us"] / 1e6
        return used.as_json() | {
            "wall_s": inflate + insert, "inflate_s": inflate, "insert_s": insert,
            "user_s": (found["inflate_user_us"] + found["insert_user_us"]) / 1e6}

    def peer(self, name):
        """Measures a peer, and keeps its answers; all peers must write the same tables."""
        output = f"{self.folder}/facts.db"
        if os.path.exists(output):
            os.remove(output)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers", f"{name}.py")
        used, _ = measure([self.python, script, self.folder, output])
        self.answers[name] = same.answers(output)
        os.remove(output)
        return used.as_json()

    def differing(self):
        """The answers that differ between the peers, keyed by query or table, then by peer."""
        found = {}
        for name in next(iter(self.answers.values())):
            said = {peer: answer[name] for peer, answer in self.answers.items()}
            if any(one != next(iter(said.values())) for one in said.values()):
                found[name] = said
        return found

    def run(self, name):
        """Runs one program; a peer that fails is excluded from all rounds, with a message."""
        if name in ("paidline", "floor"):
            self.runs[name].append(self.paidline() if name == "paidline" else self.floor())
            return
        try:
            self.runs.setdefault(name, []).append(self.peer(name))
        except Failed as problem:
            print(f"bench: {name} failed and is excluded: {problem}", file=sys.stderr)
            self.runs[name] = None

    def rounds(self, runs, peer_runs, peers):
        """Runs all programs in rounds, each round in another order; yields the results so far."""
        store.warm(self.folder)
        for round in range(max(runs, peer_runs if peers else 0)):
            names = ["paidline", "floor"] if round < runs else []
            names += peers if round < peer_runs else []
            turn = round % len(names)
            for name in names[turn:] + names[:turn]:
                if self.runs.get(name, []) is not None:
                    self.run(name)
            if len({json.dumps(answer) for answer in self.answers.values()}) > 1:
                raise Failed(f"the peers wrote different results: {self.differing()}")
            print(f"bench: {self.facts['customers']} customers, round {round + 1}", file=sys.stderr)
            found = {name: runs for name, runs in self.runs.items() if runs}
            yield {"store": self.facts, "answers": self.answers, "runs": found}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the release executables")
    parser.add_argument("--work", required=True, help="folder for stores and results")
    parser.add_argument("--python", help="Python interpreter of the peers; without it they are skipped")
    parser.add_argument("--customers", type=int, nargs="+", default=[3750, 15000, 60000])
    parser.add_argument(
        "--bought-nothing", type=float, default=0.5, help="share of customers who buy nothing, 0 to 1")
    parser.add_argument("--runs", type=int, default=5, help="runs of Paidline and of the floor")
    parser.add_argument(
        "--peer-runs", type=int, nargs="+",
        help="runs of each peer: one number, or one per scale; default: --runs")
    options = parser.parse_args()
    if options.runs < 1 or min(options.customers) < 1:
        parser.error("--runs and --customers must be 1 or more")
    options.customers.sort()
    counts = options.peer_runs or [options.runs]
    if len(counts) not in (1, len(options.customers)):
        parser.error("--peer-runs needs one number, or one per scale")
    options.peer_runs = counts * len(options.customers) if len(counts) == 1 else counts
    return options


def main():
    options = arguments()
    require(options.bin, EXECUTABLES)
    peers = same.PEERS if options.python and os.path.exists(options.python) else []
    if not peers:
        print("bench: the Python of the peers is missing; the peers are skipped", file=sys.stderr)
    results = {"machine": machine.describe(), "scales": []}
    os.makedirs(options.work, exist_ok=True)
    for customers, share, peer_runs in scales(options):
        contest, earlier = Contest(options, customers, share), results["scales"]
        for found in contest.rounds(options.runs, peer_runs, peers):
            # Write after every round, so that an interrupted benchmark keeps its results.
            results["scales"] = [*earlier, found]
            write(results, options.work)
    print(report.text(results), end="")


def scales(options):
    """Yields the stores: all scales with the chosen share, then the middle one with FEW_BUY."""
    yield from zip(
        options.customers, [options.bought_nothing] * len(options.customers), options.peer_runs)
    middle = len(options.customers) // 2
    yield options.customers[middle], FEW_BUY, options.peer_runs[middle]


def write(results, folder):
    """Writes the tables and the figures of every run."""
    with open(f"{folder}/runs.json", "w") as file:
        json.dump(results, file, indent=1)
    with open(f"{folder}/table.md", "w") as file:
        file.write(report.text(results))


if __name__ == "__main__":
    try:
        main()
    except Failed as problem:
        sys.exit(f"bench: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
