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

  /// The markets, sorted by app, currency and storefront.
  package var markets: [Market] = []
  /// The ids of the promotional offers and offer codes that were redeemed, sorted.
  package var offerIDs: [String] = []

  /// The apps that sell the product, sorted.
  package var apps: [String] { Set(markets.map(\.bundleID)).subtracting([""]).sorted() }
}

/// The sales of all products.
package struct SoldProducts: Sendable {
  private var sales: [String: ProductSales] = [:]

  /// The ids of all products that were bought, sorted.
  package var productIDs: [String] { sales.keys.sorted() }

  /// The sales of a product; without markets if nobody bought it.
  package subscript(productID: String) -> ProductSales { sales[productID] ?? ProductSales() }

  /// Reads the sales of all products that were bought.
  package static func read(on db: Database) throws -> SoldProducts {
    var sold = SoldProducts()
    for row in try StoredRow.fetchAll(
      db,
      sql: """
        SELECT product_id, COALESCE(bundle_id, ''), currency, storefront, MAX(purchased_date)
        FROM fct_revenue GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        """)
    {
      sold.sales[row[0], default: ProductSales()].markets.append(
        ProductSales.Market(
          bundleID: row[1], currency: row[2], storefront: row[3], lastDay: row[4]))
    }
    for row in try StoredRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT product_id, offer_id FROM fct_revenue
        WHERE period_kind IN ('promo', 'offer_code') AND offer_id IS NOT NULL ORDER BY 1, 2
        """)
    {
      sold.sales[row[0], default: ProductSales()].offerIDs.append(row[1])
    }
    return sold
  }
}
