internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// `dim_product`, `dim_product_price` and `dim_date`.
enum ProductRows {
  /// One row per product that a purchase, a price report or the catalogue names.
  static func source(_ content: WarehouseContent) -> FactSource {
    let groups = content.purchases.subscriptionGroups
    var products = Set(content.courses.productKinds.keys)
    products.formUnion(content.catalogue.products.keys)
    for judged in content.amounts.reports {
      products.insert(content.sightings.reports[Int(judged.report)].productID)
    }
    let ordered = products.sorted()
    return FactSource(.table("dim_product"), units: ordered.count) { places, table in
      for product in ordered[places] {
        let listed = content.catalogue.products[product]
        let kind = listed?.kind ?? content.courses.productKinds[product] ?? .unknown
        let period = listed?.subscriptionPeriod ?? content.courses.productPeriods[product]
        table.text("product_id", product.symbol)
        table.text("product_kind", kind.rawValue)
        table.period("subscription_period", period)
        table.text(
          "subscription_group_id",
          (listed?.subscriptionGroupID ?? groups[product]?.group)?.symbol)
        table.insert()
      }
    }
  }

  /// The price histories, by primary key.
  static func prices(_ content: WarehouseContent) -> FactSource {
    let ordered = content.amounts.intervals.map(PriceRow.init).sorted { $0.precedes($1) }
    return FactSource(.table("dim_product_price"), units: ordered.count) { places, table in
      for row in ordered[places] { write(row, to: &table) }
    }
  }

  private static func write(_ row: PriceRow, to table: inout RowEncoder) {
    let interval = row.interval
    table.text("product_id", interval.productID.symbol)
    table.letters("currency", interval.currency.rawValue)
    table.letters("storefront", row.storefront)
    table.text("price_kind", row.kind)
    if let offer = row.offer {
      table.text("offer_id", offer.symbol)
    } else {
      table.text("offer_id", "")
    }
    table.text("payment_mode", row.mode)
    table.unhashedText("offer_length", interval.length.text)
    table.time("valid_from", interval.from ?? .distantPast)
    table.time("valid_to", interval.to)
    table.integer("price_milli", interval.price.rawValue)
    table.integer("voters", Int64(interval.voters))
    table.integer("reports", Int64(interval.reports))
    table.integer("rejected_reports", Int64(interval.rejectedReports))
    table.insert()
  }

  /// One row per day from the first purchase through as-of.
  static func days(_ content: WarehouseContent) -> FactSource {
    let book = content.purchases
    let first = book.purchases[..<book.revenueCount].map(\.purchasedAt).min()?.day
    let count = first.map { content.asOf.day.daysSinceEpoch - $0.daysSinceEpoch + 1 } ?? 0
    return FactSource(.unhashedTable("dim_date"), units: Int(max(0, count))) { places, table in
      guard let first else { return }
      for place in places {
        let day = first.advanced(by: Int64(place))
        let week = day.isoWeek
        table.day("date_day", day)
        table.text("month", day.monthText)
        table.text("iso_week", padded(week.year, 4) + "-W" + padded(week.week, 2))
        table.null("apple_fiscal_year")
        table.null("apple_fiscal_period")
        table.insert()
      }
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

/// A price interval with its primary key as the table writes it.
private struct PriceRow {
  let interval: PriceInterval
  let storefront: UInt32  // 0 is written as '', which stands for all
  let kind: String
  let offer: OfferID?
  let mode: String

  init(_ interval: PriceInterval) {
    self.interval = interval
    switch interval.series.kind {
    case .regular:
      kind = "regular"
      offer = nil
    case .introductory:
      kind = "intro"
      offer = nil
    case .offer(let id):
      kind = "offer"
      offer = id
    }
    storefront = interval.series.storefront?.rawValue ?? 0
    mode = interval.paymentMode?.name ?? ""
  }

  /// The byte order of the primary key; symbols are sorted, packed letters order as their texts.
  func precedes(_ other: PriceRow) -> Bool {
    let left = interval
    let right = other.interval
    if left.productID != right.productID { return left.productID < right.productID }
    if left.currency != right.currency { return left.currency < right.currency }
    if storefront != other.storefront { return storefront < other.storefront }
    if kind != other.kind { return kind < other.kind }
    if let offer, let otherOffer = other.offer, offer != otherOffer { return offer < otherOffer }
    if mode != other.mode { return mode < other.mode }
    let (length, otherLength) = (interval.length.text, other.interval.length.text)
    if length != otherLength { return length < otherLength }
    return (interval.from ?? .distantPast) < (other.interval.from ?? .distantPast)
  }
}
