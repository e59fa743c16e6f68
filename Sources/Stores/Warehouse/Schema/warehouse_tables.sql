-- The analysts' database. Executed once for a new file, in one transaction.

CREATE TABLE price_evidence (
  -- One row per price report that decided or could have decided an amount.
  evidence_id     INTEGER NOT NULL PRIMARY KEY,
  bundle_id       TEXT,
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
    CHECK (verdict = 'believed' OR verdict = 'no_reference' OR verdict = 'outlier'
      OR verdict = 'unit_error' OR verdict = 'currency_mismatch' OR verdict = 'outvoted'
      OR verdict = 'distrusted' OR verdict = 'charged' OR verdict = 'contested_place'
      OR verdict = 'other_product' OR verdict = 'impossible_date'
      OR verdict = 'impossible_amount' OR verdict = 'contested_charge'
      OR verdict = 'other_store' OR verdict = 'wrong_place'),
  evidence_kind   TEXT NOT NULL
    CHECK (evidence_kind = 'shown' OR evidence_kind = 'charged'),  -- shown on a phone, or charged
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
    CHECK (product_kind = 'auto_renewable_subscription'
      OR product_kind = 'non_renewing_subscription' OR product_kind = 'consumable'
      OR product_kind = 'non_consumable' OR product_kind = 'unknown'),
  customer_key             TEXT,
  purchased_at             TEXT NOT NULL,
  purchased_date           TEXT NOT NULL,
  expires_at               TEXT,
  access_ends_at           TEXT,
  first_seen_at            TEXT,  -- Apple had charged it by then
  covered_period           TEXT,
  billing_plan             TEXT CHECK (billing_plan = 'monthly' OR billing_plan = 'upfront'),
  commitment_ends_at       TEXT,
  period_kind              TEXT NOT NULL
    CHECK (period_kind = 'trial' OR period_kind = 'intro' OR period_kind = 'promo'
      OR period_kind = 'offer_code' OR period_kind = 'regular' OR period_kind = 'one_time'),
  payment_mode             TEXT NOT NULL
    CHECK (payment_mode = 'free_trial' OR payment_mode = 'pay_as_you_go'
      OR payment_mode = 'pay_up_front' OR payment_mode = 'standard' OR payment_mode = 'unknown'),
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
    CHECK (storefront_source = 'signed' OR storefront_source = 'price_report'
      OR storefront_source = 'export' OR storefront_source = 'inferred'
      OR storefront_source = 'unknown'),
  list_price_milli         INTEGER,
  paid_milli               INTEGER,  -- what was paid, tax included; NULL is not known
  paid_low_milli           INTEGER NOT NULL,
  paid_high_milli          INTEGER,
  signed_price_milli       INTEGER,  -- what Apple signed; NULL without a signed price
  price_status             TEXT NOT NULL
    CHECK (price_status = 'exact' OR price_status = 'proven' OR price_status = 'derived'
      OR price_status = 'inferred' OR price_status = 'configured' OR price_status = 'zero_by_rule'
      OR price_status = 'unresolved' OR price_status = 'conflict'),
  price_rule               TEXT NOT NULL
    CHECK (price_rule = 'conflict' OR price_rule = 'signed_price' OR price_rule = 'apple_report'
      OR price_rule = 'owner_correction' OR price_rule = 'free_trial' OR price_rule = 'free_offer'
      OR price_rule = 'reported_charge' OR price_rule = 'reported_with_purchase' OR price_rule = 'same_offer'
      OR price_rule = 'previous_renewal' OR price_rule = 'customer_report'
      OR price_rule = 'price_history' OR price_rule = 'service_price'
      OR price_rule = 'catalogue_offer'
      OR price_rule = 'catalogue_price' OR price_rule = 'unresolved'),
  evidence_id              INTEGER
    REFERENCES price_evidence (evidence_id) DEFERRABLE INITIALLY DEFERRED,
  basis_purchase_key       INTEGER,
  paid_reporting_micros    INTEGER,
  fx_rate_date             TEXT,
  paid_low_reporting_micros  INTEGER,
  paid_high_reporting_micros INTEGER,  -- NULL: no bound, or no rate
  is_high_estimated        INTEGER NOT NULL CHECK (is_high_estimated IN (0, 1)),
  proceeds_estimate_micros INTEGER,
  commission_bp            INTEGER,
  tax_bp                   INTEGER,
  proceeds_milli           INTEGER,
  proceeds_currency        TEXT,
  proceeds_basis           TEXT
    CHECK (proceeds_basis = 'apple_report' OR proceeds_basis = 'estimate'),
  reversal_kind            TEXT NOT NULL CHECK (reversal_kind = 'none' OR reversal_kind = 'refund'
    OR reversal_kind = 'upgrade'),
  reversed_at              TEXT,
  reversal_reason          TEXT,
  refunded_milli           INTEGER,  -- where Apple says how much; else all of a refund is assumed
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
  CHECK (refunded_milli IS NULL OR paid_milli IS NOT NULL AND refunded_milli BETWEEN 0 AND paid_milli),
  CHECK (price_rule <> 'signed_price' OR price_status = 'exact' AND paid_milli IS signed_price_milli),
  CHECK (price_status <> 'exact' OR price_rule = 'signed_price' OR evidence_id IS NOT NULL),
  CHECK (paid_milli IS NULL OR paid_milli = 0 OR currency IS NOT NULL),
  CHECK (period_kind <> 'trial' OR paid_milli = 0),
  CHECK (price_status <> 'zero_by_rule' OR paid_milli IS 0),
  CHECK (period_kind <> 'trial' OR price_status = 'conflict' OR paid_milli IS 0),
  CHECK (transaction_id <> '' AND original_transaction_id <> '' AND product_id <> ''),
  CHECK (purchased_at GLOB '????-??-??T??:??:??Z' AND purchased_date = substr(purchased_at, 1, 10)),
  CHECK (access_ends_at <= expires_at AND access_ends_at <= reversed_at),
  CHECK ((paid_reporting_micros IS NULL) = (fx_rate_date IS NULL)),
  CHECK (paid_reporting_micros IS NULL OR paid_milli IS NOT NULL AND paid_reporting_micros >= 0),
  CHECK (paid_milli IS NULL OR paid_low_reporting_micros IS paid_reporting_micros
    AND paid_high_reporting_micros IS paid_reporting_micros),
  CHECK (paid_low_reporting_micros >= 0
    AND paid_high_reporting_micros >= COALESCE(paid_low_reporting_micros, 0)),
  CHECK (is_high_estimated = 0
    OR paid_high_milli IS NULL AND paid_high_reporting_micros IS NOT NULL),
  CHECK (fx_rate_date = purchased_date
    OR fx_rate_date < purchased_date AND fx_rate_date >= date(purchased_date, '-7 days')),
  CHECK (proceeds_estimate_micros IS NULL
    OR proceeds_estimate_micros BETWEEN 0 AND COALESCE(paid_reporting_micros, -1)),
  CHECK (proceeds_estimate_micros IS NULL OR proceeds_estimate_micros = 0
    OR commission_bp IS NOT NULL AND tax_bp IS NOT NULL),
  CHECK (commission_bp BETWEEN 0 AND 9999 AND tax_bp BETWEEN 0 AND 9999),
  CHECK ((proceeds_milli IS NULL) = (proceeds_basis IS NULL)
    AND (proceeds_milli IS NULL) = (proceeds_currency IS NULL)),
  CHECK (proceeds_milli IS NULL OR proceeds_milli >= 0 AND paid_milli IS NOT NULL),
  CHECK (proceeds_basis <> 'estimate'
    OR proceeds_currency = currency AND proceeds_milli <= paid_milli)
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
    CHECK (entry_kind = 'charge' OR entry_kind = 'refund'
      OR entry_kind = 'upgrade_credit_estimate'),
  entry_date             TEXT NOT NULL,
  amount_milli           INTEGER NOT NULL,
  currency               TEXT NOT NULL,
  amount_reporting_micros INTEGER,
  amount_basis           TEXT NOT NULL
    CHECK (amount_basis = 'paid' OR amount_basis = 'apple_share' OR amount_basis = 'full_assumed'
      OR amount_basis = 'prorated_estimate'),
  -- The key is the purchase's with its last two bits replaced by the kind; the refund of an item
  -- has a key of its own.
  CHECK (entry_key = purchase_key & ~3
    | CASE entry_kind WHEN 'charge' THEN 0 WHEN 'refund' THEN 1 ELSE 2 END
    OR entry_kind = 'refund' AND amount_basis = 'apple_share'),
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
    CHECK (offer_kind = 'trial' OR offer_kind = 'intro' OR offer_kind = 'promo'
      OR offer_kind = 'offer_code'),
  payment_mode            TEXT NOT NULL
    CHECK (payment_mode = 'free_trial' OR payment_mode = 'pay_as_you_go'
      OR payment_mode = 'pay_up_front' OR payment_mode = 'standard' OR payment_mode = 'unknown'),
  offer_id                TEXT,
  bundle_id               TEXT,
  offer_product_id        TEXT NOT NULL,
  storefront              TEXT,
  currency                TEXT,
  started_at              TEXT NOT NULL,
  started_date            TEXT NOT NULL,
  ends_at                 TEXT NOT NULL,
  offer_periods           INTEGER NOT NULL,
  offer_paid_milli        INTEGER,
  status                  TEXT NOT NULL
    CHECK (status = 'pending' OR status = 'billing_retry' OR status = 'converted'
      OR status = 'lapsed'),
  converted_at            TEXT,
  converted_purchase_key  INTEGER
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  converted_product_id    TEXT,
  is_same_product         INTEGER CHECK (is_same_product IN (0, 1)),
  is_contiguous           INTEGER CHECK (is_contiguous IN (0, 1)),
  days_to_convert         INTEGER,
  converted_paid_milli    INTEGER,
  converted_price_status  TEXT
    CHECK (converted_price_status = 'exact' OR converted_price_status = 'proven'
      OR converted_price_status = 'derived' OR converted_price_status = 'inferred'
      OR converted_price_status = 'configured' OR converted_price_status = 'zero_by_rule'
      OR converted_price_status = 'unresolved' OR converted_price_status = 'conflict'),
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
  paid_milli              INTEGER,  -- of the current period
  currency                TEXT,
  storefront              TEXT,
  renews_at               TEXT,
  status                  TEXT NOT NULL
    CHECK (status = 'trial' OR status = 'intro' OR status = 'promo' OR status = 'active'
      OR status = 'grace' OR status = 'billing_retry' OR status = 'not_seen'
      OR status = 'expired' OR status = 'revoked'),
  auto_renew_status       INTEGER CHECK (auto_renew_status IN (0, 1)),
  auto_renew_product_id   TEXT,
  expiration_intent       TEXT,
  grace_period_expires_at TEXT,
  expires_at              TEXT NOT NULL,
  seen_through_at         TEXT,  -- the newest snapshot, where it is older than expires_at
  unseen_until            TEXT,
  spells                  INTEGER NOT NULL,
  paid_count              INTEGER NOT NULL,
  CHECK ((seen_through_at IS NULL) = (unseen_until IS NULL)),
  CHECK (seen_through_at <= expires_at AND expires_at <= unseen_until),
  CHECK (status <> 'not_seen' OR seen_through_at IS NOT NULL)
) STRICT;

