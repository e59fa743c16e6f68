-- Figures: typed tables that each publication fills anew from the definitions of the same names in
-- warehouse_views*.sql, so that every reader knows the types and none waits for a sum.

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
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE revenue_daily (
  -- One row per purchase day, app, product, storefront and currency: what was paid, between which
  -- bounds. In the reporting currency a bound adds up the rows that have it; the others are counted.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  gross_milli INTEGER,
  gross_low_milli INTEGER NOT NULL,
  gross_high_milli INTEGER,
  net_cohort_milli INTEGER,
  chargeable_rows INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  reporting_currency TEXT,
  gross_reporting_micros INTEGER,
  gross_low_reporting_micros INTEGER,
  gross_high_reporting_micros INTEGER,
  net_cohort_reporting_micros INTEGER,
  unconverted_rows INTEGER NOT NULL,
  unbounded_rows INTEGER,
  estimated_high_rows INTEGER NOT NULL,
  net_proceeds_estimate_micros INTEGER,
  unestimated_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE revenue_monthly (
  -- One row per purchase month, app, product and currency: what was paid, between which bounds, and
  -- how much of the proceeds is Apple's own figure.
  month TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  currency TEXT,
  gross_milli INTEGER,
  net_cohort_milli INTEGER,
  unresolved_rows INTEGER NOT NULL,
  apple_proceeds_gross_milli INTEGER,
  estimated_proceeds_gross_milli INTEGER,
  apple_proceeds_bp INTEGER,
  is_complete INTEGER NOT NULL,
  chargeable_rows INTEGER NOT NULL,
  reporting_currency TEXT,
  gross_reporting_micros INTEGER,
  gross_low_reporting_micros INTEGER,
  gross_high_reporting_micros INTEGER,
  net_cohort_reporting_micros INTEGER,
  unconverted_rows INTEGER NOT NULL,
  unbounded_rows INTEGER,
  estimated_high_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE net_revenue_ledger_daily (
  -- One row per day on which money moved, app, product and currency; estimates left out. Charges and
  -- refunds of rows without an amount are counted on their days, with their bounds.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  currency TEXT,
  charges_milli INTEGER NOT NULL,
  refunds_milli INTEGER NOT NULL,
  net_ledger_milli INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  reporting_currency TEXT,
  charges_reporting_micros INTEGER,
  refunds_reporting_micros INTEGER,
  net_ledger_reporting_micros INTEGER,
  unconverted_entries INTEGER NOT NULL,
  chargeable_rows INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  net_low_reporting_micros INTEGER,
  net_high_reporting_micros INTEGER,
  unbounded_rows INTEGER
) STRICT;

CREATE TABLE price_coverage_daily (
  -- One row per purchase day, app and product: the share of chargeable rows whose amount is known.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  chargeable_rows INTEGER NOT NULL,
  known_rows INTEGER NOT NULL,
  exact_rows INTEGER NOT NULL,
  coverage_bp INTEGER,
  exact_bp INTEGER,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE refund_rate (
  -- One row per purchase day, app and product: refunded among paid rows; upgrades are no refunds.
  -- A receipt forgets a consumable that was finished, and its refund with it. The refunds are known
  -- where every row is signed, or where Apple's Sales reports of the 90 days from the purchase on
  -- name no more refunds of the product than the facts have.
  cohort_date TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  paid_rows INTEGER NOT NULL,
  refunded_rows INTEGER,
  refund_bp INTEGER,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE discount_depth (
  -- One row per purchase day, app, product, currency and kind of row: how far below the list price.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  period_kind TEXT NOT NULL,
  paid_rows INTEGER NOT NULL,
  list_milli INTEGER NOT NULL,
  paid_milli INTEGER NOT NULL,
  discount_bp INTEGER,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE backtest_by_rule (
  -- One row per rule, status and currency: how the rules do where Apple signed the price.
  rule TEXT NOT NULL,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  rows INTEGER NOT NULL,
  right_rows INTEGER NOT NULL,
  wrong_rows INTEGER NOT NULL,
  bounds_hold_rows INTEGER NOT NULL,
  bounds_miss_rows INTEGER NOT NULL,
  right_bp INTEGER,
  signed_milli INTEGER NOT NULL,
  rule_milli INTEGER NOT NULL,
  error_milli INTEGER NOT NULL
) STRICT;

CREATE TABLE reconciliation_monthly (
  -- One row per month, product, storefront and currency: Apple's reports beside the facts, without
  -- the products of other apps.
  month INTEGER NOT NULL,
  product_id TEXT NOT NULL,
  storefront TEXT NOT NULL,
  currency TEXT NOT NULL,
  apple_units INTEGER NOT NULL,
  our_units INTEGER NOT NULL,
  apple_milli INTEGER NOT NULL,
  our_milli INTEGER NOT NULL,
  difference_milli INTEGER NOT NULL,
  day_boundary_milli INTEGER NOT NULL,
  refund_milli INTEGER NOT NULL,
  proration_milli INTEGER NOT NULL,
  price_milli INTEGER NOT NULL,
  receipt_missing_milli INTEGER NOT NULL,
  not_charged_milli INTEGER NOT NULL,
  recovered_late_milli INTEGER NOT NULL,
  no_report_milli INTEGER NOT NULL,
  unmapped_milli INTEGER NOT NULL,
  settlement_milli INTEGER NOT NULL,
  unexplained_milli INTEGER NOT NULL
) STRICT;

CREATE TABLE reconciliation_by_cause (
  -- One row per month, currency and cause: why Apple's reports and the facts differ.
  month INTEGER NOT NULL,
  currency TEXT NOT NULL,
  cause TEXT NOT NULL,
  apple_units INTEGER NOT NULL,
  our_units INTEGER NOT NULL,
  apple_milli INTEGER NOT NULL,
  our_milli INTEGER NOT NULL,
  difference_milli INTEGER NOT NULL
) STRICT;

CREATE TABLE reconciliation_upgrades (
  -- One row per month, product, storefront and currency in which Apple gave a part back: its amounts
  -- beside the estimates of upgrade credits.
  -- A part has no unit, or a unit at less than the price: none was sold at its price, and one at a
  -- higher price. Sales is used on days without a Subscriber report.
  month INTEGER NOT NULL,
  product_id TEXT NOT NULL,
  storefront TEXT NOT NULL,
  currency TEXT NOT NULL,
  apple_refunds INTEGER NOT NULL,
  our_credits INTEGER NOT NULL,
  apple_milli INTEGER NOT NULL,
  estimate_milli INTEGER NOT NULL,
  difference_milli INTEGER NOT NULL
) STRICT;

CREATE TABLE reconciliation_subscriptions_daily (
  -- One row per day and product of a Subscription report: Apple's count of paid subscriptions beside
  -- ours.
  date_day INTEGER NOT NULL,
  product_id TEXT NOT NULL,
  apple_subscriptions INTEGER NOT NULL,
  our_subscriptions INTEGER NOT NULL,
  difference INTEGER NOT NULL,
  is_alike INTEGER NOT NULL
) STRICT;

CREATE TABLE trial_conversion (
  -- One row per day, app, product and storefront in which free trials began: what became of them.
  cohort_date TEXT NOT NULL,
  bundle_id TEXT,
  offer_product_id TEXT NOT NULL,
  storefront TEXT,
  trials INTEGER NOT NULL,
  mature_trials INTEGER NOT NULL,
  converted_strict INTEGER NOT NULL,
  converted_contiguous INTEGER NOT NULL,
  converted_any INTEGER NOT NULL,
  mature_converted INTEGER NOT NULL,
  converted_then_refunded INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  billing_retry INTEGER NOT NULL,
  lapsed INTEGER NOT NULL,
  not_seen INTEGER NOT NULL,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE intro_conversion (
  -- One row per day, app, product and storefront in which paid introductory offers began: what became
  -- of them.
  cohort_date TEXT NOT NULL,
  bundle_id TEXT,
  offer_product_id TEXT NOT NULL,
  storefront TEXT,
  intros INTEGER NOT NULL,
  mature_intros INTEGER NOT NULL,
  converted_strict INTEGER NOT NULL,
  converted_contiguous INTEGER NOT NULL,
  converted_any INTEGER NOT NULL,
  mature_converted INTEGER NOT NULL,
  converted_then_refunded INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  billing_retry INTEGER NOT NULL,
  lapsed INTEGER NOT NULL,
  not_seen INTEGER NOT NULL,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE offer_performance (
  -- One row per offer, app, product, storefront and currency: how many began, what they brought and
  -- between which bounds, what became of them.
  offer_kind TEXT NOT NULL,
  offer_id TEXT,
  offer_name TEXT,
  bundle_id TEXT,
  offer_product_id TEXT NOT NULL,
  payment_mode TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  offers INTEGER NOT NULL,
  mature_offers INTEGER NOT NULL,
  converted_any INTEGER NOT NULL,
  converted_strict INTEGER NOT NULL,
  converted_then_refunded INTEGER NOT NULL,
  open_offers INTEGER NOT NULL,
  lapsed INTEGER NOT NULL,
  offer_paid_milli INTEGER NOT NULL,
  converted_paid_milli INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  mature_converted INTEGER NOT NULL,
  mature_converted_bp INTEGER,
  not_seen INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  reporting_currency TEXT,
  offer_paid_reporting_micros INTEGER,
  offer_paid_low_reporting_micros INTEGER,
  offer_paid_high_reporting_micros INTEGER,
  converted_paid_reporting_micros INTEGER,
  converted_paid_low_reporting_micros INTEGER,
  converted_paid_high_reporting_micros INTEGER,
  unconverted_rows INTEGER NOT NULL,
  unbounded_rows INTEGER,
  estimated_high_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE renewal_rate (
  -- One row per app, product, storefront and paid period number: how many went on to the next one.
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  paid_number INTEGER NOT NULL,
  matured_rows INTEGER NOT NULL,
  renewed_rows INTEGER NOT NULL,
  renewal_bp INTEGER,
  is_complete INTEGER NOT NULL,
  not_seen_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE active_subscriptions_daily (
  -- One row per day, app, product and storefront, from its first subscription on: subscriptions paid
  -- for and running at the end of the day.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  active_subscriptions INTEGER NOT NULL,
  unresolved_subscriptions INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  not_seen_subscriptions INTEGER NOT NULL
) STRICT;

CREATE TABLE mrr_daily (
  -- One row per day, app, product, storefront and currency, from its first subscription on: monthly
  -- recurring revenue at the end of the day. It leaves out running subscriptions without an amount,
  -- which are counted, and lie between the bounds.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  mrr_micros INTEGER NOT NULL,
  mrr_rc_compatible_micros INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  reporting_currency TEXT,
  mrr_reporting_micros INTEGER,
  unconverted_subscriptions INTEGER NOT NULL,
  unresolved_subscriptions INTEGER NOT NULL,
  mrr_low_reporting_micros INTEGER,
  mrr_high_reporting_micros INTEGER,
  unbounded_subscriptions INTEGER,
  not_seen_subscriptions INTEGER NOT NULL
) STRICT;

CREATE TABLE subscription_event (
  -- One row per event of a subscription's history. Exactly one event begins each period
  -- (is_beginning): trial_started, new, converted, renewed, recovered, reactivated, upgraded,
  -- downgraded or crossgraded. A trial, a conversion or a change of product that begins a period
  -- under another name has a second row. Ends: refunded, revoked, lapsed; also interrupted,
  -- cancelled.
  event TEXT NOT NULL,
  event_at TEXT NOT NULL,
  event_date TEXT NOT NULL,
  is_beginning INTEGER NOT NULL,
  original_transaction_id TEXT NOT NULL,
  purchase_key INTEGER NOT NULL,
  access_ends_at TEXT,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  former_product_id TEXT,
  storefront TEXT,
  currency TEXT,
  spell_number INTEGER NOT NULL,
  paid_number INTEGER,
  amount_milli INTEGER,
  amount_reporting_micros INTEGER,
  is_complete INTEGER NOT NULL
) STRICT;

CREATE TABLE subscription_movement_daily (
  -- One row per day, app, product and storefront on which a subscription began, went on, changed or
  -- ended. Each period is in one of started, reactivated, converted, upgraded, downgraded, recovered,
  -- renewed.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  started INTEGER NOT NULL,
  trial_started INTEGER NOT NULL,
  converted INTEGER NOT NULL,
  renewed INTEGER NOT NULL,
  recovered INTEGER NOT NULL,
  reactivated INTEGER NOT NULL,
  upgraded INTEGER NOT NULL,
  downgraded INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  not_seen INTEGER NOT NULL
) STRICT;

CREATE TABLE product_flow_monthly (
  -- One row per month in which a subscription changed its product, app, and pair of products: how
  -- many did, in which way, and what the new product's first period cost, between which bounds.
  month TEXT NOT NULL,
  bundle_id TEXT,
  from_product_id TEXT NOT NULL,
  to_product_id TEXT NOT NULL,
  changes INTEGER NOT NULL,
  upgrades INTEGER NOT NULL,
  downgrades INTEGER NOT NULL,
  crossgrades INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  paid_reporting_micros INTEGER,
  unconverted_rows INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  paid_low_reporting_micros INTEGER,
  paid_high_reporting_micros INTEGER,
  unbounded_rows INTEGER,
  estimated_high_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE revenue_by_kind_daily (
  -- One row per purchase day, app, product, storefront and currency: what was paid, by kind of
  -- purchase, between which bounds.
  date_day TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  new_milli INTEGER NOT NULL,
  renewal_milli INTEGER NOT NULL,
  reactivation_milli INTEGER NOT NULL,
  one_time_milli INTEGER NOT NULL,
  chargeable_rows INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  new_reporting_micros INTEGER,
  renewal_reporting_micros INTEGER,
  reactivation_reporting_micros INTEGER,
  one_time_reporting_micros INTEGER,
  unconverted_rows INTEGER NOT NULL,
  new_low_reporting_micros INTEGER,
  new_high_reporting_micros INTEGER,
  renewal_low_reporting_micros INTEGER,
  renewal_high_reporting_micros INTEGER,
  reactivation_low_reporting_micros INTEGER,
  reactivation_high_reporting_micros INTEGER,
  one_time_low_reporting_micros INTEGER,
  one_time_high_reporting_micros INTEGER,
  unbounded_rows INTEGER,
  estimated_high_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE arppu_monthly (
  -- One row per month and currency: what was paid for each customer who paid anything, and between
  -- which bounds the money of the month lies.
  month TEXT NOT NULL,
  currency TEXT,
  paying_customers INTEGER NOT NULL,
  gross_milli INTEGER NOT NULL,
  net_milli INTEGER NOT NULL,
  arppu_milli INTEGER,
  chargeable_rows INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  possible_paying_customers INTEGER NOT NULL,
  reporting_currency TEXT,
  gross_reporting_micros INTEGER,
  gross_low_reporting_micros INTEGER,
  gross_high_reporting_micros INTEGER,
  net_reporting_micros INTEGER,
  net_low_reporting_micros INTEGER,
  net_high_reporting_micros INTEGER,
  unconverted_rows INTEGER NOT NULL,
  unbounded_rows INTEGER,
  estimated_high_rows INTEGER NOT NULL
) STRICT;

CREATE TABLE churn_monthly (
  -- One row per month, app, product and storefront: of the subscriptions paid for and running when
  -- the month began, those that no longer run at its end. Whose end nobody has looked at since is
  -- neither churned nor in the rate.
  month TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  subscriptions_at_start INTEGER NOT NULL,
  churned_subscriptions INTEGER NOT NULL,
  churn_bp INTEGER,
  is_complete INTEGER NOT NULL,
  not_seen_subscriptions INTEGER NOT NULL
) STRICT;

CREATE TABLE mrr_movement_monthly (
  -- One row per month, app, product, storefront and currency: why monthly recurring revenue is
  -- another at the end of the month than at its beginning; the movements sum to the change. A
  -- subscription that runs for an unknown amount is neither new nor churned: unresolved.
  month TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  start_micros INTEGER NOT NULL,
  new_micros INTEGER NOT NULL,
  reactivated_micros INTEGER NOT NULL,
  recovered_micros INTEGER NOT NULL,
  expansion_micros INTEGER NOT NULL,
  contraction_micros INTEGER NOT NULL,
  churned_micros INTEGER NOT NULL,
  product_change_micros INTEGER NOT NULL,
  end_micros INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  start_reporting_micros INTEGER,
  new_reporting_micros INTEGER,
  reactivated_reporting_micros INTEGER,
  recovered_reporting_micros INTEGER,
  expansion_reporting_micros INTEGER,
  contraction_reporting_micros INTEGER,
  churned_reporting_micros INTEGER,
  product_change_reporting_micros INTEGER,
  exchange_reporting_micros INTEGER,
  end_reporting_micros INTEGER,
  unresolved_micros INTEGER NOT NULL,
  not_seen_micros INTEGER NOT NULL,
  unresolved_reporting_micros INTEGER,
  not_seen_reporting_micros INTEGER,
  unresolved_subscriptions INTEGER NOT NULL,
  unrated_subscriptions INTEGER,
  unresolved_low_reporting_micros INTEGER,
  unresolved_high_reporting_micros INTEGER
) STRICT;

CREATE TABLE retention_cohort (
  -- One row per month of the first paid period, app, product, storefront and number of a paid period:
  -- how many subscriptions reached it, of those for whom it could have begun. It says nothing of the
  -- future, nor of ends that nobody has looked at since.
  cohort_month TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  period_number INTEGER NOT NULL,
  subscriptions INTEGER NOT NULL,
  retained INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  could_reach INTEGER NOT NULL,
  not_seen INTEGER NOT NULL
) STRICT;

CREATE TABLE ltv_cohort (
  -- One row per month of a customer's first purchase, its app, product and storefront, currency, and
  -- month since: what the customers of the cohort have paid by the end of that month. A refund counts
  -- from its own month on.
  cohort_month TEXT NOT NULL,
  bundle_id TEXT,
  product_id TEXT NOT NULL,
  storefront TEXT,
  currency TEXT,
  months_since INTEGER NOT NULL,
  customers INTEGER NOT NULL,
  paying_customers INTEGER NOT NULL,
  possible_paying_customers INTEGER NOT NULL,
  net_milli INTEGER NOT NULL,
  net_in_month_milli INTEGER NOT NULL,
  unresolved_rows INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  net_reporting_micros INTEGER,
  net_low_reporting_micros INTEGER,
  net_high_reporting_micros INTEGER,
  unbounded_rows INTEGER
) STRICT;
