"""The peer in Polars, on all cores: this module reads, polars_facts computes the tables.

The response of a record is an object or a string, or the record is a bare response. Polars' JSON
reader needs one type per field. So lines are sorted by shape, and each shape is decoded with a
schema of the necessary fields.

Usage: polars_frames.py STORE OUTPUT
"""

import gzip
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import orjson
import polars as pl

import polars_facts
import tables

ROW = pl.List(pl.Struct({
    name: pl.String for name in [
        "web_order_line_item_id", "transaction_id", "original_transaction_id", "product_id",
        "subscription_group_identifier", "purchase_date", "purchase_date_ms", "expires_date",
        "expires_date_ms", "is_trial_period", "is_in_intro_offer_period", "promotional_offer_id",
        "offer_code_ref_name", "cancellation_date", "cancellation_reason", "is_upgraded",
        "in_app_ownership_type", "quantity"]}))
RESPONSE = {
    "environment": pl.String,
    "receipt": pl.Struct({"request_date_ms": pl.String, "bundle_id": pl.String, "in_app": ROW}),
    "latest_receipt_info": ROW}
REPORT = {
    name: pl.String for name in [
        "customer_id", "app_user_id", "product_id", "productIdentifier", "currency", "reported_at",
        "price", "storefront", "store_country", "transaction_id"]
} | {"priceLocale": pl.Struct({"currencyCode": pl.String})}
OUTER = {
    "received_at": pl.String, "customer_id": pl.String, "storefront": pl.String,
    "price_report": pl.Struct(REPORT)}
STOREFRONT = pl.col("storefront").replace(tables.STOREFRONTS)


def decode(numbered, schema):
    """Decodes numbered lines of JSON into a frame.

    ignore_errors only ignores wrong types; on invalid JSON it decodes the valid lines again.
    """
    numbers, lines = zip(*numbered)
    try:
        frame = pl.read_ndjson(b"\n".join(lines), schema=schema, ignore_errors=True)
    except pl.exceptions.ComputeError:
        return decode([one for one in numbered if is_json(one[1])], schema)
    return frame.with_columns(line=pl.Series(numbers, dtype=pl.Int64))


def is_json(line):
    """Whether a line is valid JSON."""
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def receipts(file, path):
    """Reads a file: the newest observations, all ids, the price reports, the newest request time."""
    with gzip.open(path, "rb") as stream:
        lines = stream.read().split(b"\n")
    # Three shapes, distinguished by the text of `response`, so that each line is decoded once.
    bare, nested, quoted = [], [], []
    for numbered in enumerate(lines, 1):
        line = numbered[1]
        if not line.endswith(b"}") or line.count(b"{") != line.count(b"}"):
            continue  # Truncated.
        if b'"response":{' in line:
            nested.append(numbered)
        elif b'"response":"' in line:
            quoted.append(numbered)
        else:
            bare.append(numbered)
    if not (bare or nested or quoted):
        return None, None, None, 0
    frames = []
    if bare:
        frames.append(decode(bare, OUTER | RESPONSE))
    if nested:
        frames.append(decode(nested, OUTER | {"response": pl.Struct(RESPONSE)}).unnest("response"))
    if quoted:
        text = decode(quoted, OUTER | {"response": pl.String})
        frames.append(text.with_columns(
            pl.col("response").str.json_decode(pl.Struct(RESPONSE))).unnest("response"))
    del lines, bare, nested, quoted
    records = pl.concat(frames, how="diagonal").filter(
        (pl.col("environment") == "Production") & pl.col("receipt").is_not_null()
    ).unnest("receipt").with_columns(
        STOREFRONT, pl.col("request_date_ms").cast(pl.Int64), file=pl.lit(file, pl.Int64))
    keys = ["request_date_ms", "bundle_id", "customer_id", "storefront", "file", "line"]
    rows = pl.concat([
        records.select(*keys, pl.lit(part).alias("part"), pl.col(name).alias("row"))
        .explode("row").drop_nulls("row")
        for part, name in enumerate(["in_app", "latest_receipt_info"])
    ]).unnest("row").filter(
        pl.col("in_app_ownership_type").ne_missing("FAMILY_SHARED")
    ).with_columns(
        purchase_key=pl.coalesce(
            "web_order_line_item_id", "original_transaction_id").cast(pl.Int64))
    ids = rows.select("transaction_id", "purchase_key").unique()
    claims = records.filter(pl.col("price_report").is_not_null()).select(
        "file", "line", "received_at", "price_report", customer="customer_id", place="storefront")
    return newest(rows), ids, priced(claims), records["request_date_ms"].max()


def newest(rows):
    """The newest observation of each purchase; in one snapshot, that in latest_receipt_info."""
    return rows.sort("request_date_ms", "part", "file", "line").unique("purchase_key", keep="last")


def reports(file, path):
    """Reads a file of price reports."""
    with gzip.open(path, "rb") as stream:
        lines = stream.read().split(b"\n")
    numbered = [line for line in enumerate(lines, 1) if line[1].endswith(b"}")]
    if not numbered:
        return None, None, None, 0
    frame = decode(numbered, REPORT)
    nothing = pl.lit(None, pl.String)
    return None, None, priced(frame.select(
        "line", pl.struct(*REPORT).alias("price_report"), file=pl.lit(file, pl.Int64),
        customer=nothing, received_at=nothing, place=nothing)), 0


def priced(claims):
    """Converts price reports into the columns that polars_facts reads."""
    report = pl.col("price_report").struct
    return claims.select(
        "file", "line", evidence_id=pl.col("file") * tables.FILE + pl.col("line"),
        customer_id=pl.coalesce(report["customer_id"], report["app_user_id"], "customer"),
        product_id=pl.coalesce(report["product_id"], report["productIdentifier"]),
        transaction_id=report["transaction_id"],
        storefront=pl.coalesce(report["storefront"], report["store_country"], "place"),
        reported_at=pl.coalesce(report["reported_at"], "received_at"),
        currency=pl.coalesce(
            report["currency"], report["priceLocale"].struct["currencyCode"]),
        price_milli=(report["price"].cast(pl.Float64, strict=False) * 1000 + 0.5).floor()
        .cast(pl.Int64),
    ).with_columns(
        STOREFRONT, at=pl.col("reported_at").str.to_datetime(
            "%+", time_unit="ms", time_zone="UTC", strict=False).dt.epoch("ms"),
    ).drop_nulls(["product_id", "at", "currency", "price_milli"])


def read(job):
    """Reads one file of receipts or of price reports."""
    return receipts(*job) if "/receipts/" in job[1] else reports(*job)


def main(store, output):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(read, tables.largest_first(tables.exports(store))))
    rows = newest(pl.concat([rows for rows, *_ in found if rows is not None]))
    ids = pl.concat([ids for _, ids, *_ in found if ids is not None])
    prices = pl.concat([prices for *_, prices, _ in found if prices is not None])
    as_of = max(moment for *_, moment in found)
    del found
    polars_facts.write(output, store, rows, ids, prices, as_of)


if __name__ == "__main__":
    main(*sys.argv[1:])
