-- The analysts' database. Executed once for a new file, in one transaction.

CREATE TABLE price_evidence (
  -- One row per price report that decided or could have decided an amount.
  evidence_id     INTEGER NOT NULL PRIMARY KEY,
  product_id      TEXT NOT NULL,
  customer_key    TEXT,
  transaction_id  TEXT,
  purchase_key    INTEGER,  -- NULL also where that purchase is excluded
  storefront      TEXT,
  currency        TEXT NOT NULL,
  price_milli     INTEGER NOT NULL,
  reference_milli INTEGER,
  reported_at     TEXT NOT NULL,
  source_file_id  INTEGER NOT NULL,
  source_line     INTEGER NOT NULL,
  verdict         TEXT NOT NULL
    CHECK (verdict IN (
      'believed', 'no_reference', 'outlier', 'unit_error', 'currency_mismatch', 'outvoted',
      'distrusted')),
  CHECK (price_milli >= 0)
) STRICT;

CREATE TABLE fct_revenue (
  -- One row per App Store purchase event (one web order line item; a restore is not another),
  -- free periods included at 0. Production, PURCHASED rows only: SUM(paid_milli) of one currency
  -- needs no WHERE clause to be right.
  purchase_key             INTEGER NOT NULL PRIMARY KEY,
  bundle_id                TEXT,
  transaction_id           TEXT NOT NULL,
  original_transaction_id  TEXT NOT NULL,
  web_order_line_item_id   TEXT,
  subscription_group_id    TEXT,
  product_id               TEXT NOT NULL,
  product_kind             TEXT NOT NULL
    CHECK (product_kind IN ('auto_renewable_subscription', 'non_renewing_subscription',
      'consumable', 'non_consumable', 'unknown')),
  customer_key             TEXT,
  purchased_at             TEXT NOT NULL,
  purchased_date           TEXT NOT NULL,
  expires_at               TEXT,
  access_ends_at           TEXT,
  covered_period           TEXT,
  period_kind              TEXT NOT NULL
    CHECK (period_kind IN ('trial', 'intro', 'promo', 'offer_code', 'regular', 'one_time')),
  payment_mode             TEXT NOT NULL
    CHECK (payment_mode IN ('free_trial', 'pay_as_you_go', 'pay_up_front', 'standard', 'unknown')),
  offer_id                 TEXT,
  offer_name               TEXT,
  is_trial_period          INTEGER CHECK (is_trial_period IN (0, 1)),
  is_in_intro_offer_period INTEGER CHECK (is_in_intro_offer_period IN (0, 1)),
  spell_number             INTEGER,
  renewal_number           INTEGER,
  paid_number              INTEGER,
  quantity                 INTEGER NOT NULL,
  currency                 TEXT,
  storefront               TEXT,
  storefront_source        TEXT NOT NULL
    CHECK (storefront_source IN ('signed', 'price_report', 'export', 'inferred', 'unknown')),
  list_price_milli         INTEGER,
  paid_milli               INTEGER,  -- what was paid, tax included; NULL is not known
  paid_low_milli           INTEGER NOT NULL,
  paid_high_milli          INTEGER,
  signed_price_milli       INTEGER,  -- what Apple signed; NULL without a signed price
  price_status             TEXT NOT NULL
    CHECK (price_status IN ('exact', 'proven', 'derived', 'inferred', 'configured', 'zero_by_rule',
      'unresolved', 'conflict')),
  price_rule               TEXT NOT NULL
    CHECK (price_rule IN ('conflict', 'signed_price', 'apple_report', 'free_trial', 'free_offer',
      'reported_with_purchase', 'same_offer', 'previous_renewal', 'customer_report',
      'price_history', 'catalogue_offer', 'catalogue_price', 'unresolved')),
  evidence_id              INTEGER
    REFERENCES price_evidence (evidence_id) DEFERRABLE INITIALLY DEFERRED,
  basis_purchase_key       INTEGER,
  paid_reporting_micros    INTEGER,
  fx_rate_date             TEXT,
  proceeds_estimate_micros INTEGER,
  commission_bp            INTEGER,
  tax_bp                   INTEGER,
  reversal_kind            TEXT NOT NULL CHECK (reversal_kind IN ('none', 'refund', 'upgrade')),
  reversed_at              TEXT,
  reversal_reason          TEXT,
  refunded_milli           INTEGER,  -- where Apple says the share; else the whole amount is assumed
  is_billing_recovery      INTEGER NOT NULL CHECK (is_billing_recovery IN (0, 1)),
  first_run_id             INTEGER NOT NULL,
  changed_run_id           INTEGER NOT NULL,
  source_file_id           INTEGER NOT NULL,
  source_line              INTEGER NOT NULL,
  CHECK ((paid_milli IS NULL) = (price_status IN ('unresolved', 'conflict'))),
  CHECK (paid_milli IS NULL OR (paid_low_milli = paid_milli AND paid_high_milli IS NOT NULL
    AND paid_high_milli = paid_milli)),
  CHECK (paid_low_milli >= 0 AND (paid_high_milli IS NULL OR paid_high_milli >= paid_low_milli)),
  CHECK ((reversal_kind = 'none') = (reversed_at IS NULL)),
  CHECK (refunded_milli IS NULL OR reversal_kind = 'refund'),
  CHECK (refunded_milli IS NULL OR paid_milli IS NOT NULL AND refunded_milli BETWEEN 0 AND paid_milli),
  CHECK (price_rule <> 'signed_price' OR price_status = 'exact' AND paid_milli IS signed_price_milli),
  CHECK (paid_milli IS NULL OR paid_milli = 0 OR currency IS NOT NULL),
  CHECK (period_kind <> 'trial' OR paid_milli = 0),
  CHECK (price_status <> 'zero_by_rule' OR paid_milli IS 0),
  CHECK (period_kind <> 'trial' OR price_status = 'conflict' OR paid_milli IS 0),
  CHECK (transaction_id <> '' AND original_transaction_id <> '' AND product_id <> ''),
  CHECK (purchased_at GLOB '????-??-??T??:??:??Z' AND purchased_date = substr(purchased_at, 1, 10)),
  CHECK (access_ends_at <= expires_at AND access_ends_at <= reversed_at),
  CHECK ((paid_reporting_micros IS NULL) = (fx_rate_date IS NULL)),
  CHECK (paid_reporting_micros IS NULL OR paid_milli IS NOT NULL AND paid_reporting_micros >= 0),
  CHECK (fx_rate_date = purchased_date
    OR fx_rate_date < purchased_date AND fx_rate_date >= date(purchased_date, '-7 days')),
  CHECK (proceeds_estimate_micros IS NULL
    OR proceeds_estimate_micros BETWEEN 0 AND COALESCE(paid_reporting_micros, -1)),
  CHECK (proceeds_estimate_micros IS NULL OR proceeds_estimate_micros = 0
    OR commission_bp IS NOT NULL AND tax_bp IS NOT NULL),
  CHECK (commission_bp BETWEEN 0 AND 9999 AND tax_bp BETWEEN 0 AND 9999)
) STRICT;

