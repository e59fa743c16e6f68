#!/usr/bin/env python3
"""Measures how fast each form of an export is read, in MB of text per second of processor time.

All exports of a user may have the same form, so none may be slow. `make bench-forms` builds the
executables and starts this script. It writes the same store in every form, uncompressed. Then it
measures `paidline-ingest` on each form with a fresh state.db, and prints a table (forms.md).
"""

import argparse
import glob
import gzip
import itertools
import json
import os
import random
import shutil
import string
import sys
from statistics import median

import machine
import store
from measured import Failed, measure, require
from report import row

EXECUTABLES = ["paidline-ingest", "paidline-sample"]
LONGEST = 120_000_000  # Bytes of text per form.
# The speed of a form must be at least that of plain lines divided by this number.
SLOWEST = 3
# Exempt from this limit: most time goes into signatures and into storing rows and small files.
NOT_READING = ("signed", "Apple's reports")
# 65: no record of the export is usable. The export was read nevertheless.
ENDINGS = (0, 65)
RECEIPT = (
    '{"status":0,"environment":"Production","latest_receipt_info":[{"transaction_id":"1",'
    '"product_id":"pro","purchase_date_ms":"1609459200000"}]}\n')
LETTERS = string.ascii_letters + string.digits + "+/"


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Base64:
    """Generates text like Apple's base64 receipts, of any length, from a pool of random letters."""

    def __init__(self):
        self.random = random.Random(1)
        self.pool = "".join(self.random.choices(LETTERS, k=1 << 20))

    def text(self, length):
        start = self.random.randrange(len(self.pool) - length)
        return self.pool[start:start + length]


BASE64 = Base64()


def nothing_bought(record):
    response = record["response"]
    if isinstance(response, dict) and "receipt" in response:
        response["receipt"]["in_app"] = []
        response["latest_receipt_info"] = []
        response.pop("pending_renewal_info", None)
        response["latest_receipt"] = BASE64.text(BASE64.random.randint(5_000, 12_000))
    return record


def long_receipt(record):
    record["response"]["latest_receipt"] = BASE64.text(BASE64.random.randint(10_000, 500_000))
    return record


def unknown_keys(record):
    response = record["response"]
    record["_meta"] = {"shard": 3, "tags": ["a", "b"], "source": {"host": "h-1", "ok": True}}
    for entry in rows(response):
        entry["internal_note"] = "from the queue"
        entry["fetched_by"] = {"worker": 17, "attempt": 1}
    return record


def rows(response):
    return response.get("latest_receipt_info", []) + response.get("receipt", {}).get("in_app", [])


def sandbox(record):
    record["response"]["environment"] = "Sandbox"
    return record


def refused(record):
    record["receipt_data"] = BASE64.text(6_000)
    record["response"] = {"status": BASE64.random.choice([21002, 21003, 21007, 21010])}
    return record


def without_ids(record):
    for entry in rows(record["response"]):
        entry.pop("transaction_id", None)
    return record


def misplaced(record):
    response = record["response"]
    response["latest_receipts"] = response.pop("latest_receipt_info", [])
    response.get("receipt", {})["in_app"] = []
    return record


def raw_receipt(record):
    return {"customer_id": record.get("customer_id"), "receipt": BASE64.text(8_000)}


def notification(record):
    response = record["response"]
    return {
        "notification_type": "DID_RENEW", "environment": "PROD", "bid": "app.paidline.sample",
        "unified_receipt": {name: response[name] for name in response if name != "receipt"}}


def lines(change):
    """A form with one record per line, each changed by `change`."""
    return lambda records: (compact(change(record)) + "\n" for record in records)


def one_array(records):
    yield "["
    for index, record in enumerate(records):
        yield (",\n" if index else "") + compact(record)
    yield "]\n"


def changed(record, **members):
    record.update(members)
    return record


