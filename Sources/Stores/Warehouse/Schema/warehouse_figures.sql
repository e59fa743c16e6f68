-- Figures: tables that each publication fills anew from the definitions of the same names in
-- warehouse_views_completeness.sql, because many views read them.

CREATE TABLE subscription_not_seen (
  -- One row per subscription whose end nobody has looked at since: whether it was renewed is not
  -- known. It counts as not seen from first_date on, until the day before end_date.
  original_transaction_id TEXT NOT NULL UNIQUE,
  purchase_key INTEGER NOT NULL PRIMARY KEY,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  seen_through_at TEXT NOT NULL,
  first_date TEXT NOT NULL,
  end_date TEXT NOT NULL,
  paid_milli INTEGER,
  mrr_high_reporting_micros INTEGER
) STRICT;

CREATE TABLE completeness_daily (
  -- One row per day of dim_date: whether the figures of the day are complete, and why not.
  date_day TEXT NOT NULL PRIMARY KEY,
  running_subscriptions INTEGER NOT NULL,
  not_seen_subscriptions INTEGER NOT NULL,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE completeness_monthly (
  -- One row per month of dim_date: complete if it has ended and all its days are complete.
  month TEXT NOT NULL PRIMARY KEY,
  next_month TEXT NOT NULL,
  last_day TEXT NOT NULL UNIQUE,
  is_complete INTEGER NOT NULL,
  has_ended INTEGER NOT NULL
) STRICT;
