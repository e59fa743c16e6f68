"""The peers' job in plain Python: orjson and sqlite3, one process a core.

Usage: python_orjson.py STORE OUTPUT
"""

import gzip
import json
import os
import sqlite3
import sys
from bisect import bisect_right
from datetime import datetime
from glob import glob
from multiprocessing import Pool

import orjson

DAY = 86_400_000


def milliseconds(text):
    """The instant of an ISO 8601 text; None where it is none."""
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (TypeError, ValueError):
        return None


def price(report, customer, time):
    """A price report as (customer, product, instant, currency, price); None without these."""
    locale = report.get("priceLocale") or {}
    customer = report.get("customer_id") or report.get("app_user_id") or customer
    product = report.get("product_id") or report.get("productIdentifier")
    currency = report.get("currency") or locale.get("currencyCode")
    at = milliseconds(report.get("reported_at")) or time
    try:
        amount = float(report["price"])
    except (KeyError, TypeError, ValueError):
        return None
    return (customer, product, at, currency, amount) if customer and product and at else None


def receipts(path):
    """The newest sighting of each purchase of one file, and the price reports in it."""
    newest, prices = {}, []
    with gzip.open(path, "rb") as lines:
        for line in lines:
            try:
                record = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            response = record.get("response", record)
            if isinstance(response, str):
                response = orjson.loads(response)
            receipt = response.get("receipt")
            if response.get("environment") != "Production" or not receipt:
                continue
            at, customer = int(receipt["request_date_ms"]), record.get("customer_id")
            if report := record.get("price_report"):
                if found := price(report, customer, milliseconds(record.get("received_at")) or at):
                    prices.append(found)
            for rows in receipt.get("in_app"), response.get("latest_receipt_info"):
                for row in rows or ():
                    transaction = row.get("transaction_id")
                    key = row.get("web_order_line_item_id") or transaction
                    known = newest.get(key)
                    if known is None or at >= known[1]:
                        newest[key] = (
                            key, at, transaction, row.get("original_transaction_id"),
                            row.get("product_id"), customer, row.get("purchase_date_ms"),
                            row.get("expires_date_ms"), row.get("is_trial_period"),
                            row.get("is_in_intro_offer_period"),
                            row.get("promotional_offer_id") or row.get("offer_code_ref_name"),
                            row.get("cancellation_date_ms"), row.get("quantity"))
    return newest, prices


def reports(path):
    """The price reports of one file."""
    with gzip.open(path, "rb") as lines:
        found = []
        for line in lines:
            try:
                found.append(price(orjson.loads(line), None, None))
            except orjson.JSONDecodeError:
                continue
    return {}, [one for one in found if one]


def read(path):
    """One file of either kind."""
    return receipts(path) if "/receipts/" in path else reports(path)


def facts(newest, prices):
    """One row a purchase, with the newest price its customer saw by a day after the purchase."""
    seen = {}
    for customer, product, at, currency, amount in prices:
        seen.setdefault((customer, product), []).append((at, currency, amount))
    for known in seen.values():
        known.sort(key=lambda report: report[0])
    for row in newest.values():
        known = seen.get((row[5], row[4]))
        place = bisect_right(known, int(row[6]) + DAY, key=lambda r: r[0]) if known else 0
        _, currency, amount = known[place - 1] if place else (None, None, None)
        yield (
            row[0], row[2], row[3], row[4], row[5], int(row[6]), row[7] and int(row[7]),
            row[8] == "true", row[9] == "true", row[10], row[11] and int(row[11]), int(row[12]),
            currency, amount)


def main(store, output):
    paths = glob(f"{store}/receipts/*.gz") + glob(f"{store}/prices/*.gz")
    paths.sort(key=os.path.getsize, reverse=True)
    newest, prices = {}, []
    with Pool(os.cpu_count()) as pool:
        for some, more in pool.imap_unordered(read, paths):
            prices += more
            if not newest:
                newest = some
                continue
            for key, row in some.items():
                known = newest.get(key)
                if known is None or row[1] >= known[1]:
                    newest[key] = row
    database = sqlite3.connect(output, isolation_level=None)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    database.execute(
        """
        CREATE TABLE fact (
          purchase TEXT, transaction_id TEXT, original_transaction_id TEXT, product_id TEXT,
          customer_id TEXT, purchased_ms INTEGER, expires_ms INTEGER, is_trial INTEGER,
          is_intro INTEGER, offer_id TEXT, cancelled_ms INTEGER, quantity INTEGER, currency TEXT,
          price REAL)
        """)
    database.executemany(
        f"INSERT INTO fact VALUES ({', '.join('?' * 14)})", facts(newest, prices))
    database.execute("COMMIT")
    rows, priced = database.execute("SELECT COUNT(*), COUNT(price) FROM fact").fetchone()
    print(json.dumps({"rows": rows, "priced": priced}))


if __name__ == "__main__":
    main(*sys.argv[1:])
