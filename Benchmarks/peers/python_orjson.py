"""The peer in plain Python: orjson and sqlite3, one process per core.

Usage: python_orjson.py STORE OUTPUT
"""

import gc
import gzip
import os
import sys
from datetime import datetime
from multiprocessing import Pool

import orjson

import python_facts
import tables

HOME = tables.STOREFRONTS


def lines(path):
    """Yields the valid JSON lines of a file, with line numbers."""
    with gzip.open(path, "rb") as file:
        text = file.read()
    for number, line in enumerate(text.split(b"\n"), 1):
        try:
            yield number, orjson.loads(line)
        except orjson.JSONDecodeError:
            continue


def price(report, file, line, record):
    """Converts a price report for python_facts; None without product, currency, price or time."""
    product = report.get("product_id") or report.get("productIdentifier")
    currency = report.get("currency") or (report.get("priceLocale") or {}).get("currencyCode")
    shown = report.get("reported_at") or record.get("received_at")
    try:
        amount = int(float(report["price"]) * 1000 + 0.5)
        at = int(datetime.fromisoformat(shown).timestamp() * 1000)
    except (KeyError, TypeError, ValueError):
        return None
    if not product or not currency:
        return None
    customer = report.get("customer_id") or report.get("app_user_id") or record.get("customer_id")
    storefront = (
        report.get("storefront") or report.get("store_country") or record.get("storefront"))
    return (
        at, file * tables.FILE + line, customer, product, currency, amount,
        HOME.get(storefront, storefront), report.get("transaction_id"), shown, file, line)


def receipts(file, path):
    """Reads a file: the newest observation of each purchase, all ids, and the price reports.

    The last value is the newest request time.
    """
    newest, ids, prices, as_of = {}, {}, [], 0
    for line, record in lines(path):
        response = record.get("response", record)
        if isinstance(response, str):
            response = orjson.loads(response)
        receipt = response.get("receipt")
        if response.get("environment") != "Production" or not receipt:
            continue
        at = int(receipt["request_date_ms"])
        as_of = max(as_of, at)
        if (report := record.get("price_report")) and (
                found := price(report, file, line, record)):
            prices.append(found)
        parts = receipt.get("in_app"), response.get("latest_receipt_info")
        for part, rows in enumerate(parts):
            for row in rows or ():
                if row.get("in_app_ownership_type") == "FAMILY_SHARED":
                    continue
                key = int(row.get("web_order_line_item_id") or row["original_transaction_id"])
                ids[row["transaction_id"]] = key
                known = newest.get(key)
                if known is None or (at, part, file, line) >= known[0]:
                    newest[key] = (at, part, file, line), row, receipt["bundle_id"], record
    return {key: purchase(key, *seen) for key, seen in newest.items()}, ids, prices, as_of


def instant(text):
    """Converts Apple's date text to ISO 8601."""
    return text and f"{text[:10]}T{text[11:19]}Z"


def kind(row, expires, is_trial):
    """The period kind, payment mode and offer of a row."""
    code, promotion = row.get("offer_code_ref_name"), row.get("promotional_offer_id")
    name = (
        "offer_code" if code else "promo" if promotion else "trial" if is_trial else
        "intro" if row.get("is_in_intro_offer_period") == "true" else
        "regular" if expires else "one_time")
    plain = name in ("regular", "one_time")
    mode = "free_trial" if is_trial else "standard" if plain else "unknown"
    return name, mode, code or promotion


FLAGS = {"true": 1, "false": 0}


def purchase(key, rank, row, bundle, record):
    """Converts the newest observation of a purchase for python_facts."""
    expires, item = instant(row.get("expires_date")), row.get("web_order_line_item_id")
    purchased, cancelled = instant(row["purchase_date"]), instant(row.get("cancellation_date"))
    is_trial = row.get("is_trial_period") == "true"
    name, mode, offer = kind(row, expires, is_trial)
    reversal = "none"
    if row.get("is_upgraded") == "true":
        reversal, cancelled = "upgrade", cancelled or expires
    elif cancelled:
        reversal = "refund"
    access = min(expires, cancelled) if expires and cancelled else expires or cancelled
    expires_ms, storefront = row.get("expires_date_ms"), record.get("storefront")
    return (
        rank, key, int(row["purchase_date_ms"]), expires_ms and int(expires_ms),
        record.get("customer_id"), HOME.get(storefront, storefront), bundle,
        row["transaction_id"], row["original_transaction_id"], item,
        row.get("subscription_group_identifier"), row["product_id"],
        "auto_renewable_subscription" if item else "unknown", purchased, expires, access, name,
        mode, offer, FLAGS.get(row.get("is_trial_period")),
        FLAGS.get(row.get("is_in_intro_offer_period")), int(row["quantity"]), reversal, cancelled,
        row.get("cancellation_reason"))


def read(job):
    """Reads one file of receipts or of price reports."""
    gc.disable()
    file, path = job
    if "/receipts/" in path:
        return receipts(file, path)
    found = (price(report, file, line, {}) for line, report in lines(path))
    return {}, {}, [one for one in found if one], 0


def main(store, output):
    gc.disable()  # No reference cycles are created here.
    newest, ids, prices, as_of = {}, {}, [], 0
    with Pool(os.cpu_count()) as pool:
        jobs = tables.largest_first(tables.exports(store))
        for some, names, more, latest in pool.imap_unordered(read, jobs, chunksize=1):
            as_of = max(as_of, latest)
            prices += more
            for key, row in some.items():
                known = newest.get(key)
                if known is None or row[0] > known[0]:
                    newest[key] = row
            for name, key in names.items():
                ids[name] = min(key, ids.get(name, key))
    python_facts.write(output, store, newest, ids, prices, as_of)


if __name__ == "__main__":
    main(*sys.argv[1:])