CREATE TABLE bridge_transaction_id (
  -- One row per transaction id ever seen for a purchase, excluded purchases too.
  transaction_id TEXT NOT NULL PRIMARY KEY,
  purchase_key   INTEGER NOT NULL
) STRICT;

CREATE TABLE fct_revenue_entry (
  -- One row per money movement: charge on the purchase day, refund on the refund day (negative),
  -- upgrade credit (an estimate, left out of every default sum).
  entry_key              INTEGER NOT NULL PRIMARY KEY,
  purchase_key           INTEGER NOT NULL
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  entry_kind             TEXT NOT NULL
    CHECK (entry_kind IN ('charge', 'refund', 'upgrade_credit_estimate')),
  entry_date             TEXT NOT NULL,
  amount_milli           INTEGER NOT NULL,
  currency               TEXT NOT NULL,
  amount_reporting_micros INTEGER,
  amount_basis           TEXT NOT NULL
    CHECK (amount_basis IN ('paid', 'apple_share', 'full_assumed', 'prorated_estimate')),
  -- The key is the purchase's with its last two bits replaced by the kind.
  CHECK (entry_key = purchase_key & ~3
    | CASE entry_kind WHEN 'charge' THEN 0 WHEN 'refund' THEN 1 ELSE 2 END),
  CHECK (amount_milli <> 0)
) STRICT;