FORMS = {
    "lines": lines(lambda record: record),
    "pretty": lambda records: (
        json.dumps(record, indent=2, ensure_ascii=False) + "\n" for record in records),
    "one array": one_array,
    "spaces after commas": lambda records: (json.dumps(record) + "\n" for record in records),
    "response as text": lines(
        lambda record: changed(record, response=compact(record["response"]))),
    "bare responses": lines(lambda record: record["response"]),
    "notifications": lines(notification),
    "escaped slashes": lambda records: (
        compact(record).replace("/", "\\/") + "\n" for record in records),
    "unknown keys": lines(unknown_keys),
    "nothing bought": lines(nothing_bought),
    "long receipts": lines(long_receipt),
    "sandbox": lines(sandbox),
    "other statuses": lines(refused),
    "rows without ids": lines(without_ids),
    "rows under another key": lines(misplaced),
    "receipts not asked about": lines(raw_receipt),
    "cut off": lambda records: (
        (text := compact(record))[:len(text) * 2 // 3] + "\n" for record in records),
}


def price_reports(number):
    """Yields price reports of different customers, products and times, with all fields set.

    The unknown field `device` adds text, as in the events of analytics tools. So the time per byte
    is mostly that of reading, not of storing a report.
    """
    for index in range(number):
        yield {
            "device": BASE64.text(1_500),
            "reported_at": 1_600_000_000_000 + index * 1_009, "customer_id": f"c-{index:07}",
            "transaction_id": str(400_000_000_000_000 + index), "product_id": f"pro.{index % 7}",
            "storefront": ("USA", "DEU", "POL")[index % 3], "currency": ("USD", "EUR", "PLN")[index % 3],
            "price": f"{index % 50 + 4}.99"}


def own(record):
    """Renames the fields, as in the events of an app with its own names."""
    return {f"own_{name}": value for name, value in record.items()}


def table(records):
    rows = iter(records)
    first = next(rows)
    yield ",".join(first) + "\n"
    for record in itertools.chain([first], rows):
        yield ",".join(f'"{value}"' if name == "customer_id" else str(value)
                       for name, value in record.items()) + "\n"


def parameters(record):
    """Converts the fields into a list of names and values, as Google Analytics exports them."""
    return {"event_params": [
        {"key": name, "value": {"string_value": str(value)}} for name, value in record.items()]}


def keys(path):
    """The `keys` of a pipeline entry; `path` returns the path of each name."""
    names = ", ".join(
        f'{name}: "{path(name)}"' for name in next(price_reports(1)) if name != "device")
    return f", keys: {{{names}}}"


# The keys of the pipeline entry, the form, and how many times slower than plain reports it may be.
PRICE_FORMS = {
    "price reports": ("", lines(lambda record: record), 1),
    "price reports, own keys": (keys(lambda name: f"own_{name}"), lines(own), 1.5),
    "price reports, CSV": ("", table, 1.5),
    "price reports, nested": (
        keys(lambda name: f"properties.{name}"), lines(lambda record: {"properties": record}), 1.5),
    "price reports, JSON in a text": (
        keys(lambda name: f"properties.{name}"),
        lines(lambda record: {"properties": compact(record)}), 3),
    "price reports, [key=…]": (
        keys(lambda name: f"event_params[key={name}].value.string_value"), lines(parameters), 3),
}


def records(folder):
    """Yields the receipt records of a store whose response is an object."""
    for path in sorted(glob.glob(f"{folder}/receipts/*.gz")):
        with gzip.open(path, "rt") as file:
            for line in file:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                if isinstance(record.get("response"), dict):
                    yield record


class Folder:
    """The exports of one form, and a pipeline that reads them."""

    def __init__(self, path, kind="receipts", more="", exports="exports/*", keys=""):
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(f"{path}/exports")
        self.path, self.bytes = path, 0
        if kind != "receipts":
            # A pipeline must have receipts.
            more += "  receipts: ['receipts.ndjson']\n"
            with open(f"{path}/receipts.ndjson", "w") as file:
                file.write(RECEIPT)
        entry = f"{{files: '{exports}'{keys}}}" if keys else f"'{exports}'"
        with open(f"{path}/pipeline.yaml", "w") as file:
            file.write(
                f"state: var/state.db\nwarehouse: var/warehouse.db\ninputs:\n"
                f"  {kind}: [{entry}]\n{more}")

    def write(self, name, texts):
        """Writes one export; a file of lines ends after LONGEST bytes."""
        with open(f"{self.path}/exports/{name}", "w", encoding="utf-8") as file:
            for text in texts:
                self.bytes += len(text.encode())
                file.write(text)
                if self.bytes > LONGEST and name.endswith(".ndjson"):
                    break

    def inflated(self, paths):
        """Writes the inflated text of gzip files, each to a file of its own."""
        for number, path in enumerate(paths):
            with gzip.open(path, "rb") as packed, open(
                    f"{self.path}/exports/{os.path.basename(path)[:-3]}", "wb") as file:
                shutil.copyfileobj(packed, file)
                self.bytes += file.tell()

    def joined(self, paths):
        """Writes the inflated text of daily reports, all days of a report to one file."""
        for path in sorted(paths):
            day = os.path.basename(path)[:-len(".txt.gz")]
            name = f"{self.path}/exports/{day[:-len('-2020-01-01')]}-2020-01-01.txt"
            with gzip.open(path, "rb") as packed, open(name, "ab") as file:
                header = packed.readline()
                text = (header if file.tell() == 0 else b"") + packed.read()
                file.write(text)
                self.bytes += len(text)

    def seconds(self, bin, runs):
        """The processor time of `paidline-ingest` on these exports, as the median of the runs."""
        found = []
        for _ in range(runs):
            shutil.rmtree(f"{self.path}/var", ignore_errors=True)
            used, _ = measure(
                [f"{bin}/paidline-ingest", f"{self.path}/pipeline.yaml", "--log-level", "error"],
                endings=ENDINGS)
            found.append(used.user_s + used.system_s)
        return median(found)


def folders(options):
    """Yields the name of each form, and its folder."""
    base = store.written(
        options.bin, f"{options.work}/forms-store-{options.customers}", ["--customers", str(options.customers)])
    for name, form in FORMS.items():
        folder = Folder(f"{options.work}/form-{name.replace(' ', '-')}")
        folder.write("receipts.ndjson", form(records(base)))
        yield name, folder
    for name, (keys, form, _) in PRICE_FORMS.items():
        folder = Folder(f"{options.work}/form-prices", "prices", keys=keys)
        folder.write("prices.ndjson", form(price_reports(options.customers * 20)))
        yield name, folder
    signed = store.written(
        options.bin, f"{options.work}/forms-signed-{options.customers}",
        ["--customers", str(options.customers), "--signed-share", "0.2"])
    for signatures in ("verify", "trust"):
        folder = Folder(
            f"{options.work}/form-signed-{signatures}", "signed",
            f"  signatures: {signatures}\n  signed_roots: [{os.path.abspath(signed)}/signed/root.der]\n")
        folder.inflated(glob.glob(f"{signed}/signed/*.gz"))
        yield f"signed, signatures: {signatures}", folder
    books = store.written(
        options.bin, f"{options.work}/forms-books-{options.customers}",
        ["--customers", str(options.customers), "--books"])
    reports = glob.glob(f"{books}/apple/*.gz")
    for name, pack in (
            ("Apple's reports", Folder.joined),
            (f"Apple's reports, in {len(reports):,} daily files", Folder.inflated)):
        folder = Folder(
            f"{options.work}/form-apple", "apple_reports", exports="exports/*-{date}.txt")
        pack(folder, reports)
        yield name, folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the release executables")
    parser.add_argument("--work", required=True, help="folder for stores and results")
    parser.add_argument("--customers", type=int, default=3750)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    require(options.bin, EXECUTABLES)
    os.makedirs(options.work, exist_ok=True)
    table = [
        machine.sentence(machine.describe()), "",
        row(["form", "text", "processor time", "speed", "of plain lines"]),
        row(["---", *["---:"] * 4])]
    empty = Folder(f"{options.work}/form-empty")
    empty.write("receipts.ndjson", [RECEIPT])
    start = empty.seconds(options.bin, max(3, options.runs))
    plain, plain_price, slow = None, None, []
    for name, folder in folders(options):
        seconds = max(0.001, folder.seconds(options.bin, options.runs) - start)
        speed = folder.bytes / 1e6 / seconds
        plain = plain or speed
        if name == "price reports":
            plain_price = speed
        table.append(row([
            name, f"{folder.bytes / 1e6:,.0f} MB", f"{seconds:.2f} s", f"{speed:,.0f} MB/s",
            f"{speed / plain:.2f}"]))
        print(table[-1], file=sys.stderr)
        if name in PRICE_FORMS:
            is_slow = speed * PRICE_FORMS[name][2] < plain_price
        else:
            is_slow = speed * SLOWEST < plain and not name.startswith(NOT_READING)
        if is_slow:
            slow.append(name)
        shutil.rmtree(folder.path)
    text = "\n".join(table) + "\n"
    with open(f"{options.work}/forms.md", "w") as file:
        file.write(text)
    print(text, end="")
    if slow:
        raise Failed(f"read more slowly than the limit allows: {', '.join(slow)}")


if __name__ == "__main__":
    try:
        main()
    except Failed as problem:
        sys.exit(f"bench: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
