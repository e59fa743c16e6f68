-- Figures: tables that each publication fills from the definitions of the same names in
-- warehouse_views_completeness.sql, because many views read them. All are filled anew, but for
-- recurring_change_daily, to which a run adds the differences of the purchases that it changes.

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

CREATE TABLE recurring_change_daily (
  -- One row per day, app, product, storefront and currency on which a period of an auto-renewable
  -- subscription begins or ends: what the subscriptions that run, and monthly recurring revenue,
  -- gain and lose. Sums through a day are what it ends with.
  date_day                           TEXT NOT NULL,
  bundle_id                          TEXT NOT NULL,  -- '' = not known
  product_id                         TEXT NOT NULL,
  storefront                         TEXT NOT NULL,  -- '' = not known
  currency                           TEXT NOT NULL,  -- '' = not known
  changes                            INTEGER NOT NULL,
  running                            INTEGER NOT NULL,
  paid                               INTEGER NOT NULL,
  unresolved                         INTEGER NOT NULL,
  begun                              INTEGER NOT NULL,
  begun_recurring                    INTEGER NOT NULL,
  unresolved_recurring               INTEGER NOT NULL,
  mrr_micros                         INTEGER NOT NULL,
  mrr_rc_compatible_micros           INTEGER NOT NULL,
  mrr_reporting_micros               INTEGER NOT NULL,
  mrr_rc_compatible_reporting_micros INTEGER NOT NULL,
  unconverted                        INTEGER NOT NULL,
  mrr_low_reporting_micros           INTEGER NOT NULL,
  mrr_high_reporting_micros          INTEGER NOT NULL,
  unbounded                          INTEGER NOT NULL,
  PRIMARY KEY (date_day, bundle_id, product_id, storefront, currency)
) STRICT;