CREATE TABLE fct_conversion (
  -- One row per offer period begun by one subscription chain.
  offer_purchase_key      INTEGER NOT NULL PRIMARY KEY
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  original_transaction_id TEXT NOT NULL,
  subscription_group_id   TEXT,
  customer_key            TEXT,
  offer_number            INTEGER NOT NULL,
  offer_kind              TEXT NOT NULL
    CHECK (offer_kind IN ('trial', 'intro', 'promo', 'offer_code')),
  payment_mode            TEXT NOT NULL
    CHECK (payment_mode IN ('free_trial', 'pay_as_you_go', 'pay_up_front', 'standard', 'unknown')),
  offer_id                TEXT,
  offer_product_id        TEXT NOT NULL,
  storefront              TEXT,
  currency                TEXT,
  started_at              TEXT NOT NULL,
  started_date            TEXT NOT NULL,
  ends_at                 TEXT NOT NULL,
  offer_periods           INTEGER NOT NULL,
  offer_paid_milli        INTEGER,
  status                  TEXT NOT NULL
    CHECK (status IN ('pending', 'billing_retry', 'converted', 'lapsed')),
  converted_at            TEXT,
  converted_purchase_key  INTEGER
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  converted_product_id    TEXT,
  is_same_product         INTEGER CHECK (is_same_product IN (0, 1)),
  is_contiguous           INTEGER CHECK (is_contiguous IN (0, 1)),
  days_to_convert         INTEGER,
  converted_paid_milli    INTEGER,
  converted_price_status  TEXT
    CHECK (converted_price_status IN ('exact', 'proven', 'derived', 'inferred', 'configured',
      'zero_by_rule', 'unresolved', 'conflict')),
  conversion_refunded_at  TEXT,
  auto_renew_status       INTEGER CHECK (auto_renew_status IN (0, 1)),
  expiration_intent       TEXT,
  matures_at              TEXT NOT NULL,
  is_mature               INTEGER NOT NULL CHECK (is_mature IN (0, 1)),
  changed_run_id          INTEGER NOT NULL,
  CHECK ((status = 'converted') = (converted_at IS NOT NULL))
) STRICT;

CREATE TABLE dim_subscription (
  -- One row per subscription chain.
  original_transaction_id TEXT NOT NULL PRIMARY KEY,
  bundle_id               TEXT,
  subscription_group_id   TEXT,
  customer_key            TEXT,
  first_started_at        TEXT NOT NULL,
  first_trial_at          TEXT,
  first_paid_at           TEXT,
  current_product_id      TEXT NOT NULL,
  status                  TEXT NOT NULL
    CHECK (status IN ('trial', 'intro', 'promo', 'active', 'grace', 'billing_retry', 'expired',
      'revoked')),
  auto_renew_status       INTEGER CHECK (auto_renew_status IN (0, 1)),
  auto_renew_product_id   TEXT,
  expiration_intent       TEXT,
  grace_period_expires_at TEXT,
  expires_at              TEXT NOT NULL,
  spells                  INTEGER NOT NULL,
  paid_count              INTEGER NOT NULL
) STRICT;

CREATE TABLE dim_offer_eligibility (
  -- One row per customer and subscription group: what an offer screen may show.
  customer_key          TEXT NOT NULL,
  subscription_group_id TEXT NOT NULL,
  is_intro_eligible     INTEGER CHECK (is_intro_eligible IN (0, 1)),
  intro_reason          TEXT NOT NULL
    CHECK (intro_reason IN ('eligible', 'used_trial', 'used_intro', 'active', 'in_grace_period',
      'refunded')),
  is_promo_eligible     INTEGER NOT NULL CHECK (is_promo_eligible IN (0, 1)),
  PRIMARY KEY (customer_key, subscription_group_id),
  CHECK (is_promo_eligible = 1),
  CHECK (is_intro_eligible IS
    CASE intro_reason WHEN 'eligible' THEN 1 WHEN 'in_grace_period' THEN NULL ELSE 0 END)
) STRICT;

CREATE TABLE fct_renewal_state (
  -- One row per chain and change of its renewal state.
  original_transaction_id TEXT NOT NULL,
  observed_at             TEXT NOT NULL,
  product_id              TEXT,
  auto_renew_product_id   TEXT,
  auto_renew_status       INTEGER CHECK (auto_renew_status IN (0, 1)),
  expiration_intent       TEXT,
  is_in_billing_retry     INTEGER CHECK (is_in_billing_retry IN (0, 1)),
  grace_period_expires_at TEXT,
  price_consent_status    TEXT,
  PRIMARY KEY (original_transaction_id, observed_at)
) STRICT;