CREATE TABLE dim_offer_eligibility (
  -- One row per customer and subscription group: what an offer screen may show.
  customer_key          TEXT NOT NULL,
  subscription_group_id TEXT NOT NULL,
  is_intro_eligible     INTEGER CHECK (is_intro_eligible IN (0, 1)),
  intro_reason          TEXT NOT NULL
    CHECK (intro_reason = 'eligible' OR intro_reason = 'used_trial' OR intro_reason = 'used_intro'
      OR intro_reason = 'active' OR intro_reason = 'in_grace_period' OR intro_reason = 'refunded'),
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
  bundle_id               TEXT,
  product_id              TEXT,
  auto_renew_product_id   TEXT,
  auto_renew_status       INTEGER CHECK (auto_renew_status IN (0, 1)),
  expiration_intent       TEXT,
  is_in_billing_retry     INTEGER CHECK (is_in_billing_retry IN (0, 1)),
  grace_period_expires_at TEXT,
  price_consent_status    TEXT,
  commitment_auto_renew_status   INTEGER CHECK (commitment_auto_renew_status IN (0, 1)),
  commitment_renews_at    TEXT,
  commitment_renewal_price_milli INTEGER CHECK (commitment_renewal_price_milli >= 0),
  commitment_currency     TEXT,
  renewal_billing_plan    TEXT
    CHECK (renewal_billing_plan = 'monthly' OR renewal_billing_plan = 'upfront'),
  PRIMARY KEY (original_transaction_id, observed_at),
  CHECK ((commitment_renewal_price_milli IS NULL) = (commitment_currency IS NULL))
) STRICT;

