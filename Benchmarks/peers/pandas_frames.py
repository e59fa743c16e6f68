"""The peers' job in pandas: orjson reads the lines, data frames do the rest, to_sql writes SQLite.

pandas' own read_json(lines=True) is slower than orjson and cannot read a response that is an object
here and a text there, so nobody who measured would take it. One process: so is pandas.

Usage: pandas_frames.py STORE OUTPUT
"""

import gzip
import json
import sqlite3
import sys
from glob import glob

import orjson
import pandas as pd

FIELDS = [
    "web_order_line_item_id", "transaction_id", "original_transaction_id", "product_id",
    "purchase_date_ms", "expires_date_ms", "is_trial_period", "is_in_intro_offer_period",
    "promotional_offer_id", "offer_code_ref_name", "cancellation_date_ms", "quantity"]


def records(pattern):
    """All lines that are JSON."""
    for path in sorted(glob(pattern)):
        with gzip.open(path, "rb") as lines:
            for line in lines:
                try:
                    yield orjson.loads(line)
                except orjson.JSONDecodeError:
                    continue


def claim(report, customer, at):
    """What is needed of a price report."""
    locale = report.get("priceLocale") or {}
    return (
        report.get("customer_id") or report.get("app_user_id") or customer,
        report.get("product_id") or report.get("productIdentifier"),
        report.get("reported_at") or at,
        report.get("currency") or locale.get("currencyCode"), report.get("price"))


def read(store):
    """Rows of receipts as (snapshot, customer, fields …), and claims."""
    rows, claims = [], []
    for record in records(f"{store}/receipts/*.gz"):
        response = record.get("response", record)
        if isinstance(response, str):
            response = orjson.loads(response)
        receipt = response.get("receipt")
        if response.get("environment") != "Production" or not receipt:
            continue
        at, customer = receipt["request_date_ms"], record.get("customer_id")
        if report := record.get("price_report"):
            claims.append(claim(report, customer, record.get("received_at")))
        for part in receipt.get("in_app"), response.get("latest_receipt_info"):
            rows.extend((at, customer, *map(row.get, FIELDS)) for row in part or ())
    claims.extend(claim(report, None, None) for report in records(f"{store}/prices/*.gz"))
    return rows, claims


def main(store, output):
    rows, claims = read(store)
    frame = pd.DataFrame(rows, columns=["snapshot", "customer_id", *FIELDS])
    del rows
    for column in ["snapshot", "purchase_date_ms", "expires_date_ms", "cancellation_date_ms"]:
        frame[column] = pd.to_numeric(frame[column]).astype("Int64")
    frame["purchase"] = frame["web_order_line_item_id"].fillna(frame["transaction_id"])
    frame = frame.sort_values("snapshot", kind="stable").drop_duplicates("purchase", keep="last")
    frame["offer_id"] = frame["promotional_offer_id"].fillna(frame["offer_code_ref_name"])
    frame["quantity"] = pd.to_numeric(frame["quantity"])
    frame["is_trial"] = frame["is_trial_period"] == "true"
    frame["is_intro"] = frame["is_in_intro_offer_period"] == "true"
    frame["until"] = (frame["purchase_date_ms"] + 86_400_000).astype("int64")

    prices = pd.DataFrame(
        claims, columns=["customer_id", "product_id", "reported_at", "currency", "price"])
    moments = pd.to_datetime(prices["reported_at"], utc=True, errors="coerce", format="ISO8601")
    prices["price"] = pd.to_numeric(prices["price"], errors="coerce")
    prices["at"] = moments.astype("datetime64[ms, UTC]").astype("int64").where(moments.notna())
    prices = prices.dropna(subset=["customer_id", "product_id", "at", "price"])
    prices["at"] = prices["at"].astype("int64")
    facts = pd.merge_asof(
        frame.sort_values("until"), prices.drop(columns="reported_at").sort_values("at"),
        left_on="until", right_on="at", by=["customer_id", "product_id"])
    facts = facts[[
        "purchase", "transaction_id", "original_transaction_id", "product_id", "customer_id",
        "purchase_date_ms", "expires_date_ms", "is_trial", "is_intro", "offer_id",
        "cancellation_date_ms", "quantity", "currency", "price"]]
    database = sqlite3.connect(output)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    facts.to_sql("fact", database, index=False)
    database.commit()
    print(json.dumps({"rows": len(facts), "priced": int(facts["price"].notna().sum())}))


if __name__ == "__main__":
    main(*sys.argv[1:])