CREATE TABLE dim_product (
  -- One row per product named by a purchase, a price report or the catalogue.
  product_id            TEXT NOT NULL PRIMARY KEY,
  product_kind          TEXT NOT NULL
    CHECK (product_kind IN ('auto_renewable_subscription', 'non_renewing_subscription',
      'consumable', 'non_consumable', 'unknown')),
  subscription_period   TEXT,
  subscription_group_id TEXT
) STRICT;

CREATE TABLE dim_date (
  -- One row per UTC day, from the first purchase through the as-of day, or through a later one that
  -- the exports cover.
  date_day            TEXT NOT NULL PRIMARY KEY,
  month               TEXT NOT NULL,
  iso_week            TEXT NOT NULL,
  apple_fiscal_year   INTEGER,
  apple_fiscal_period INTEGER
) STRICT;

CREATE TABLE dim_product_price (
  -- One row per interval in which a price was in force, learned from reports.
  product_id       TEXT NOT NULL,
  currency         TEXT NOT NULL,
  storefront       TEXT NOT NULL,  -- '' = all that have no list of their own
  price_kind       TEXT NOT NULL CHECK (price_kind IN ('regular', 'intro', 'offer')),
  offer_id         TEXT NOT NULL,  -- '' unless offer
  payment_mode     TEXT NOT NULL
    CHECK (payment_mode IN ('', 'free_trial', 'pay_as_you_go', 'pay_up_front')),
  offer_length     TEXT NOT NULL,  -- 3xP1M; '' for regular, and where the reports do not tell it
  valid_from       TEXT NOT NULL,
  valid_to         TEXT,
  price_milli      INTEGER NOT NULL,
  voters           INTEGER NOT NULL,
  reports          INTEGER NOT NULL,
  rejected_reports INTEGER NOT NULL,
  PRIMARY KEY (
    product_id, currency, storefront, price_kind, offer_id, payment_mode, offer_length, valid_from),
  CHECK (valid_to >= valid_from)
) STRICT;

CREATE TABLE price_evidence_offer (
  -- One row per offer price in a report.
  evidence_id         INTEGER NOT NULL,
  offer_id            TEXT NOT NULL,  -- '' = introductory
  price_milli         INTEGER NOT NULL,
  payment_mode        TEXT NOT NULL
    CHECK (payment_mode IN ('free_trial', 'pay_as_you_go', 'pay_up_front')),
  number_of_periods   INTEGER,
  subscription_period TEXT,
  PRIMARY KEY (evidence_id, offer_id)
) STRICT;

CREATE TABLE excluded_purchase (
  -- One row per purchase that was left out of revenue.
  purchase_key   INTEGER NOT NULL PRIMARY KEY,
  transaction_id TEXT NOT NULL,
  reason         TEXT NOT NULL CHECK (reason IN ('sandbox', 'family_shared', 'foreign_bundle'))
) STRICT;

CREATE TABLE rejected_record (
  -- One row per record or row of an input file that could not be used, and reason.
  source_file_id INTEGER NOT NULL,
  source_line    INTEGER NOT NULL,
  reason_code    TEXT NOT NULL
    CHECK (reason_code IN (
      'invalid_json', 'invalid_utf8', 'control_character', 'nested_too_deep', 'record_too_large',
      'duplicate_key', 'not_an_object', 'wrong_type', 'not_a_receipt', 'no_usable_row',
      'status_21000',
      'status_21001', 'status_21002', 'status_21003', 'status_21004', 'status_21005',
      'status_21008', 'status_21009', 'status_211xx', 'status_unknown',
      'row_without_transaction_id', 'row_without_product_id', 'row_without_purchase_date',
      'row_invalid_flag', 'row_invalid_date', 'row_invalid_quantity', 'price_without_product',
      'price_without_currency', 'price_without_price', 'price_without_time',
      'price_invalid_currency', 'price_not_a_decimal', 'price_has_exponent', 'price_negative',
      'price_too_precise', 'price_too_large', 'price_invalid_time', 'price_invalid_offer',
      'token_truncated', 'token_malformed', 'token_header_too_large', 'token_payload_too_large',
      'token_header_unreadable', 'token_algorithm', 'token_critical_extension',
      'token_certificate_count', 'token_certificate_unreadable', 'token_root_not_trusted',
      'token_leaf_mark_missing', 'token_intermediate_mark_missing', 'token_chain_invalid',
      'token_key_kind', 'token_not_valid_at_signing', 'token_signature_wrong',
      'token_payload_unreadable', 'token_payload_unknown', 'token_field_missing',
      'token_field_invalid', 'token_signed_date_out_of_range', 'token_environment_not_signed',
      'token_environment', 'token_bundle', 'report_field_missing', 'report_field_invalid',
      'report_not_daily'
    )),
  detail         TEXT NOT NULL,
  PRIMARY KEY (source_file_id, source_line, reason_code)
) STRICT;