CREATE TABLE dim_product (
  -- One row per product named by a purchase, a price report or the catalogue.
  bundle_id             TEXT NOT NULL,  -- '' = not known
  product_id            TEXT NOT NULL,
  product_kind          TEXT NOT NULL
    CHECK (product_kind = 'auto_renewable_subscription'
      OR product_kind = 'non_renewing_subscription' OR product_kind = 'consumable'
      OR product_kind = 'non_consumable' OR product_kind = 'unknown'),
  subscription_period   TEXT,
  subscription_group_id TEXT,
  product_name          TEXT,
  group_name            TEXT,
  group_level           INTEGER,
  apple_id              TEXT,
  same_as               TEXT,
  PRIMARY KEY (bundle_id, product_id)
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
  bundle_id        TEXT NOT NULL,  -- '' = not known
  product_id       TEXT NOT NULL,
  currency         TEXT NOT NULL,
  storefront       TEXT NOT NULL,  -- '' = all that have no list of their own
  price_kind       TEXT NOT NULL CHECK (price_kind = 'regular' OR price_kind = 'intro'
    OR price_kind = 'offer'),
  offer_id         TEXT NOT NULL,  -- '' unless offer
  payment_mode     TEXT NOT NULL
    CHECK (payment_mode = '' OR payment_mode = 'free_trial' OR payment_mode = 'pay_as_you_go'
      OR payment_mode = 'pay_up_front'),
  offer_length     TEXT NOT NULL,  -- 3xP1M; '' if unknown, and for a whole regular period
  valid_from       TEXT NOT NULL,
  valid_to         TEXT,
  price_milli      INTEGER NOT NULL,
  voters           INTEGER NOT NULL,
  reports          INTEGER NOT NULL,
  rejected_reports INTEGER NOT NULL,
  source           TEXT NOT NULL CHECK (source = 'learned' OR source = 'price_list'),
  PRIMARY KEY (
    bundle_id, product_id, currency, storefront, price_kind, offer_id, payment_mode, offer_length,
    valid_from),
  CHECK (valid_to >= valid_from)
) STRICT;

