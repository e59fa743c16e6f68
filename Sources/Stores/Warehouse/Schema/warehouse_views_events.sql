-- The events of subscriptions, named once, and the views that count them. The rules for views stand
-- in warehouse_views.sql.

CREATE VIEW subscription_event AS
-- One row per event of a subscription's history. Exactly one event begins each period
-- (is_beginning): trial_started, new, converted, renewed, recovered, reactivated, upgraded,
-- downgraded or crossgraded. A trial, a conversion or a change of product that begins a period
-- under another name has a second row. Ends: refunded, revoked, lapsed; also interrupted,
-- cancelled. A subscription that goes on under another product, app or storefront has two rows
-- moved: of the period that it leaves, and of that which it comes to.
SELECT
  e.event, e.event_at, substr(e.event_at, 1, 10) AS event_date, e.is_beginning,
  r.original_transaction_id, e.purchase_key, r.access_ends_at, r.bundle_id, r.product_id,
  e.former_product_id, r.storefront, r.currency, r.spell_number, r.paid_number,
  CASE WHEN e.is_beginning = 1 THEN r.paid_milli
    WHEN e.event = 'refunded' THEN -COALESCE(r.refunded_milli, r.paid_milli) ELSE 0 END AS amount_milli,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NULL
    THEN NULL
    WHEN e.is_beginning = 1 THEN r.paid_reporting_micros
    WHEN e.event <> 'refunded' THEN 0
    WHEN r.refunded_milli IS NULL THEN -r.paid_reporting_micros
    WHEN r.paid_milli > 0 THEN -(r.paid_reporting_micros * r.refunded_milli / r.paid_milli) END
    AS amount_reporting_micros,
  COALESCE(seen.is_complete, 0) AS is_complete,
  e.running_change
FROM fct_subscription_event AS e
JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
LEFT JOIN completeness_daily AS seen ON seen.date_day = substr(e.event_at, 1, 10);

CREATE VIEW subscription_movement_daily AS
-- One row per day, app, product and storefront on which a subscription began, went on, changed or
-- ended. Each period is in one of started, reactivated, converted, upgraded, downgraded, recovered,
-- renewed. Those that run at the end of the day are those that ran at its start, and started,
-- reactivated, returned and moved_in, without moved_out, expired, not_seen and ended_by_refund.
WITH event (date_day, bundle_id, product_id, storefront, event, is_beginning, change) AS (
  SELECT substr(e.event_at, 1, 10), r.bundle_id, r.product_id, r.storefront, e.event,
    e.is_beginning, e.running_change
  FROM fct_subscription_event AS e
  JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
), day (date_day, bundle_id, product_id, storefront, started, trial_started, converted, renewed,
  recovered, reactivated, upgraded, downgraded, cancelled, expired, refunded, not_seen, returned,
  moved_in, moved_out, ended_by_refund, change) AS (
  SELECT
    date_day, bundle_id, product_id, storefront,
    SUM((event = 'new' OR event = 'trial_started') AND change = 1),
    SUM(event = 'trial_started'),
    SUM(event = 'converted' AND is_beginning = 1),
    SUM(event = 'renewed'),
    SUM(event = 'recovered'),
    SUM(event = 'reactivated' AND change = 1),
    SUM(event = 'upgraded' AND is_beginning = 1),
    SUM((event = 'downgraded' OR event = 'crossgraded') AND is_beginning = 1),
    SUM(event = 'cancelled'),
    SUM(event = 'lapsed' OR event = 'interrupted'),
    SUM(event = 'refunded' OR event = 'revoked'),
    SUM(event = 'not_seen'),
    SUM(is_beginning = 1 AND change = 1 AND event <> 'new' AND event <> 'trial_started'
      AND event <> 'reactivated'),
    SUM(event = 'moved' AND change = 1),
    SUM(event = 'moved' AND change = -1),
    SUM((event = 'refunded' OR event = 'revoked') AND change = -1),
    SUM(change)
  FROM event
  GROUP BY date_day, bundle_id, product_id, storefront
)
SELECT
  t.date_day, t.bundle_id, t.product_id, t.storefront, t.started, t.trial_started, t.converted,
  t.renewed, t.recovered, t.reactivated, t.upgraded, t.downgraded, t.cancelled, t.expired,
  t.refunded, COALESCE(seen.is_complete, 0) AS is_complete, t.not_seen, t.returned, t.moved_in, t.moved_out,
  t.ended_by_refund,
  SUM(t.change) OVER (PARTITION BY t.bundle_id, t.product_id, t.storefront ORDER BY t.date_day)
    - t.change AS running_at_start,
  SUM(t.change) OVER (PARTITION BY t.bundle_id, t.product_id, t.storefront ORDER BY t.date_day)
    AS running_at_end
