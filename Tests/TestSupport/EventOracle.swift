/// The events of subscriptions in plain SQL: what `fct_subscription_event` must hold, computed from
/// the other facts alone.
public enum EventOracle {
  /// A query with the columns of `fct_subscription_event`; its rows come in no order.
  public static let query = """
    WITH period AS (
      SELECT r.*, substr(access_ends_at, 1, 10) AS end_date,
        COALESCE(access_ends_at > purchased_at, 0) AND NOT (reversal_kind = 'refund'
          AND COALESCE(MAX(access_ends_at) OVER (chain ROWS BETWEEN UNBOUNDED PRECEDING
            AND 1 PRECEDING) > access_ends_at, 0)) AS ran,
        IFNULL(bundle_id, '') || '|' || product_id || '|' || IFNULL(storefront, '') AS place,
        LAG(product_id) OVER chain AS former_product,
        LAG(spell_number) OVER chain AS former_spell,
        LAG(reversal_kind) OVER chain AS former_reversal,
        LEAD(purchased_at) OVER chain AS following_at
      FROM fct_revenue AS r WHERE product_kind = 'auto_renewable_subscription'
      WINDOW chain AS (PARTITION BY original_transaction_id
        ORDER BY purchased_at, expires_at, purchase_key)
    ), runs AS (
      SELECT purchase_key,
        LAG(end_date) OVER chain AS earlier_end, LAG(place) OVER chain AS earlier_place,
        LEAD(purchased_at) OVER chain AS next_at, LEAD(place) OVER chain AS next_place,
        LEAD(spell_number) OVER chain AS next_spell
      FROM period WHERE ran
      WINDOW chain AS (PARTITION BY original_transaction_id
        ORDER BY purchased_at, expires_at, purchase_key)
    ), cancellation AS (
      SELECT original_transaction_id, observed_at FROM (
        SELECT *, COALESCE(LAG(auto_renew_status) OVER (PARTITION BY original_transaction_id
          ORDER BY observed_at), 1) AS was_on
        FROM fct_renewal_state WHERE auto_renew_status IS NOT NULL)
      WHERE auto_renew_status = 0 AND was_on = 1
        AND COALESCE(expiration_intent, '') NOT IN ('2', '4')
    ), judged AS (
      SELECT p.*, n.next_at, n.next_place, n.next_spell, n.earlier_place,
        p.price_status = 'zero_by_rule' OR COALESCE(p.refunded_milli = 0, 0) AS is_unpaid,
        p.purchase_key IN (SELECT offer_purchase_key FROM fct_conversion
          WHERE offer_kind = 'trial') AS is_trial,
        p.purchase_key IN (SELECT converted_purchase_key FROM fct_conversion
          WHERE offer_kind = 'trial' AND status = 'converted') AS is_conversion,
        CASE WHEN p.former_spell <> p.spell_number OR p.former_product = p.product_id
            OR p.former_product IS NULL THEN NULL
          WHEN p.former_reversal = 'upgrade' THEN 'upgraded'
          WHEN (SELECT subscription_period FROM dim_product AS d WHERE d.product_id = p.former_product
              AND d.bundle_id = IFNULL(p.bundle_id, ''))
            <> (SELECT subscription_period FROM dim_product AS d WHERE d.product_id = p.product_id
              AND d.bundle_id = IFNULL(p.bundle_id, '')) THEN 'crossgraded'
          ELSE 'downgraded' END AS change,
        COALESCE(n.earlier_end >= p.purchased_date, 0) AS follows,
        COALESCE(substr(n.next_at, 1, 10) <= p.end_date, 0) AS is_followed,
        p.reversal_kind = 'refund' AND p.ran AND p.reversed_at <= p.access_ends_at AS is_ended_by_refund
      FROM period AS p LEFT JOIN runs AS n USING (purchase_key)
    ), named AS (
      SELECT j.*, CASE
          WHEN former_product IS NULL AND is_trial THEN 'trial_started'
          WHEN former_product IS NULL THEN 'new'
          WHEN former_spell <> spell_number THEN 'reactivated'
          WHEN is_conversion THEN 'converted'
          WHEN former_reversal = 'upgrade' THEN 'upgraded'
          WHEN change IS NOT NULL THEN change
          WHEN is_billing_recovery THEN 'recovered'
          ELSE 'renewed' END AS beginning,
        CASE WHEN NOT ran OR is_followed OR is_ended_by_refund
            OR access_ends_at > (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1) THEN NULL
          WHEN next_spell <> spell_number THEN 'lapsed'
          WHEN next_at IS NOT NULL THEN 'interrupted'
          WHEN (SELECT seen_through_at FROM dim_subscription AS s
            WHERE s.original_transaction_id = j.original_transaction_id) IS NOT NULL THEN 'not_seen'
          WHEN (SELECT status IN ('expired', 'revoked') FROM dim_subscription AS s
            WHERE s.original_transaction_id = j.original_transaction_id) THEN 'lapsed'
          ELSE 'interrupted' END AS ending
      FROM judged AS j
    ), event (purchase_key, place, event, event_at, former_product_id, running_change) AS (
      SELECT purchase_key, 0, beginning, purchased_at, NULLIF(former_product, product_id),
        ran AND NOT follows FROM named
      UNION ALL
      SELECT purchase_key, 1, 'trial_started', purchased_at, NULLIF(former_product, product_id), 0
      FROM named WHERE is_trial AND beginning <> 'trial_started'
      UNION ALL
      SELECT purchase_key, 2, 'converted', purchased_at, NULLIF(former_product, product_id), 0
      FROM named WHERE is_conversion AND beginning <> 'converted'
      UNION ALL
      SELECT purchase_key, 3, change, purchased_at, NULLIF(former_product, product_id), 0
      FROM named WHERE change <> beginning
      UNION ALL
      SELECT purchase_key, 4, 'moved', purchased_at, NULLIF(former_product, product_id), 1
      FROM named WHERE ran AND follows AND place <> earlier_place
      UNION ALL
      SELECT purchase_key, 5, IIF(is_unpaid, 'revoked', 'refunded'), reversed_at,
        NULLIF(former_product, product_id), -(is_ended_by_refund AND NOT is_followed)
      FROM named WHERE reversal_kind = 'refund'
      UNION ALL
      SELECT purchase_key, 6, 'moved', next_at, NULLIF(former_product, product_id), -1
      FROM named WHERE ran AND is_followed AND next_place <> place
      UNION ALL
      SELECT purchase_key, 7, ending, access_ends_at, NULLIF(former_product, product_id), -1
      FROM named WHERE ending IS NOT NULL
      UNION ALL
      SELECT n.purchase_key, 8, 'cancelled', c.observed_at,
        NULLIF(former_product, product_id), 0
      FROM named AS n JOIN cancellation AS c USING (original_transaction_id)
      WHERE c.observed_at >= n.purchased_at
        AND (n.following_at IS NULL OR c.observed_at < n.following_at)
    )
    SELECT purchase_key,
      ROW_NUMBER() OVER (PARTITION BY purchase_key ORDER BY place, event_at) - 1 AS event_number,
      event, event_at, place = 0 AS is_beginning, former_product_id, running_change
    FROM event
    """
}
