-- The events of subscriptions, named once, and the views that count them. The rules for views stand
-- in warehouse_views.sql.

CREATE VIEW subscription_event AS
-- One row per event of a subscription's history. Exactly one event begins each period
-- (is_beginning): trial_started, new, converted, renewed, recovered, reactivated, upgraded,
-- downgraded or crossgraded. A trial, a conversion or a change of product that begins a period
-- under another name has a second row. Ends: refunded, revoked, lapsed; also interrupted,
-- cancelled.
WITH period (purchase_key, chain, bundle_id, product_id, storefront, currency, purchased_at,
  access_ends_at, end_date, is_free, paid_milli, micros, reversal_kind, reversed_at,
  refunded_milli, is_billing_recovery, spell_number, paid_number, former_product, former_spell,
  former_reversal, next_at, next_spell) AS (
  SELECT purchase_key, original_transaction_id, bundle_id, product_id, storefront, currency,
    purchased_at, access_ends_at, substr(access_ends_at, 1, 10), price_status = 'zero_by_rule',
    paid_milli, paid_reporting_micros, reversal_kind, reversed_at, refunded_milli,
    is_billing_recovery, spell_number, paid_number,
    LAG(product_id) OVER (PARTITION BY original_transaction_id ORDER BY purchased_at, expires_at, purchase_key),
    LAG(spell_number) OVER (PARTITION BY original_transaction_id ORDER BY purchased_at, expires_at, purchase_key),
    LAG(reversal_kind) OVER (PARTITION BY original_transaction_id ORDER BY purchased_at, expires_at, purchase_key),
    LEAD(purchased_at) OVER (PARTITION BY original_transaction_id ORDER BY purchased_at, expires_at, purchase_key),
    LEAD(spell_number) OVER (PARTITION BY original_transaction_id ORDER BY purchased_at, expires_at, purchase_key)
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription'
), trial (purchase_key) AS (
  SELECT DISTINCT offer_purchase_key FROM fct_conversion WHERE offer_kind = 'trial'
), conversion (purchase_key) AS (
  SELECT DISTINCT converted_purchase_key FROM fct_conversion
  WHERE offer_kind = 'trial' AND status = 'converted'
), renewing (chain, observed_at, is_on, was_on, expiration_intent) AS (
  SELECT original_transaction_id, observed_at, auto_renew_status,
    COALESCE(LAG(auto_renew_status) OVER (PARTITION BY original_transaction_id ORDER BY observed_at), 1),
    COALESCE(expiration_intent, '')
  FROM fct_renewal_state
  WHERE auto_renew_status IS NOT NULL
), cancellation (chain, observed_at) AS (
  -- Apple's 2 and 4 are no decisions of the customer: a failed payment, a product that is gone.
  SELECT chain, observed_at FROM renewing
  WHERE is_on = 0 AND was_on = 1 AND expiration_intent NOT IN ('2', '4')
), judged AS (
  SELECT p.*, t.purchase_key IS NOT NULL AS is_trial, c.purchase_key IS NOT NULL AS is_conversion,
    CASE
      WHEN p.former_product IS NULL OR p.former_spell <> p.spell_number
        OR p.former_product = p.product_id THEN NULL
      WHEN p.former_reversal = 'upgrade' THEN 'upgraded'
      WHEN a.subscription_period <> b.subscription_period THEN 'crossgraded'
      ELSE 'downgraded' END AS change,
    CASE
      WHEN p.former_product IS NULL AND t.purchase_key IS NOT NULL THEN 'trial_started'
      WHEN p.former_product IS NULL THEN 'new'
      WHEN p.former_spell <> p.spell_number THEN 'reactivated'
      WHEN c.purchase_key IS NOT NULL THEN 'converted'
      WHEN p.former_reversal = 'upgrade' THEN 'upgraded'
      WHEN p.former_product <> p.product_id AND a.subscription_period <> b.subscription_period
      THEN 'crossgraded'
      WHEN p.former_product <> p.product_id THEN 'downgraded'
      WHEN p.is_billing_recovery = 1 THEN 'recovered'
      ELSE 'renewed' END AS beginning,
    CASE
      WHEN p.reversal_kind = 'refund' AND p.reversed_at <= p.access_ends_at
        OR p.access_ends_at > (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
        OR substr(p.next_at, 1, 10) <= p.end_date THEN NULL
      WHEN p.next_spell <> p.spell_number THEN 'lapsed'
      WHEN p.next_at IS NULL AND s.seen_through_at IS NOT NULL THEN 'not_seen'
      WHEN p.next_at IS NULL AND (s.status = 'expired' OR s.status = 'revoked') THEN 'lapsed'
      ELSE 'interrupted' END AS ending
  FROM period AS p
  LEFT JOIN trial AS t ON t.purchase_key = p.purchase_key
  LEFT JOIN conversion AS c ON c.purchase_key = p.purchase_key
  LEFT JOIN dim_subscription AS s ON s.original_transaction_id = p.chain
  LEFT JOIN dim_product AS a
    ON a.bundle_id = COALESCE(p.bundle_id, '') AND a.product_id = p.former_product
  LEFT JOIN dim_product AS b
    ON b.bundle_id = COALESCE(p.bundle_id, '') AND b.product_id = p.product_id
), kind (kind) AS (
  VALUES ('beginning'), ('trial'), ('conversion'), ('change'), ('reversal'), ('ending'),
    ('cancelled')
), event AS (
  SELECT j.*, k.kind,
    CASE k.kind
      WHEN 'beginning' THEN j.beginning
      WHEN 'trial' THEN 'trial_started'
      WHEN 'conversion' THEN 'converted'
      WHEN 'change' THEN j.change
      WHEN 'reversal' THEN CASE WHEN j.is_free OR j.refunded_milli = 0 THEN 'revoked'
        ELSE 'refunded' END
      WHEN 'ending' THEN j.ending
      ELSE 'cancelled' END AS event,
    CASE k.kind WHEN 'reversal' THEN j.reversed_at WHEN 'ending' THEN j.access_ends_at
      WHEN 'cancelled' THEN c.observed_at ELSE j.purchased_at END AS event_at
  FROM judged AS j
  CROSS JOIN kind AS k
  LEFT JOIN cancellation AS c ON c.chain = j.chain AND k.kind = 'cancelled'
    AND c.observed_at >= j.purchased_at AND (j.next_at IS NULL OR c.observed_at < j.next_at)
  WHERE k.kind = 'beginning'
    OR k.kind = 'trial' AND j.is_trial AND j.beginning <> 'trial_started'
    OR k.kind = 'conversion' AND j.is_conversion AND j.beginning <> 'converted'
    OR k.kind = 'change' AND j.change <> j.beginning
    OR k.kind = 'reversal' AND j.reversal_kind = 'refund'
    OR k.kind = 'ending' AND j.ending IS NOT NULL
    OR k.kind = 'cancelled' AND c.observed_at IS NOT NULL
)
SELECT
  event, event_at, substr(event_at, 1, 10) AS event_date, kind = 'beginning' AS is_beginning,
  chain AS original_transaction_id, purchase_key, access_ends_at, bundle_id, product_id,
  NULLIF(former_product, product_id) AS former_product_id, storefront, currency, spell_number,
  paid_number,
  CASE WHEN kind = 'beginning' THEN paid_milli
    WHEN event = 'refunded' THEN -COALESCE(refunded_milli, paid_milli) ELSE 0 END AS amount_milli,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NULL
    THEN NULL
    WHEN kind = 'beginning' THEN micros
    WHEN event <> 'refunded' THEN 0
    WHEN refunded_milli IS NULL THEN -micros
    WHEN paid_milli > 0 THEN -(micros * refunded_milli / paid_milli) END
    AS amount_reporting_micros,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = substr(event_at, 1, 10)), 0)
    AS is_complete