FROM day AS t
LEFT JOIN completeness_daily AS seen ON seen.date_day = t.date_day;

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

CREATE VIEW reconciliation_events_daily AS
-- One row per day, product, storefront, event and cause: the counts of App Analytics beside those
-- of the facts. The causes of a cell sum to its difference.
-- Of several instances with a day of an app, the newest counts. Matched are, in this order: the
-- same day, the days beside it, facts without a storefront, and ends that nobody has looked at.
WITH instance (source_file_id, report, app, report_date, event_date) AS (
  SELECT DISTINCT a.source_file_id, a.report, COALESCE(l.app, ''), a.report_date, l.event_date
  FROM audit_apple_report AS a
  JOIN apple_report_line AS l ON l.source_file_id = a.source_file_id
  WHERE a.report = 'analytics_event' OR a.report = 'analytics_state'
), newest (report, app, event_date, report_date) AS (
  SELECT report, app, event_date, MAX(report_date) FROM instance GROUP BY report, app, event_date
), line (date_day, report, app, product_id, is_known, apple_id, storefront, event,
  apple_event, units, bundle_id) AS (
  SELECT l.event_date, l.report, COALESCE(l.app, ''), COALESCE(l.product_id, l.apple_id), p.product_id IS NOT NULL,
    CASE WHEN l.product_id IS NULL THEN l.apple_id END, l.storefront,
    CASE
      WHEN l.report = 'analytics_state' AND (lower(l.event) = 'full price'
        OR lower(l.event) = 'preserved price' OR lower(l.event) = 'contingent price'
        OR lower(l.event) LIKE 'paid offer%') THEN 'active_paid'
      WHEN l.report = 'analytics_state' AND lower(l.event) LIKE 'free trial%' THEN 'active_trial'
      WHEN l.report = 'analytics_state' THEN NULL
      WHEN lower(l.event) LIKE 'free trial start%' THEN 'trial_started'
      WHEN lower(l.event) LIKE '%price from free trial%' THEN 'converted'
      WHEN lower(l.event) LIKE '%price subscription start%'
        OR lower(l.event) LIKE 'paid offer start%' THEN 'started'
      WHEN lower(l.event) LIKE 'refund%' THEN 'refunded'
      WHEN lower(l.event) LIKE '% renewal%' OR lower(l.event) LIKE '% recover%'
        OR lower(l.event) LIKE '%price from paid offer%'
        OR lower(l.event) LIKE '%commitment based payment%' THEN 'renewed'
    END,
    lower(l.event), l.units, p.bundle_id
  FROM apple_report_line AS l
  JOIN audit_apple_report AS a ON a.source_file_id = l.source_file_id
  JOIN newest AS n ON n.report = l.report AND n.app = COALESCE(l.app, '')
    AND n.event_date = l.event_date AND n.report_date = a.report_date
  LEFT JOIN (SELECT product_id, MIN(COALESCE(bundle_id, '')) AS bundle_id FROM fct_revenue
    GROUP BY product_id) AS p ON p.product_id = l.product_id
), scope (report, bundle_id, first_day, last_day) AS (
  SELECT report, bundle_id, MIN(date_day), MAX(date_day) FROM line WHERE is_known
  GROUP BY report, bundle_id
), reported (report, bundle_id, date_day, report_date) AS (
  -- The newest report that could count the day: Apple completes a day within three days.
  SELECT d.report, d.bundle_id, d.date_day, MAX(i.report_date)
  FROM (SELECT s.report, s.bundle_id, d.date_day FROM scope AS s
    JOIN dim_date AS d ON d.date_day >= s.first_day AND d.date_day <= s.last_day) AS d
  JOIN (SELECT DISTINCT report, bundle_id, app FROM line WHERE is_known) AS a
    ON a.report = d.report AND a.bundle_id = d.bundle_id
  JOIN instance AS i ON i.report = d.report AND i.app = a.app AND (i.event_date = d.date_day
    OR i.report_date > d.date_day
      AND i.report_date <= strftime('%Y-%m-%d', d.date_day, '+3 days'))
  GROUP BY d.report, d.bundle_id, d.date_day
), counted (event, date_day, product_id, bundle_id, storefront, ours, unseen) AS (
  SELECT
    CASE
      WHEN e.event = 'trial_started' OR e.event = 'converted' OR e.event = 'refunded' THEN e.event
      WHEN e.event = 'renewed' OR e.event = 'recovered' THEN 'renewed'
      WHEN e.event = 'not_seen' AND t.purchase_key IS NOT NULL THEN 'converted'
      WHEN e.event = 'not_seen' THEN 'renewed'
      WHEN (e.event = 'new' OR e.event = 'reactivated') AND t.purchase_key IS NULL
        AND c.purchase_key IS NULL THEN 'started'
    END,
    e.event_date, e.product_id, COALESCE(e.bundle_id, ''), COALESCE(e.storefront, ''),
    e.event <> 'not_seen', e.event = 'not_seen'
  FROM subscription_event AS e
  LEFT JOIN (SELECT DISTINCT offer_purchase_key AS purchase_key FROM fct_conversion
    WHERE offer_kind = 'trial') AS t ON t.purchase_key = e.purchase_key
  LEFT JOIN (SELECT DISTINCT converted_purchase_key AS purchase_key FROM fct_conversion
    WHERE offer_kind = 'trial' AND status = 'converted') AS c ON c.purchase_key = e.purchase_key
), running (event, date_day, product_id, bundle_id, storefront, change, is_wanted) AS (
  SELECT CASE WHEN paid_milli = 0 THEN 'active_trial' ELSE 'active_paid' END, purchased_date,
    product_id, COALESCE(bundle_id, ''), COALESCE(storefront, ''), 1, 0
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription'
    AND purchased_date < substr(access_ends_at, 1, 10)
  UNION ALL
  SELECT CASE WHEN paid_milli = 0 THEN 'active_trial' ELSE 'active_paid' END,
    substr(access_ends_at, 1, 10), product_id, COALESCE(bundle_id, ''), COALESCE(storefront, ''),
    -1, 0
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription'
    AND purchased_date < substr(access_ends_at, 1, 10)
  UNION ALL
  SELECT m.event, d.date_day, m.product_id, m.bundle_id, m.storefront, 0, 1
  FROM (SELECT DISTINCT CASE WHEN paid_milli = 0 THEN 'active_trial' ELSE 'active_paid' END AS event,
      product_id, COALESCE(bundle_id, '') AS bundle_id, COALESCE(storefront, '') AS storefront
    FROM fct_revenue
    WHERE product_kind = 'auto_renewable_subscription'
      AND purchased_date < substr(access_ends_at, 1, 10)) AS m
  JOIN (SELECT DISTINCT bundle_id, date_day FROM line
    WHERE report = 'analytics_state' AND is_known) AS d ON d.bundle_id = m.bundle_id
), stock (event, date_day, product_id, bundle_id, storefront, ours, is_wanted) AS (
  SELECT event, date_day, product_id, bundle_id, storefront,
    SUM(change) OVER (PARTITION BY event, product_id, bundle_id, storefront ORDER BY date_day),
    is_wanted
  FROM running
), cell (date_day, product_id, storefront, event, bundle_id, apple, ours, unseen) AS (
  SELECT date_day, product_id, storefront, event, MAX(bundle_id), SUM(apple), SUM(ours),
    SUM(unseen)
  FROM (
    SELECT date_day, product_id, storefront, event, bundle_id, units AS apple, 0 AS ours,
      0 AS unseen
    FROM line WHERE is_known AND event IS NOT NULL
    UNION ALL
    SELECT c.date_day, c.product_id, c.storefront, c.event, c.bundle_id, 0, c.ours, c.unseen
    FROM counted AS c
    JOIN scope AS s ON s.report = 'analytics_event' AND s.bundle_id = c.bundle_id
      AND c.date_day >= s.first_day AND c.date_day <= s.last_day
    WHERE c.event IS NOT NULL
    UNION ALL
    SELECT date_day, product_id, storefront, event, bundle_id, 0, ours, 0
    FROM stock WHERE is_wanted = 1 AND ours <> 0
  ) AS row
  GROUP BY date_day, product_id, storefront, event
), left_1 AS (
  SELECT *, MIN(apple, ours) AS same, apple - MIN(apple, ours) AS apple_1,
    ours - MIN(apple, ours) AS ours_1,
    event NOT LIKE 'active%' AND strftime('%Y-%m-%d', date_day, '+1 day')
      = LEAD(date_day) OVER (PARTITION BY product_id, storefront, event ORDER BY date_day)
      AS is_followed
  FROM cell
), left_2 AS (
  -- A renewal is charged up to a day before its period, and Apple's day begins later than the UTC
  -- day: Apple's day comes first.
  SELECT *, CASE WHEN is_followed
    THEN MIN(apple_1, LEAD(ours_1) OVER (PARTITION BY product_id, storefront, event
      ORDER BY date_day)) ELSE 0 END AS later
  FROM left_1
), left_3 AS (
  SELECT *, apple_1 - later AS apple_2,
    ours_1 - LAG(later, 1, 0) OVER (PARTITION BY product_id, storefront, event ORDER BY date_day)
      AS ours_2
  FROM left_2
), left_4 AS (
  SELECT *, CASE WHEN is_followed
    THEN MIN(ours_2, LEAD(apple_2) OVER (PARTITION BY product_id, storefront, event
      ORDER BY date_day)) ELSE 0 END AS earlier
  FROM left_3
), left_5 AS (
  SELECT *, ours_2 - earlier AS ours_3,
    apple_2 - LAG(earlier, 1, 0) OVER (PARTITION BY product_id, storefront, event
      ORDER BY date_day) AS apple_3
  FROM left_4
), left_6 AS (
  SELECT *,
    SUM(CASE WHEN storefront = '' THEN ours_3 ELSE 0 END)
      OVER (PARTITION BY date_day, product_id, event) AS nowhere,
    SUM(apple_3) OVER (PARTITION BY date_day, product_id, event) AS apple_everywhere,
    SUM(apple_3) OVER (PARTITION BY date_day, product_id, event ORDER BY storefront
      ROWS UNBOUNDED PRECEDING) - apple_3 AS apple_before
  FROM left_5
), left_7 AS (
  SELECT *,
    MAX(0, MIN(apple_3, nowhere - apple_before)) AS apple_placed,
    CASE WHEN storefront = '' THEN MIN(ours_3, apple_everywhere) ELSE 0 END AS ours_placed
  FROM left_6
), left_8 AS (
  SELECT *, MIN(apple_3 - apple_placed, unseen) AS unseen_1 FROM left_7
), left_9 AS (
  SELECT *, CASE WHEN is_followed
    THEN MIN(apple_3 - apple_placed - unseen_1, LEAD(unseen - unseen_1)
      OVER (PARTITION BY product_id, storefront, event ORDER BY date_day)) ELSE 0 END AS unseen_2
  FROM left_8
), explained AS (
  SELECT l.*, apple_3 - apple_placed - unseen_1 - unseen_2 AS apple_rest,
    ours_3 - ours_placed AS ours_rest,
    CASE WHEN r.report_date IS NULL THEN 'no_report'
      WHEN r.report_date < strftime('%Y-%m-%d', l.date_day, '+3 days') THEN 'not_complete'
      ELSE 'unexplained' END AS ours_cause
  FROM left_9 AS l
  LEFT JOIN reported AS r ON r.bundle_id = l.bundle_id AND r.date_day = l.date_day
    AND r.report = CASE WHEN l.event LIKE 'active%' THEN 'analytics_state'
      ELSE 'analytics_event' END
), cause (cause) AS (
  VALUES ('equal'), ('day_boundary'), ('storefront_unknown'), ('not_seen'), ('receipt_missing'),
    ('no_report'), ('not_complete'), ('unexplained')
), divided (date_day, product_id, storefront, event, cause, apple_events, our_events) AS (
  SELECT x.date_day, x.product_id, x.storefront, x.event, c.cause,
    CASE c.cause WHEN 'equal' THEN x.same WHEN 'day_boundary' THEN x.apple_1 - x.apple_3
      WHEN 'storefront_unknown' THEN x.apple_placed WHEN 'not_seen' THEN x.unseen_1 + x.unseen_2
      WHEN 'receipt_missing' THEN x.apple_rest ELSE 0 END,
    CASE c.cause WHEN 'equal' THEN x.same WHEN 'day_boundary' THEN x.ours_1 - x.ours_3
      WHEN 'storefront_unknown' THEN x.ours_placed
      WHEN x.ours_cause THEN x.ours_rest ELSE 0 END
  FROM explained AS x CROSS JOIN cause AS c
  UNION ALL
  SELECT date_day, product_id, storefront, event,
    CASE WHEN apple_id IS NULL THEN 'other_products' ELSE 'unmapped' END, SUM(units), 0
  FROM line
  WHERE NOT is_known AND event IS NOT NULL AND product_id IS NOT NULL
  GROUP BY date_day, product_id, storefront, event,
    CASE WHEN apple_id IS NULL THEN 'other_products' ELSE 'unmapped' END
  UNION ALL
  SELECT date_day, product_id, storefront, apple_event, 'not_compared', SUM(units), 0
  FROM line
  WHERE is_known AND event IS NULL AND report = 'analytics_event'
  GROUP BY date_day, product_id, storefront, apple_event
)
SELECT
  date_day, product_id, storefront, event, cause, apple_events, our_events,
  apple_events - our_events AS difference
FROM divided
WHERE apple_events <> 0 OR our_events <> 0;
