internal import SQLiteFiles
internal import Amounts
internal import CivilTime
internal import GRDB
internal import PriceLearning
internal import PurchaseModel

/// Writes `dim_product` and `dim_product_price`.
extension RowWriter {
  /// Writes one row per product in a purchase, a price report or the catalogue.
  mutating func writeProducts(reported: Set<ProductID>) {
    let products = reported.union(context.kinds.keys).union(context.catalogue.products.keys)
    for product in products.sorted() {
      let listed = context.catalogue.products[product]
      let kind = listed?.kind ?? context.kinds[product] ?? .unknown
      table.begin(.product)
      write(appOf: product)
      table.text("product_id", product.symbol)
      table.text("product_kind", kind.rawValue)
      table.period("subscription_period", context.periods[product])
      table.text("subscription_group_id", context.groups[product]?.symbol)
      table.text("product_name", listed?.naming.product)
      table.text("group_name", listed?.naming.group)
      table.integer("group_level", listed?.naming.groupLevel.map { Int64($0) })
      table.text("apple_id", listed?.naming.appleID)
      table.text("same_as", listed?.naming.sameAs)
      table.insert()
    }
  }

  /// Writes the key column `bundle_id`: the product's app, or an empty text if it is unknown.
  mutating func write(appOf product: ProductID) {
    if let app = context.app(of: product) {
      table.text("bundle_id", app)
    } else {
      table.text("bundle_id", "")
    }
  }

  /// Writes the row of a price and the time during which it was in force.
  mutating func write(_ interval: PriceInterval) {
    let (kind, offer): (String, OfferID?) =
      switch interval.series.kind {
      case .regular: ("regular", nil)
      case .introductory: ("intro", nil)
      case .offer(let id): ("offer", id)
      }
    table.begin(.productPrice)
    write(appOf: interval.productID)
    table.text("product_id", interval.productID.symbol)
    table.letters("currency", interval.currency.rawValue)
    table.letters("storefront", interval.series.storefront?.rawValue ?? 0)
    table.text("price_kind", kind)
    if let offer {
      table.text("offer_id", offer.symbol)
    } else {
      table.text("offer_id", "")
    }
    table.text("payment_mode", interval.paymentMode?.name ?? "")
    table.unhashedKey("offer_length", interval.length.text)
    table.time("valid_from", interval.from ?? .distantPast)
    table.time("valid_to", interval.to)
    table.integer("price_milli", interval.price.rawValue)
    table.integer("voters", Int64(interval.voters))
    table.integer("reports", Int64(interval.reports))
    table.integer("rejected_reports", Int64(interval.rejectedReports))
    table.text("source", interval.isListed ? "price_list" : "learned")
    table.insert()
  }
}

enum DateRows {
  /// Writes one row per day, from the day of the first purchase through `last`.
  ///
  /// `last` is the as-of day, or a day after it that the exports cover.
  static func write(from first: CivilDay?, through last: CivilDay, on db: Database) throws {
    try db.execute(sql: "DELETE FROM dim_date")
    guard let first else { return }
    let statement = try RawStatement(
      "dim_date", "INSERT INTO dim_date VALUES (?, ?, ?, NULL, NULL)", on: db)
    for number in first.daysSinceEpoch..<max(first.daysSinceEpoch, last.daysSinceEpoch + 1) {
      let row = row(of: CivilDay(daysSinceEpoch: number))
      try statement.run(row.day, row.month, row.week)
    }
  }

  /// The columns of a day that are not NULL.
  static func row(of day: CivilDay) -> (day: String, month: String, week: String) {
    let week = day.isoWeek
    return (day.text, day.monthText, padded(week.year, 4) + "-W" + padded(week.week, 2))
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