CREATE TABLE price_evidence_offer (
  -- One row per offer price in a report.
  evidence_id         INTEGER NOT NULL,
  offer_id            TEXT NOT NULL,  -- '' = introductory
  price_milli         INTEGER NOT NULL,
  payment_mode        TEXT NOT NULL
    CHECK (payment_mode = 'free_trial' OR payment_mode = 'pay_as_you_go'
      OR payment_mode = 'pay_up_front'),
  number_of_periods   INTEGER,
  subscription_period TEXT,
  PRIMARY KEY (evidence_id, offer_id)
) STRICT;

CREATE TABLE excluded_purchase (
  -- One row per purchase that was left out of revenue.
  purchase_key   INTEGER NOT NULL PRIMARY KEY,
  transaction_id TEXT NOT NULL,
  reason         TEXT NOT NULL CHECK (reason = 'sandbox' OR reason = 'sandbox_by_length' OR reason = 'family_shared'
    OR reason = 'assigned' OR reason = 'unknown_ownership' OR reason = 'foreign_bundle')
) STRICT;

CREATE TABLE rejected_record (
  -- One row per record or row of an input file that could not be used, and reason.
  source_file_id INTEGER NOT NULL,
  source_line    INTEGER NOT NULL,
  reason_code    TEXT NOT NULL
    CHECK (reason_code = 'invalid_json' OR reason_code = 'invalid_utf8'
      OR reason_code = 'control_character' OR reason_code = 'nested_too_deep'
      OR reason_code = 'record_too_large' OR reason_code = 'duplicate_key'
      OR reason_code = 'not_an_object' OR reason_code = 'wrong_type'
      OR reason_code = 'not_a_receipt' OR reason_code = 'no_usable_row'
      OR reason_code = 'table_row_uneven' OR reason_code = 'table_quote_open'
      OR reason_code = 'status_21000' OR reason_code = 'status_21001'
      OR reason_code = 'status_21002' OR reason_code = 'status_21003'
      OR reason_code = 'status_21004' OR reason_code = 'status_21005'
      OR reason_code = 'status_21008' OR reason_code = 'status_21009'
      OR reason_code = 'status_211xx' OR reason_code = 'status_unknown'
      OR reason_code = 'row_without_transaction_id' OR reason_code = 'row_without_product_id'
      OR reason_code = 'row_without_purchase_date' OR reason_code = 'row_invalid_flag'
      OR reason_code = 'row_invalid_date' OR reason_code = 'row_invalid_quantity' OR reason_code = 'impossible_period'
      OR reason_code = 'id_too_long' OR reason_code = 'future_snapshot'
      OR reason_code = 'price_without_product' OR reason_code = 'price_without_currency'
      OR reason_code = 'price_without_price' OR reason_code = 'price_without_time'
      OR reason_code = 'price_invalid_currency' OR reason_code = 'price_not_a_decimal'
      OR reason_code = 'price_has_exponent' OR reason_code = 'price_negative'
      OR reason_code = 'price_too_precise' OR reason_code = 'price_too_large'
      OR reason_code = 'price_invalid_time' OR reason_code = 'price_invalid_offer'
      OR reason_code = 'price_unnamed_format'
      OR reason_code = 'token_truncated' OR reason_code = 'token_malformed'
      OR reason_code = 'token_header_too_large' OR reason_code = 'token_payload_too_large'
      OR reason_code = 'token_header_unreadable' OR reason_code = 'token_algorithm'
      OR reason_code = 'token_critical_extension' OR reason_code = 'token_certificate_count'
      OR reason_code = 'token_certificate_unreadable' OR reason_code = 'token_root_not_trusted'
      OR reason_code = 'token_leaf_mark_missing'
      OR reason_code = 'token_intermediate_mark_missing' OR reason_code = 'token_chain_invalid'
      OR reason_code = 'token_key_kind' OR reason_code = 'token_not_valid_at_signing'
      OR reason_code = 'token_signature_wrong' OR reason_code = 'token_payload_unreadable'
      OR reason_code = 'token_payload_unknown' OR reason_code = 'token_field_missing'
      OR reason_code = 'token_field_invalid' OR reason_code = 'token_signed_date_out_of_range'
      OR reason_code = 'token_environment_not_signed' OR reason_code = 'token_environment'
      OR reason_code = 'token_bundle' OR reason_code = 'report_field_missing'
      OR reason_code = 'report_field_invalid' OR reason_code = 'report_not_daily'),
  detail         TEXT NOT NULL,
  PRIMARY KEY (source_file_id, source_line, reason_code)
) STRICT;

