package import Amounts
package import GRDB
internal import SQLiteFiles

/// The rows without an amount, grouped by the evidence that would resolve them.
///
/// The first group has the largest difference between upper and lower bounds, in money.
package struct MissingEvidence: Hashable, Sendable {
  /// The kind of evidence that rows lack.
  package enum Cause: String, Hashable, Sendable {
    /// The storefront is unknown, and the export has no customer id.
    case customer
    /// The storefront is unknown, although the export has the customer id.
    case country
    /// Nothing shows whether existing subscribers kept the old price after a price rise.
    case priceChange = "price_change"
    /// A service that does not mark offers states another amount for the rows than for the first
    /// ones, and no rise is known.
    case unmarkedOffer = "unmarked_offer"
    /// Rows before a subscription's first known row are missing.
    case earlierRows = "earlier_rows"
    /// The price of a promotional offer or offer code is unknown.
    case offer
    /// The price of an introductory offer is unknown.
    case introduction
    /// The regular price of the product at the time of the purchase is unknown.
    case price
  }

  /// Rows that lack the same evidence, such as the price of one offer in one currency.
  package struct Group: Hashable, Sendable {
    package var cause: Cause
    /// The product; `nil` if the currency is unknown.
    ///
    /// Such rows are grouped for all products, because they lack the storefront, not a price.
    package var productID: String?
    /// The app, if several apps sell the product; else `nil`.
    package var bundleID: String?
    /// The currency; `nil` if unknown.
    package var currency: Currency?
    /// The offer, if the cause is ``Cause/offer``.
    package var offerID: String?
    /// Whether the offer is `promo` or `offer_code`, if the cause is ``Cause/offer``.
    package var offerKind: String?
    /// The day of the group's first row; of the product's first row, if the cause is
    /// ``Cause/unmarkedOffer``.
    package var firstDay: String?
    /// The day of the price rise, if the cause is ``Cause/priceChange``.
    ///
    /// Without a rise before the rows, the day of the first one after them.
    package var day: String?
    /// The number of rows without a known amount for this cause.
    package var rows: Int64
    /// The upper bounds minus the lower bounds, summed over the rows, in the reporting currency.
    ///
    /// `nil` without a reporting currency, or if no row has an upper bound.
    package var open: Micros?
    /// The number of rows without an upper bound; ``open`` leaves them out.
    package var unboundedRows: Int64
  }

  /// The groups, sorted by ``Group/open``, then by rows; the largest first.
  package var groups: [Group] = []
  /// The number of rows with the status `unresolved`, summed over all groups.
  package var rows: Int64 = 0
  /// The number of price reports with neither customer nor transaction, and of all reports.
  package var reports: (loose: Int64, all: Int64) { (looseReports, allReports) }
  private var looseReports: Int64 = 0
  private var allReports: Int64 = 0
  /// The reporting currency; `nil` if the pipeline has none.
  package var reporting: Currency?

  package init() {}

  /// Reads the rows without an amount from the facts.
  package static func read(_ db: Database) throws -> MissingEvidence {
    var missing = MissingEvidence()
    for row in try StoredRow.fetchAll(db, sql: query) {
      guard let cause = Cause(rawValue: row[0]) else { continue }
      let (code, open): (String?, Int64?) = (row[2], row[6])
      missing.groups.append(
        Group(
          cause: cause, productID: row[1], bundleID: row[8],
          currency: code.flatMap { Currency($0) }, offerID: row[3], offerKind: row[9],
          firstDay: row[10], day: row[4], rows: row[5], open: open.map(Micros.init),
          unboundedRows: row[7]))
    }
    missing.rows = missing.groups.reduce(0) { $0 + $1.rows }
    if let row = try StoredRow.fetchOne(db, sql: reportQuery) {
      (missing.looseReports, missing.allReports) = (row[0], row[1])
    }
    missing.reporting = try ReportingSummary.currency(on: db)
    return missing
  }

  /// The prices of a row's product that began after its first purchase.
  private static let prices = """
    SELECT p.valid_from FROM dim_product_price AS p
    WHERE p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id
      AND p.currency = r.currency AND p.storefront IN ('', COALESCE(r.storefront, ''))
      AND p.price_kind = 'regular' AND p.valid_from > b.began
    """

  private static let query = """
    WITH first AS MATERIALIZED (
      SELECT product_id, currency, MIN(purchased_at) AS began FROM fct_revenue
      GROUP BY product_id, currency
    ), open (
      cause, product_id, currency, offer_id, day, low, high, bundle_id, offer_kind, purchased,
      began
    ) AS (
      SELECT
        CASE
          WHEN r.currency IS NULL AND r.customer_key IS NULL THEN 'customer'
          WHEN r.currency IS NULL THEN 'country'
          WHEN r.price_rule = 'previous_renewal' AND r.basis_purchase_key IS NULL
          THEN 'earlier_rows'
          WHEN r.price_rule = 'previous_renewal' AND EXISTS (
              SELECT 1 FROM service_comparison AS s
              WHERE s.purchase_key = r.purchase_key AND s.service IN ('adapty', 'qonversion')
                AND s.service_paid_milli = r.paid_high_milli)
            AND NOT EXISTS (\(prices) AND p.valid_from <= r.purchased_at)
          THEN 'unmarked_offer'
          WHEN r.price_rule = 'previous_renewal' THEN 'price_change'
          WHEN r.period_kind = 'promo' OR r.period_kind = 'offer_code' THEN 'offer'
          WHEN r.period_kind = 'intro' THEN 'introduction'
          ELSE 'price' END,
        CASE WHEN r.currency IS NOT NULL THEN r.product_id END, r.currency,
        CASE WHEN r.period_kind = 'promo' OR r.period_kind = 'offer_code' THEN r.offer_id END,
        CASE WHEN r.price_rule = 'previous_renewal' AND r.basis_purchase_key IS NOT NULL
          THEN substr(COALESCE(
            (SELECT MAX(valid_from) FROM (\(prices) AND p.valid_from <= r.purchased_at)),
            (SELECT MIN(valid_from) FROM (\(prices) AND p.valid_from > r.purchased_at))), 1, 10) END,
        COALESCE(r.paid_low_reporting_micros, 0), r.paid_high_reporting_micros,
        CASE WHEN r.currency IS NOT NULL AND r.product_id IN (
            SELECT product_id FROM dim_product GROUP BY product_id
            HAVING count(NULLIF(bundle_id, '')) > 1)
          THEN r.bundle_id END,
        CASE WHEN r.period_kind = 'promo' OR r.period_kind = 'offer_code' THEN r.period_kind END,
        r.purchased_date, substr(b.began, 1, 10)
      FROM fct_revenue AS r
      LEFT JOIN first AS b ON b.product_id = r.product_id AND b.currency = r.currency
      WHERE r.price_status = 'unresolved'
    )
    SELECT cause, product_id, currency, offer_id, day, count(1), SUM(high - low),
      count(1) - count(high), bundle_id, offer_kind,
      CASE cause WHEN 'unmarked_offer' THEN MIN(began) ELSE MIN(purchased) END
    FROM open
    GROUP BY cause, product_id, currency, offer_id, day, bundle_id, offer_kind
    ORDER BY COALESCE(SUM(high - low), 0) DESC, count(1) DESC, cause, product_id, currency,
      offer_id, day, bundle_id, offer_kind
    """

  private static let reportQuery = """
    SELECT COALESCE(SUM(customer_key IS NULL AND transaction_id IS NULL), 0), count(1)
    FROM price_evidence
    """
}
