internal import Amounts
internal import GRDB
internal import SQLiteFiles

enum OfferReading {
  /// Reads trials and paid introductory offers by kind, month and product.
  static func cohorts(
    _ window: PageWindow, _ products: ProductNames, on db: Database
  ) throws -> [CohortFigures] {
    var cohorts: [CohortFigures] = []
    for (kind, view, prefix) in [
      ("trial", "trial_conversion", "trials"), ("intro", "intro_conversion", "intros"),
    ] {
      let rows = try StoredRow.fetchAll(
        db,
        sql: """
          SELECT substr(cohort_date, 1, 7), \(products.sql("offer_product_id")), SUM(\(prefix)),
            SUM(mature_\(prefix)), SUM(converted_strict), SUM(converted_any),
            SUM(converted_then_refunded), SUM(pending + billing_retry), SUM(lapsed),
            MIN(is_complete), SUM(mature_converted)
          FROM \(view) GROUP BY 1, 2 ORDER BY 1, 2
          """)
      for row in rows {
        var outcome = outcome(row, from: 2)
        // A month is also incomplete if later exports may add offers that began in that month.
        outcome.isComplete = outcome.isComplete && window.isComplete(month: row[0])
        cohorts.append(
          CohortFigures(offerKind: kind, month: row[0], productID: row[1], outcome: outcome))
      }
    }
    return cohorts
  }

  /// Reads the results of each offer by product, payment mode and currency, most frequent first.
  static func offers(_ products: ProductNames, on db: Database) throws -> [OfferFigures] {
    try StoredRow.fetchAll(db, sql: offerQuery(products)).map { row in
      let code: String? = row[4]
      return OfferFigures(
        offerKind: row[0], offerID: row[1], offerName: row[17], productID: row[2],
        paymentMode: row[3], currency: code.flatMap { Currency($0) },
        outcome: outcome(row, from: 5), paid: Milliunits(row[14]),
        convertedPaid: Milliunits(row[15]), unresolvedRows: row[16])
    }
  }

  private static func outcome(_ row: StoredRow, from start: Int) -> Outcome {
    Outcome(
      begun: row[start], mature: row[start + 1], sameProduct: row[start + 2],
      anyProduct: row[start + 3], refunded: row[start + 4], open: row[start + 5],
      lapsed: row[start + 6], isComplete: row[start + 7],
      matureConverted: row[start + 8])
  }

  private static func offerQuery(_ products: ProductNames) -> String {
    """
    SELECT offer_kind, offer_id, \(products.sql("offer_product_id")), payment_mode, currency, SUM(offers),
      SUM(mature_offers), SUM(converted_strict), SUM(converted_any), SUM(converted_then_refunded),
      SUM(open_offers), SUM(lapsed), MIN(is_complete), SUM(mature_converted),
      SUM(offer_paid_milli),
      SUM(converted_paid_milli), SUM(unresolved_rows), MAX(offer_name)
    FROM offer_performance
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY SUM(offers) DESC, offer_kind, offer_id, 3, currency, payment_mode
    LIMIT \(PageWindow.rows)
    """
  }
}