CREATE TABLE audit_run (
  -- One row per run that published.
  run_id                INTEGER NOT NULL PRIMARY KEY,
  kind                  TEXT NOT NULL CHECK (kind IN ('run', 'backfill', 'erase', 'full_refresh')),
  as_of                 TEXT NOT NULL,
  started_at            TEXT NOT NULL,
  finished_at           TEXT NOT NULL,
  complete_through_date TEXT,
  program_version       TEXT NOT NULL,
  rules_version         TEXT NOT NULL,
  files                 INTEGER NOT NULL,
  records               INTEGER NOT NULL,
  rejected              INTEGER NOT NULL,
  price_coverage_bp     INTEGER,
  exact_bp              INTEGER,
  content_digest        TEXT NOT NULL,
  state_generation      INTEGER NOT NULL,
  settings_sha256       TEXT NOT NULL,
  catalogue_sha256      TEXT,
  rates_sha256          TEXT,
  reporting_currency    TEXT
) STRICT;

CREATE TABLE audit_file (
  -- One row per input file.
  source_file_id INTEGER NOT NULL PRIMARY KEY,
  name           TEXT NOT NULL,
  sha256         TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('receipts', 'prices', 'signed', 'apple_reports')),
  status         TEXT NOT NULL CHECK (status IN ('used', 'refused', 'held', 'superseded')),
  export_date    TEXT,
  bytes          INTEGER NOT NULL,
  records        INTEGER NOT NULL,
  used           INTEGER NOT NULL,
  duplicates     INTEGER NOT NULL,
  rejected       INTEGER NOT NULL,
  first_run_id   INTEGER NOT NULL,
  UNIQUE (sha256, kind),
  CHECK (records = used + duplicates + rejected),
  CHECK (used >= 0 AND duplicates >= 0 AND rejected >= 0)
) STRICT;

CREATE TABLE audit_restatement (
  -- One row per run, published day and cause of a published figure that changed.
  run_id    INTEGER NOT NULL,
  metric    TEXT NOT NULL CHECK (metric IN ('gross', 'net', 'unresolved_rows')),
  date_day  TEXT NOT NULL,
  currency  TEXT NOT NULL,
  cause     TEXT NOT NULL
    CHECK (cause IN ('refund', 'late_receipt', 'late_price', 'price_history', 'catalogue',
      'rates', 'settings', 'rule_change', 'conflict', 'maturity')),
  old_milli INTEGER NOT NULL,
  new_milli INTEGER NOT NULL,
  rows      INTEGER NOT NULL,
  PRIMARY KEY (run_id, metric, date_day, currency, cause)
) STRICT;

CREATE TABLE audit_gate (
  -- One row per run and gate that tripped.
  run_id   INTEGER NOT NULL,
  gate     TEXT NOT NULL
    CHECK (gate IN ('refused_file', 'rejected_share', 'no_usable_record', 'empty_file',
      'volume_drop', 'missing_export_day', 'price_unit', 'useless_result', 'coverage_floor',
      'unexplained_share', 'data_test')),
  severity TEXT NOT NULL CHECK (severity IN ('warn', 'stop', 'accepted')),
  subject  TEXT NOT NULL,
  found    TEXT NOT NULL,
  expected TEXT NOT NULL,
  PRIMARY KEY (run_id, gate, subject)
) STRICT;