CREATE TABLE audit_run (
  -- One row per run that published.
  run_id                INTEGER NOT NULL PRIMARY KEY,
  kind                  TEXT NOT NULL CHECK (kind = 'run' OR kind = 'backfill' OR kind = 'erase'
    OR kind = 'full_refresh'),
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
  kind           TEXT NOT NULL CHECK (kind = 'receipts' OR kind = 'prices' OR kind = 'signed'
    OR kind = 'exports' OR kind = 'apple_reports'),
  status         TEXT NOT NULL CHECK (status = 'used' OR status = 'refused' OR status = 'held'
    OR status = 'superseded' OR status = 'ignored'),
  export_date    TEXT,
  bytes          INTEGER NOT NULL,
  records        INTEGER NOT NULL,
  used           INTEGER NOT NULL,
  duplicates     INTEGER NOT NULL,
  rejected       INTEGER NOT NULL,
  first_run_id   INTEGER NOT NULL,
  assumed_production INTEGER NOT NULL,  -- rows of which nothing names the store
  UNIQUE (sha256, kind),
  CHECK (records = used + duplicates + rejected),
  CHECK (used >= 0 AND duplicates >= 0 AND rejected >= 0)
) STRICT;

CREATE TABLE audit_restatement (
  -- One row per run, published day and cause of a published figure that changed.
  run_id    INTEGER NOT NULL,
  metric    TEXT NOT NULL CHECK (metric = 'gross' OR metric = 'net' OR metric = 'unresolved_rows'),
  date_day  TEXT NOT NULL,
  currency  TEXT NOT NULL,
  cause     TEXT NOT NULL
    CHECK (cause = 'refund' OR cause = 'late_receipt' OR cause = 'late_price'
      OR cause = 'price_history' OR cause = 'catalogue' OR cause = 'rates' OR cause = 'settings'
      OR cause = 'rule_change' OR cause = 'conflict' OR cause = 'maturity'),
  old_milli INTEGER NOT NULL,
  new_milli INTEGER NOT NULL,
  rows      INTEGER NOT NULL,
  PRIMARY KEY (run_id, metric, date_day, currency, cause)
) STRICT;

