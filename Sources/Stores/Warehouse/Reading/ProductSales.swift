package import GRDB
internal import SQLiteFiles

/// Where and until when a product was sold, to decide whether a line of the catalogue can help.
package struct ProductSales: Hashable, Sendable {
  /// The purchases in one storefront and currency of one app.
  package struct Market: Hashable, Sendable {
    /// The app; empty if unknown.
    package var bundleID: String
    /// The currency; `nil` if unknown.
    package var currency: String?
    /// The storefront; `nil` if unknown.
    package var storefront: String?
    /// The day of the last purchase.
    package var lastDay: String
  }

  package var markets: [Market]
  /// The ids of the promotional offers and offer codes that were redeemed, sorted.
  package var offerIDs: [String]

  /// The sales of a product; without markets if nobody bought it.
  package static func read(_ productID: String, on db: Database) throws -> ProductSales {
    ProductSales(
      markets: try StoredRow.fetchAll(
        db,
        sql: """
          SELECT COALESCE(bundle_id, ''), currency, storefront, MAX(purchased_date)
          FROM fct_revenue WHERE product_id = ?
          GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
          """, arguments: [productID]
      ).map { Market(bundleID: $0[0], currency: $0[1], storefront: $0[2], lastDay: $0[3]) },
      offerIDs: try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT offer_id FROM fct_revenue
          WHERE product_id = ? AND period_kind IN ('promo', 'offer_code') AND offer_id IS NOT NULL
          ORDER BY 1
          """, arguments: [productID]))
  }

  /// The ids of all products that were bought, sorted.
  package static func productIDs(on db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT DISTINCT product_id FROM fct_revenue ORDER BY 1")
  }
}
