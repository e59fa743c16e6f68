"""The peer in pandas: this module reads the lines with orjson, pandas_facts computes the tables.

pandas' own read_json(lines=True) is slower than orjson. It also cannot read a field that is an
object in some lines and a string in others. One process, because pandas uses only one core.

Usage: pandas_frames.py STORE OUTPUT
"""

import gc
import gzip
import sys

import orjson
import pandas as pd

import pandas_facts
import tables

FIELDS = [
    "web_order_line_item_id", "transaction_id", "original_transaction_id", "product_id",
    "subscription_group_identifier", "purchase_date", "purchase_date_ms", "expires_date",
    "expires_date_ms", "is_trial_period", "is_in_intro_offer_period", "promotional_offer_id",
    "offer_code_ref_name", "cancellation_date", "cancellation_reason", "is_upgraded",
    "in_app_ownership_type", "quantity"]
RECORD = ["request_date_ms", "part", "file", "line", "bundle_id", "customer_id", "storefront"]
CLAIM = [
    "file", "line", "customer_id", "product_id", "reported_at", "currency", "storefront",
    "transaction_id", "price"]


def records(path):
    """Yields the valid JSON lines of a file, with line numbers."""
    with gzip.open(path, "rb") as stream:
        lines = stream.read().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            yield number, orjson.loads(line)
        except orjson.JSONDecodeError:
            continue


def claim(report, file, line, record):
    """The fields of a price report, in the order of CLAIM."""
    locale = report.get("priceLocale") or {}
    return (
        file, line,
        report.get("customer_id") or report.get("app_user_id") or record.get("customer_id"),
        report.get("product_id") or report.get("productIdentifier"),
        report.get("reported_at") or record.get("received_at"),
        report.get("currency") or locale.get("currencyCode"),
        report.get("storefront") or report.get("store_country") or record.get("storefront"),
        report.get("transaction_id"), report.get("price"))


def read(store):
    """Reads all exports into a frame of observations and a frame of price reports."""
    rows, claims = [], []
    for file, path in tables.exports(store):
        if "/prices/" in path:
            claims.extend(claim(report, file, line, {}) for line, report in records(path))
            continue
        for line, record in records(path):
            response = record.get("response", record)
            if isinstance(response, str):
                response = orjson.loads(response)
            receipt = response.get("receipt")
            if response.get("environment") != "Production" or not receipt:
                continue
            if report := record.get("price_report"):
                claims.append(claim(report, file, line, record))
            at, bundle = int(receipt["request_date_ms"]), receipt["bundle_id"]
            whose = record.get("customer_id"), record.get("storefront")
            parts = receipt.get("in_app"), response.get("latest_receipt_info")
            for part, found in enumerate(parts):
                rows.extend(
                    (at, part, file, line, bundle, *whose, *map(row.get, FIELDS))
                    for row in found or ())
    frame = pd.DataFrame.from_records(rows, columns=[*RECORD, *FIELDS])
    del rows
    return frame, pd.DataFrame.from_records(claims, columns=CLAIM)


def main(store, output):
    gc.disable()  # No reference cycles are created here.
    frame, claims = read(store)
    pandas_facts.write(output, store, frame, claims)


if __name__ == "__main__":
    main(*sys.argv[1:])
