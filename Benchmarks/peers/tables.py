"""Shared by all peers: the list of exports, and the tables and indexes of the result.

The tables have the names of the warehouse's (warehouse_tables.sql), and those of its columns that
a simple pipeline can fill. They have no CHECKs, foreign keys and STRICT, which only cost time.
"""

import hashlib
import os
import sqlite3
from glob import glob

DAY = 86_400_000
# The id of a price report is file × FILE + line.
FILE = 10_000_000
# Exports have storefronts as alpha-2 and alpha-3 codes of ISO 3166-1; these are in the sample.
STOREFRONTS = {
    "BR": "BRA", "DE": "DEU", "FR": "FRA", "GB": "GBR", "JP": "JPN", "KW": "KWT", "PL": "POL",
    "US": "USA"}

# The app of every product in the stores.
BUNDLE = "app.paidline.sample"

# The tables in the order in which they are filled; the first column is the key.
TABLES = {
    "fct_revenue": """
        purchase_key INTEGER PRIMARY KEY, bundle_id TEXT, transaction_id TEXT,
        original_transaction_id TEXT, web_order_line_item_id TEXT, subscription_group_id TEXT,
        product_id TEXT, product_kind TEXT, customer_key TEXT, purchased_at TEXT,
        purchased_date TEXT, expires_at TEXT, access_ends_at TEXT, period_kind TEXT,
        payment_mode TEXT, offer_id TEXT, is_trial_period INTEGER,
        is_in_intro_offer_period INTEGER, renewal_number INTEGER, paid_number INTEGER,
        quantity INTEGER, currency TEXT, storefront TEXT, list_price_milli INTEGER,
        paid_milli INTEGER, price_status TEXT, evidence_id INTEGER,
        paid_reporting_micros INTEGER, fx_rate_date TEXT, reversal_kind TEXT, reversed_at TEXT,
        reversal_reason TEXT, source_file_id INTEGER, source_line INTEGER""",
    "bridge_transaction_id": "transaction_id TEXT PRIMARY KEY, purchase_key INTEGER",
    "fct_revenue_entry": """
        entry_key INTEGER PRIMARY KEY, purchase_key INTEGER, entry_kind TEXT, entry_date TEXT,
        amount_milli INTEGER, currency TEXT, amount_reporting_micros INTEGER,
        amount_basis TEXT""",
    "fct_conversion": """
        offer_purchase_key INTEGER PRIMARY KEY, original_transaction_id TEXT,
        subscription_group_id TEXT, customer_key TEXT, offer_number INTEGER, offer_kind TEXT,
        payment_mode TEXT, offer_id TEXT, offer_product_id TEXT, storefront TEXT, currency TEXT,
        started_at TEXT, started_date TEXT, ends_at TEXT, offer_periods INTEGER,
        offer_paid_milli INTEGER, status TEXT, converted_at TEXT,
        converted_purchase_key INTEGER, converted_product_id TEXT, is_same_product INTEGER,
        is_contiguous INTEGER, days_to_convert INTEGER, converted_paid_milli INTEGER,
        converted_price_status TEXT, conversion_refunded_at TEXT, matures_at TEXT,
        is_mature INTEGER""",
    "dim_subscription": """
        original_transaction_id TEXT PRIMARY KEY, bundle_id TEXT, subscription_group_id TEXT,
        customer_key TEXT, first_started_at TEXT, first_trial_at TEXT, first_paid_at TEXT,
        current_product_id TEXT, status TEXT, expires_at TEXT, paid_count INTEGER""",
    "price_evidence": """
        evidence_id INTEGER PRIMARY KEY, bundle_id TEXT, product_id TEXT, customer_key TEXT,
        transaction_id TEXT, purchase_key INTEGER, storefront TEXT, currency TEXT,
        price_milli INTEGER, reference_milli INTEGER, reported_at TEXT,
        source_file_id INTEGER, source_line INTEGER, verdict TEXT"""}

INDEXES = os.path.join(
    os.path.dirname(os.path.abspath(__file__)),
    "../../Sources/Stores/Warehouse/Schema/warehouse_indexes.sql")


def columns(table):
    """The names of a table's columns, in order."""
    return [column.split()[0] for column in TABLES[table].split(",")]


def exports(store):
    """All exports with their numbers: receipts, then price reports, each sorted by name."""
    paths = sorted(glob(f"{store}/receipts/*.gz")) + sorted(glob(f"{store}/prices/*.gz"))
    return [(number, path) for number, path in enumerate(paths, 1)]


def largest_first(files):
    """Sorts files by size, largest first, so that all cores end at about the same time."""
    return sorted(files, key=lambda file: os.path.getsize(file[1]), reverse=True)


def customer_key(customer):
    """Hashes a customer id; a missing one stays None."""
    return customer and hashlib.sha256(customer.encode()).hexdigest()[:32]


def created(output):
    """Creates a database with empty tables, in an open transaction without journal and sync."""
    database = sqlite3.connect(output, isolation_level=None)
    database.execute("PRAGMA page_size = 16384")
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    for table, definition in TABLES.items():
        database.execute(f"CREATE TABLE {table} ({definition})")
    return database


def insert(database, table, rows):
    """Inserts rows into a table; they must be sorted by its key."""
    marks = ", ".join("?" * len(columns(table)))
    database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def finished(database):
    """Commits, creates the indexes of the warehouse, and closes the database."""
    database.execute("COMMIT")
    with open(INDEXES) as file:
        database.executescript(file.read())
    database.close()


def index(output):
    """Creates the indexes in a database that another library has filled."""
    database = sqlite3.connect(output, isolation_level=None)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    finished(database)
