"""The peers' job in DuckDB, on all cores. The table goes to DuckDB's own file format, which is
faster for it than SQLite.

A response is an object in most records and a text in some, and stands alone in others; so lines are
read as JSON values and shaped by json_transform, which reads only the fields that are named.

Usage: duckdb_sql.py STORE OUTPUT
"""

import json
import sys

import duckdb

ROW = {
    "web_order_line_item_id": "VARCHAR", "transaction_id": "VARCHAR",
    "original_transaction_id": "VARCHAR", "product_id": "VARCHAR", "purchase_date_ms": "BIGINT",
    "expires_date_ms": "BIGINT", "is_trial_period": "VARCHAR",
    "is_in_intro_offer_period": "VARCHAR", "promotional_offer_id": "VARCHAR",
    "offer_code_ref_name": "VARCHAR", "cancellation_date_ms": "BIGINT", "quantity": "INTEGER"}
RESPONSE = {
    "environment": "VARCHAR",
    "receipt": {"request_date_ms": "BIGINT", "in_app": [ROW]},
    "latest_receipt_info": [ROW]}
REPORT = {
    "customer_id": "VARCHAR", "app_user_id": "VARCHAR", "product_id": "VARCHAR",
    "productIdentifier": "VARCHAR", "currency": "VARCHAR",
    "priceLocale": {"currencyCode": "VARCHAR"}, "reported_at": "VARCHAR", "price": "DOUBLE"}
RECORD = {
    **RESPONSE, "received_at": "VARCHAR", "customer_id": "VARCHAR", "price_report": REPORT}


def shape(structure):
    """A structure as json_transform takes it."""
    return json.dumps(structure)


def main(store, output):
    database = duckdb.connect(output)
    database.execute("SET preserve_insertion_order = false")
    database.execute(
        f"""
        CREATE TEMP TABLE record AS
        WITH line AS (
          SELECT json FROM read_ndjson_objects('{store}/receipts/*.gz', ignore_errors = true)
        ), part AS (
          SELECT json, json_extract(json, '$.response') AS response FROM line
          WHERE json IS NOT NULL
        ), shaped AS (
          SELECT
            json_transform(json, '{shape(RECORD)}') AS record,
            CASE json_type(response)
              WHEN 'VARCHAR' THEN json_transform(response ->> '$', '{shape(RESPONSE)}')
              WHEN 'OBJECT' THEN json_transform(response, '{shape(RESPONSE)}')
            END AS inner_response
          FROM part
        )
        SELECT
          record.received_at AS received_at, record.customer_id AS customer_id,
          record.price_report AS price_report,
          COALESCE(inner_response.receipt, record.receipt) AS receipt,
          COALESCE(inner_response.latest_receipt_info, record.latest_receipt_info) AS latest
        FROM shaped
        WHERE COALESCE(inner_response.environment, record.environment) = 'Production'
          AND receipt IS NOT NULL
        """)
    database.execute(
        f"""
        CREATE TEMP TABLE price AS
        WITH report AS (
          SELECT NULL AS customer, NULL AS received_at,
            json_transform(json, '{shape(REPORT)}') AS report
          FROM read_ndjson_objects('{store}/prices/*.gz', ignore_errors = true)
          WHERE json IS NOT NULL
          UNION ALL
          SELECT customer_id, received_at, price_report FROM record WHERE price_report IS NOT NULL
        )
        SELECT
          COALESCE(report.customer_id, report.app_user_id, customer) AS customer_id,
          COALESCE(report.product_id, report.productIdentifier) AS product_id,
          epoch_ms(TRY_CAST(COALESCE(report.reported_at, received_at) AS TIMESTAMPTZ)) AS shown_ms,
          COALESCE(report.currency, report.priceLocale.currencyCode) AS currency,
          report.price AS price
        FROM report
        WHERE price IS NOT NULL AND shown_ms IS NOT NULL AND customer_id IS NOT NULL
          AND product_id IS NOT NULL
        """)
    database.execute(
        """
        CREATE TABLE fact AS
        WITH sighting AS (
          SELECT receipt.request_date_ms AS snapshot, customer_id,
            UNNEST(list_concat(receipt.in_app, latest)) AS row
          FROM record
        ), purchase AS (
          SELECT COALESCE(row.web_order_line_item_id, row.transaction_id) AS purchase,
            arg_max(row, snapshot) AS row, arg_max({'id': customer_id}, snapshot).id AS customer_id
          FROM sighting GROUP BY 1
        ), flat AS (
          SELECT purchase, row.transaction_id, row.original_transaction_id, row.product_id,
            customer_id, row.purchase_date_ms AS purchased_ms, row.expires_date_ms AS expires_ms,
            row.is_trial_period = 'true' AS is_trial,
            row.is_in_intro_offer_period = 'true' AS is_intro,
            COALESCE(row.promotional_offer_id, row.offer_code_ref_name) AS offer_id,
            row.cancellation_date_ms AS cancelled_ms, row.quantity,
            row.purchase_date_ms + 86400000 AS until
          FROM purchase
        )
        SELECT flat.* EXCLUDE (until), price.currency, price.price
        FROM flat ASOF LEFT JOIN price
          ON flat.customer_id = price.customer_id AND flat.product_id = price.product_id
          AND flat.until >= price.shown_ms
        """)
    rows, priced = database.execute("SELECT COUNT(*), COUNT(price) FROM fact").fetchone()
    database.close()
    print(json.dumps({"rows": rows, "priced": priced}))


if __name__ == "__main__":
    main(*sys.argv[1:])