CREATE TABLE audit_backtest (
  -- One row per purchase with a signed price: what the rules say when all signed prices are hidden.
  purchase_key INTEGER NOT NULL PRIMARY KEY
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  signed_milli INTEGER NOT NULL,
  rule         TEXT NOT NULL
    CHECK (rule IN ('conflict', 'free_trial', 'free_offer', 'reported_with_purchase', 'same_offer',
      'previous_renewal', 'customer_report', 'price_history', 'catalogue_offer',
      'catalogue_price', 'unresolved')),
  status       TEXT NOT NULL
    CHECK (status IN ('exact', 'proven', 'derived', 'inferred', 'configured', 'zero_by_rule',
      'unresolved', 'conflict')),
  rule_milli   INTEGER,  -- NULL where the rules know bounds alone
  low_milli    INTEGER NOT NULL,
  high_milli   INTEGER,
  verdict      TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'bounds_hold', 'bounds_miss'))
) STRICT;

CREATE TABLE data_test_result (
  -- One row per run and data test.
  run_id       INTEGER NOT NULL,
  test         TEXT NOT NULL,
  severity     TEXT NOT NULL CHECK (severity IN ('warn', 'error')),
  failing_rows INTEGER NOT NULL,
  sql          TEXT NOT NULL,
  PRIMARY KEY (run_id, test)
) STRICT;

CREATE TABLE audit_apple_report (
  -- One row per Apple report that was read and counts, one without a line too.
  source_file_id INTEGER NOT NULL PRIMARY KEY,
  report         TEXT NOT NULL
    CHECK (report IN ('sales', 'subscriber', 'subscription_event', 'subscription', 'financial')),
  report_date    TEXT NOT NULL
) STRICT;

CREATE TABLE apple_report_line (
  -- One row per line of an Apple report that was read and counts.
  source_file_id   INTEGER NOT NULL,
  source_line      INTEGER NOT NULL,
  report           TEXT NOT NULL
    CHECK (report IN ('sales', 'subscriber', 'subscription_event', 'subscription', 'financial')),
  event_date       TEXT NOT NULL,
  product_id       TEXT,
  apple_id         TEXT,
  storefront       TEXT NOT NULL,
  currency         TEXT,
  units            INTEGER NOT NULL,
  unit_price_milli INTEGER CHECK (unit_price_milli >= 0),
  amount_milli     INTEGER NOT NULL,
  offer            TEXT,
  is_renewal       INTEGER CHECK (is_renewal IN (0, 1)),
  is_refund        INTEGER NOT NULL CHECK (is_refund IN (0, 1)),
  is_preserved     INTEGER CHECK (is_preserved IN (0, 1)),
  purchase_date    TEXT,
  subscriber       TEXT,
  PRIMARY KEY (source_file_id, source_line)
) STRICT;

CREATE TABLE audit_reconciliation (
  -- One row per month, product, storefront, currency and cause of difference between Apple's
  -- reports and the facts; the rows of a cell sum to its whole difference.
  month       TEXT NOT NULL,
  product_id  TEXT NOT NULL,
  storefront  TEXT NOT NULL,  -- empty where a row of the facts does not know it
  currency    TEXT NOT NULL,  -- empty where a row of the facts does not know it
  cause       TEXT NOT NULL
    CHECK (cause IN ('equal', 'day_boundary', 'refund', 'proration', 'price', 'receipt_missing',
      'not_charged', 'unexplained')),
  apple_units INTEGER NOT NULL,
  our_units   INTEGER NOT NULL,
  apple_milli INTEGER NOT NULL,
  our_milli   INTEGER NOT NULL,
  PRIMARY KEY (month, product_id, storefront, currency, cause)
) STRICT;

CREATE TABLE meta_column (
  -- One row per column of every table and view: what it means.
  table_name  TEXT NOT NULL,
  column_name TEXT NOT NULL,
  unit        TEXT,
  null_means  TEXT,
  description TEXT NOT NULL,
  PRIMARY KEY (table_name, column_name)
) STRICT;

CREATE TABLE meta_metric (
  -- One row per metric that a view computes.
  metric       TEXT NOT NULL PRIMARY KEY,
  definition   TEXT NOT NULL,
  view_name    TEXT NOT NULL,
  differs_from TEXT,
  edges        TEXT
) STRICT;

CREATE TABLE meta_rule (
  -- One row per rule that can decide an amount.
  rule      TEXT NOT NULL PRIMARY KEY,
  condition TEXT NOT NULL,
  result    TEXT NOT NULL,
  why       TEXT NOT NULL
) STRICT;