CREATE TABLE audit_change (
  -- One row per run and published amount that the run changed: its paid_milli, currency or
  -- price_status. The newest 250,000 are kept.
  run_id           INTEGER NOT NULL,
  purchase_key     INTEGER NOT NULL,
  old_paid_milli   INTEGER,
  new_paid_milli   INTEGER,
  old_currency     TEXT,
  new_currency     TEXT,
  old_price_rule   TEXT NOT NULL,
  new_price_rule   TEXT,
  old_price_status TEXT NOT NULL,
  new_price_status TEXT,
  cause            TEXT NOT NULL
    CHECK (cause = 'refund' OR cause = 'late_receipt' OR cause = 'late_price'
      OR cause = 'price_history' OR cause = 'catalogue' OR cause = 'rates' OR cause = 'settings'
      OR cause = 'rule_change' OR cause = 'conflict' OR cause = 'maturity'),
  PRIMARY KEY (run_id, purchase_key),
  CHECK ((new_price_rule IS NULL) = (new_price_status IS NULL))
) STRICT;

CREATE TABLE audit_gate (
  -- One row per run and gate that tripped.
  run_id   INTEGER NOT NULL,
  gate     TEXT NOT NULL
    CHECK (gate = 'refused_file' OR gate = 'rejected_share' OR gate = 'no_usable_record'
      OR gate = 'empty_file' OR gate = 'volume_drop' OR gate = 'shrunk_table'
      OR gate = 'missing_export_day'
      OR gate = 'unnamed_format' OR gate = 'ambiguous_product' OR gate = 'unknown_transactions'
      OR gate = 'storefront_currency' OR gate = 'unknown_ownership' OR gate = 'not_seen'
      OR gate = 'converted_amounts' OR gate = 'rebased_currency'
      OR gate = 'price_unit' OR gate = 'useless_result' OR gate = 'coverage_floor'
      OR gate = 'unexplained_share' OR gate = 'apple_reports_differ'
      OR gate = 'apple_reports_implausible' OR gate = 'missing_report_day' OR gate = 'data_test'),
  severity TEXT NOT NULL CHECK (severity = 'warn' OR severity = 'stop' OR severity = 'accepted'),
  subject  TEXT NOT NULL,
  found    TEXT NOT NULL,
  expected TEXT NOT NULL,
  PRIMARY KEY (run_id, gate, subject)
) STRICT;

CREATE TABLE audit_backtest (
  -- One row per purchase with a signed price, at the last `paidline backtest`: what the rules say
  -- when all signed prices are hidden.
  purchase_key INTEGER NOT NULL PRIMARY KEY
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  run_id       INTEGER NOT NULL,
  signed_milli INTEGER NOT NULL,
  rule         TEXT NOT NULL
    CHECK (rule = 'conflict' OR rule = 'free_trial' OR rule = 'free_offer'
      OR rule = 'reported_charge' OR rule = 'reported_with_purchase' OR rule = 'same_offer' OR rule = 'previous_renewal'
      OR rule = 'customer_report' OR rule = 'price_history' OR rule = 'service_price'
      OR rule = 'catalogue_offer'
      OR rule = 'catalogue_price' OR rule = 'unresolved'),
  status       TEXT NOT NULL
    CHECK (status = 'exact' OR status = 'proven' OR status = 'derived' OR status = 'inferred'
      OR status = 'configured' OR status = 'zero_by_rule' OR status = 'unresolved'
      OR status = 'conflict'),
  rule_milli   INTEGER,  -- NULL where the rules know bounds alone
  low_milli    INTEGER NOT NULL,
  high_milli   INTEGER,
  verdict      TEXT NOT NULL CHECK (verdict = 'right' OR verdict = 'wrong'
    OR verdict = 'bounds_hold' OR verdict = 'bounds_miss')
) STRICT;

CREATE TABLE service_comparison (
  -- One row per purchase, if the pipeline reads a hosted service's export: what the service books.
  purchase_key       INTEGER NOT NULL PRIMARY KEY
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  service            TEXT NOT NULL,
  service_paid_milli INTEGER,  -- NULL where the service has no amount
  service_currency   TEXT,
  paid_milli         INTEGER,  -- as fct_revenue
  currency           TEXT,
  cause              TEXT NOT NULL
    CHECK (cause = 'equal' OR cause = 'kept_price' OR cause = 'offer_at_list_price'
      OR cause = 'refund_in_price' OR cause = 'currency' OR cause = 'stale_price'
      OR cause = 'reported_price' OR cause = 'free_row' OR cause = 'missing'
      OR cause = 'unresolved' OR cause = 'unexplained')
) STRICT;

