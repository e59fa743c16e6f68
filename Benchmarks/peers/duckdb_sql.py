"""The peer in DuckDB, on all cores; DuckDB's SQLite extension writes the database.

The response of a record is an object or a string, or the record is a bare response. So lines are
read as JSON values, and json_transform extracts the named fields. duckdb_facts.sql computes the
tables.

Usage: duckdb_sql.py STORE OUTPUT
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb
import tables
from duckdb_extensions import import_extension

ROW = {name: "VARCHAR" for name in [
    "web_order_line_item_id", "transaction_id", "original_transaction_id", "product_id",
    "subscription_group_identifier", "purchase_date", "expires_date", "is_trial_period",
    "is_in_intro_offer_period", "promotional_offer_id", "offer_code_ref_name",
    "cancellation_date", "cancellation_reason", "is_upgraded", "in_app_ownership_type"]} | {
        "purchase_date_ms": "BIGINT", "expires_date_ms": "BIGINT", "quantity": "INTEGER"}
RESPONSE = {
    "environment": "VARCHAR",
    "receipt": {"request_date_ms": "BIGINT", "bundle_id": "VARCHAR", "in_app": [ROW]},
    "latest_receipt_info": [ROW]}
REPORT = {name: "VARCHAR" for name in [
    "customer_id", "app_user_id", "product_id", "productIdentifier", "currency", "reported_at",
    "storefront", "store_country", "transaction_id"]} | {
        "priceLocale": {"currencyCode": "VARCHAR"}, "price": "DOUBLE"}
RECORD = {
    **RESPONSE, "received_at": "VARCHAR", "customer_id": "VARCHAR", "storefront": "VARCHAR",
    "price_report": REPORT}


def shape(structure):
    """Encodes a structure as an argument of json_transform."""
    return json.dumps(structure)


def lines(file, path):
    """SQL for the valid JSON lines of a file, with file and line numbers."""
    return f"""(
        SELECT json, {file} AS file, ROW_NUMBER() OVER () AS line
        FROM read_ndjson_objects('{path}', ignore_errors = true))"""


def receipts(file, path):
    """SQL that loads the receipts of a file.

    Most lines are parsed once; a response that is a string is parsed in a second pass.
    """
    return f"""
        INSERT INTO record
        SELECT
          file, line, record.received_at AS received_at, record.customer_id AS customer_id,
          record.storefront AS storefront, record.price_report AS price_report,
          COALESCE(record.response.receipt, quoted.receipt, record.receipt) AS receipt,
          COALESCE(record.response.latest_receipt_info, quoted.latest_receipt_info,
            record.latest_receipt_info) AS latest
        FROM (
          SELECT file, line, record, CASE
              WHEN record.environment IS NULL AND record.response.environment IS NULL
              THEN json_transform(json ->> '$.response', '{shape(RESPONSE)}')
            END AS quoted
          FROM (
            SELECT json, file, line,
              json_transform(json, '{shape(RECORD | {"response": RESPONSE})}') AS record
            FROM {lines(file, path)}))
        WHERE COALESCE(
            record.response.environment, quoted.environment, record.environment) = 'Production'
          AND receipt IS NOT NULL"""


def reports(file, path):
    """SQL that loads a file of price reports."""
    return f"""
        INSERT INTO report
        SELECT file, line, NULL, NULL, NULL, json_transform(json, '{shape(REPORT)}')
        FROM {lines(file, path)} WHERE json IS NOT NULL"""


def read(database, store):
    """Fills the tables record and report; one thread per file, to use all cores."""
    nothing = f"json_transform('{{}}'::JSON, '{shape(RECORD)}')"
    database.execute(
        f"""
        CREATE TABLE record AS
        SELECT 0 AS file, 0::BIGINT AS line, one.received_at AS received_at,
          one.customer_id AS customer_id, one.storefront AS storefront,
          one.price_report AS price_report, one.receipt AS receipt,
          one.latest_receipt_info AS latest
        FROM (SELECT {nothing} AS one) LIMIT 0;
        CREATE TABLE report AS
        SELECT file, line, customer_id, storefront, received_at, price_report AS report FROM record
        """)

    def load(job):
        with database.cursor() as cursor:
            cursor.execute((receipts if "/receipts/" in job[1] else reports)(*job))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(load, tables.largest_first(tables.exports(store))))
    database.execute(
        """
        INSERT INTO report
        SELECT file, line, customer_id, storefront, received_at, price_report
        FROM record WHERE price_report IS NOT NULL
        """)


def main(store, output):
    tables.created(output).execute("COMMIT")
    import_extension("sqlite_scanner")
    database = duckdb.connect()
    database.execute("LOAD sqlite_scanner")
    read(database, store)
    storefronts = ", ".join(f"'{short}': '{long}'" for short, long in tables.STOREFRONTS.items())
    database.execute(
        f"CREATE MACRO storefront(name) AS COALESCE(MAP {{{storefronts}}}[name], name)")
    rates = f"{store}/eurofxref-hist.csv"
    database.execute(
        "CREATE TEMP TABLE day AS SELECT *, '1' AS EUR "
        f"FROM read_csv('{rates}', all_varchar = true, nullstr = ['N/A', ''])")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "duckdb_facts.sql")) as file:
        database.execute(file.read())
    # The extension inserts the mode into a PRAGMA, and has no option for `synchronous`.
    mode = "OFF; PRAGMA synchronous = OFF"
    database.execute(f"ATTACH '{output}' AS result (TYPE sqlite, JOURNAL_MODE '{mode}')")
    database.execute("BEGIN")
    for table in tables.TABLES:
        names = tables.columns(table)
        database.execute(
            f"INSERT INTO result.{table} "
            f"SELECT {', '.join(names)} FROM {table} ORDER BY {names[0]}")
    database.execute("COMMIT")
    database.execute("DETACH result")
    tables.index(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
