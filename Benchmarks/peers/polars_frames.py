"""The peers' job in Polars, on all cores. The table goes to Parquet, which is faster for it than
SQLite.

A response is an object in most records and a text in some, and stands alone in others; Polars' JSON
reader wants one type for a field, so lines are read as text and decoded with a schema that names the
fields needed.

Usage: polars_frames.py STORE OUTPUT
"""

import gzip
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from glob import glob

import orjson
import polars as pl

ROW = pl.List(pl.Struct({
    name: pl.String for name in [
        "web_order_line_item_id", "transaction_id", "original_transaction_id", "product_id",
        "purchase_date_ms", "expires_date_ms", "is_trial_period", "is_in_intro_offer_period",
        "promotional_offer_id", "offer_code_ref_name", "cancellation_date_ms", "quantity"]}))
RESPONSE = {
    "environment": pl.String,
    "receipt": pl.Struct({"request_date_ms": pl.String, "in_app": ROW}),
    "latest_receipt_info": ROW}
REPORT = {
    "customer_id": pl.String, "app_user_id": pl.String, "product_id": pl.String,
    "productIdentifier": pl.String, "currency": pl.String,
    "priceLocale": pl.Struct({"currencyCode": pl.String}), "reported_at": pl.String,
    "price": pl.String}
OUTER = {"received_at": pl.String, "customer_id": pl.String, "price_report": pl.Struct(REPORT)}


def decode(lines, schema):
    """Lines of JSON as a frame; ignore_errors is about types, a line that is no JSON ends it all."""
    try:
        return pl.read_ndjson(b"\n".join(lines), schema=schema, ignore_errors=True)
    except pl.exceptions.ComputeError:
        lines = [line for line in lines if is_json(line)]
        return pl.read_ndjson(b"\n".join(lines), schema=schema, ignore_errors=True)


def is_json(line):
    """Whether a line can be parsed."""
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def receipts(path):
    """The sightings and the price reports of one file of receipts."""
    with gzip.open(path, "rb") as file:
        lines = file.read().split(b"\n")
    # Three shapes, told apart by how they begin, so that each is decoded once.
    bare, nested, quoted = [], [], []
    for line in lines:
        if not line.endswith(b"}") or line.count(b"{") != line.count(b"}"):
            continue  # Cut off.
        if b'"response":{' in line:
            nested.append(line)
        elif b'"response":"' in line:
            quoted.append(line)
        else:
            bare.append(line)
    frames = []
    if bare:
        frames.append(decode(bare, OUTER | RESPONSE))
    if nested:
        frames.append(decode(nested, OUTER | {"response": pl.Struct(RESPONSE)}).unnest("response"))
    if quoted:
        text = decode(quoted, OUTER | {"response": pl.String})
        frames.append(text.with_columns(
            pl.col("response").str.json_decode(pl.Struct(RESPONSE))).unnest("response"))
    records = pl.concat(frames, how="diagonal").filter(
        (pl.col("environment") == "Production") & pl.col("receipt").is_not_null()
    ).unnest("receipt").with_columns(pl.col("request_date_ms").cast(pl.Int64))
    claims = records.filter(pl.col("price_report").is_not_null()).select(
        pl.col("customer_id").alias("customer"), "received_at", "price_report")
    keys = ["request_date_ms", "customer_id"]
    rows = pl.concat([
        records.select(*keys, pl.col(part).alias("row")).explode("row").drop_nulls("row")
        for part in ["in_app", "latest_receipt_info"]
    ]).unnest("row").with_columns(
        purchase=pl.coalesce("web_order_line_item_id", "transaction_id")
    ).sort("request_date_ms", maintain_order=True).unique("purchase", keep="last")
    return rows, priced(claims)


def reports(path):
    """The price reports of one file of their own."""
    with gzip.open(path, "rb") as file:
        frame = pl.read_ndjson(file.read(), schema=REPORT, ignore_errors=True)
    return None, priced(frame.select(
        pl.lit(None, pl.String).alias("customer"), pl.lit(None, pl.String).alias("received_at"),
        pl.struct(pl.all()).alias("price_report")))


def priced(claims):
    """Price reports with what a join needs."""
    report = pl.col("price_report").struct
    return claims.select(
        customer_id=pl.coalesce(report["customer_id"], report["app_user_id"], "customer"),
        product_id=pl.coalesce(report["product_id"], report["productIdentifier"]),
        at=pl.coalesce(report["reported_at"], "received_at").str.to_datetime(
            "%+", time_unit="ms", time_zone="UTC", strict=False).dt.epoch("ms"),
        currency=pl.coalesce(
            report["currency"], report["priceLocale"].struct["currencyCode"]),
        price=report["price"].cast(pl.Float64, strict=False),
    ).drop_nulls(["customer_id", "product_id", "at", "price"])


def read(path):
    """One file of either kind."""
    return receipts(path) if "/receipts/" in path else reports(path)


def main(store, output):
    paths = glob(f"{store}/receipts/*.gz") + glob(f"{store}/prices/*.gz")
    paths.sort(key=os.path.getsize, reverse=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(read, paths))
    rows = pl.concat([rows for rows, _ in found if rows is not None])
    prices = pl.concat([prices for _, prices in found]).sort("at")
    del found
    integers = ["purchase_date_ms", "expires_date_ms", "cancellation_date_ms", "quantity"]
    facts = rows.lazy().sort("request_date_ms", maintain_order=True).unique(
        "purchase", keep="last"
    ).select(
        "purchase", "transaction_id", "original_transaction_id", "product_id", "customer_id",
        *[pl.col(name).cast(pl.Int64) for name in integers],
        is_trial=pl.col("is_trial_period") == "true",
        is_intro=pl.col("is_in_intro_offer_period") == "true",
        offer_id=pl.coalesce("promotional_offer_id", "offer_code_ref_name"),
    ).with_columns(until=pl.col("purchase_date_ms") + 86_400_000).sort("until").join_asof(
        prices.lazy(), left_on="until", right_on="at", by=["customer_id", "product_id"],
        check_sortedness=False
    ).drop("until", "at").collect()
    facts.write_parquet(output)
    print(json.dumps({"rows": facts.height, "priced": facts["price"].count()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