CREATE TABLE fct_subscription_event (
  -- One row per event of a period of an auto-renewable subscription; the view subscription_event
  -- has its product, place and money.
  purchase_key      INTEGER NOT NULL
    REFERENCES fct_revenue (purchase_key) DEFERRABLE INITIALLY DEFERRED,
  event_number      INTEGER NOT NULL,  -- 0 begins the period
  event             TEXT NOT NULL
    CHECK (event = 'trial_started' OR event = 'new' OR event = 'converted' OR event = 'renewed'
      OR event = 'recovered' OR event = 'reactivated' OR event = 'upgraded'
      OR event = 'downgraded' OR event = 'crossgraded' OR event = 'refunded'
      OR event = 'revoked' OR event = 'lapsed' OR event = 'interrupted' OR event = 'not_seen'
      OR event = 'cancelled' OR event = 'moved'),
  event_at          TEXT NOT NULL,
  is_beginning      INTEGER NOT NULL CHECK (is_beginning = (event_number = 0)),
  former_product_id TEXT,
  running_change    INTEGER NOT NULL CHECK (running_change BETWEEN -1 AND 1),
  PRIMARY KEY (purchase_key, event_number)
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

CREATE TABLE customers_daily (
  -- One row per day and storefront on which the exports first name customers, with or without a
  -- purchase.
  date_day        TEXT NOT NULL,
  storefront      TEXT NOT NULL,  -- empty where nothing names it
  customers       INTEGER NOT NULL CHECK (customers > 0),
  buyers          INTEGER NOT NULL CHECK (buyers >= 0 AND buyers <= customers),
  trial_customers INTEGER NOT NULL CHECK (trial_customers >= 0 AND trial_customers <= buyers),
  payers          INTEGER NOT NULL CHECK (payers >= 0 AND payers <= possible_payers),
  possible_payers INTEGER NOT NULL CHECK (possible_payers <= buyers),
  PRIMARY KEY (date_day, storefront)
) STRICT;

CREATE TABLE audit_correction (
  -- One row per line of the owner's corrections; the columns ending in _without tell what the rules
  -- say without it, where it decides the amount.
  transaction_id     TEXT NOT NULL PRIMARY KEY,
  purchase_key       INTEGER,
  amount_milli       INTEGER NOT NULL CHECK (amount_milli >= 0),
  currency           TEXT NOT NULL,
  reason             TEXT NOT NULL,
  given_by           TEXT NOT NULL,
  given_on           TEXT NOT NULL,
  rule_without       TEXT,
  paid_without_milli INTEGER
) STRICT;

CREATE TABLE audit_apple_report (
  -- One row per Apple report that was read and counts, one without a line too.
  source_file_id INTEGER NOT NULL PRIMARY KEY,
  report         TEXT NOT NULL
    CHECK (report = 'sales' OR report = 'subscriber' OR report = 'subscription_event'
      OR report = 'subscription' OR report = 'financial' OR report = 'finance_detail'
      OR report = 'analytics_event' OR report = 'analytics_state'),
  report_date    TEXT NOT NULL
) STRICT;

CREATE TABLE apple_report_line (
  -- One row per line of an Apple report that was read and counts.
  source_file_id   INTEGER NOT NULL,
  source_line      INTEGER NOT NULL,
  report           TEXT NOT NULL
    CHECK (report = 'sales' OR report = 'subscriber' OR report = 'subscription_event'
      OR report = 'subscription' OR report = 'financial' OR report = 'finance_detail'
      OR report = 'analytics_event' OR report = 'analytics_state'),
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
  app              TEXT,
  proceeds_milli   INTEGER CHECK (proceeds_milli >= 0),
  proceeds_currency TEXT,
  event            TEXT,
  settled_date     TEXT,
  is_carried_over INTEGER CHECK (is_carried_over IN (0, 1)),
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
    CHECK (cause = 'equal' OR cause = 'day_boundary' OR cause = 'refund' OR cause = 'proration'
      OR cause = 'price' OR cause = 'receipt_missing' OR cause = 'not_charged'
      OR cause = 'unknown_amount'
      OR cause = 'recovered_late' OR cause = 'no_report' OR cause = 'unmapped'
      OR cause = 'settlement' OR cause = 'doubted' OR cause = 'other_products'
      OR cause = 'unexplained'),
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