FROM event;

CREATE VIEW subscription_movement_daily AS
-- One row per day, app, product and storefront on which a subscription began, went on, changed or
-- ended. Each period is in one of started, reactivated, converted, upgraded, downgraded, recovered,
-- renewed.
SELECT
  event_date AS date_day, bundle_id, product_id, storefront,
  SUM(event = 'new' OR event = 'trial_started' AND is_beginning) AS started,
  SUM(event = 'trial_started') AS trial_started,
  SUM(event = 'converted' AND is_beginning) AS converted,
  SUM(event = 'renewed') AS renewed,
  SUM(event = 'recovered') AS recovered,
  SUM(event = 'reactivated') AS reactivated,
  SUM(event = 'upgraded' AND is_beginning) AS upgraded,
  SUM((event = 'downgraded' OR event = 'crossgraded') AND is_beginning) AS downgraded,
  SUM(event = 'cancelled') AS cancelled,
  SUM(event = 'lapsed' OR event = 'interrupted') AS expired,
  SUM(event = 'refunded' OR event = 'revoked') AS refunded,
  MAX(is_complete) AS is_complete,
  SUM(event = 'not_seen') AS not_seen
FROM subscription_event
GROUP BY event_date, bundle_id, product_id, storefront;

CREATE VIEW product_flow_monthly AS
-- One row per month in which a subscription changed its product, app, and pair of products: how
-- many did, in which way, and what the new product's first period cost, between which bounds.
SELECT
  substr(e.event_date, 1, 7) AS month, e.bundle_id, e.former_product_id AS from_product_id,
  e.product_id AS to_product_id,
  count(1) AS changes,
  SUM(e.event = 'upgraded') AS upgrades,
  SUM(e.event = 'downgraded') AS downgrades,
  SUM(e.event = 'crossgraded') AS crossgrades,
  count(1) - count(r.paid_milli) AS unresolved_rows,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(r.paid_reporting_micros), 0) END AS paid_reporting_micros,
  count(r.paid_milli) - CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1)
    IS NULL THEN count(r.paid_milli) ELSE count(r.paid_reporting_micros) END AS unconverted_rows,
  COALESCE(MAX(seen.is_complete), 0) AS is_complete,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(r.paid_low_reporting_micros), 0) END AS paid_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(r.paid_high_reporting_micros), 0) END AS paid_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN count(1) - count(r.paid_high_reporting_micros) END AS unbounded_rows,
  SUM(r.is_high_estimated) AS estimated_high_rows
FROM subscription_event AS e
JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
LEFT JOIN completeness_monthly AS seen ON seen.month = substr(e.event_date, 1, 7)
WHERE e.former_product_id IS NOT NULL
  AND (e.event = 'upgraded' OR e.event = 'downgraded' OR e.event = 'crossgraded')
GROUP BY substr(e.event_date, 1, 7), e.bundle_id, e.former_product_id, e.product_id;
