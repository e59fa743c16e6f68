/// The known keys of price reports, under the names of exports and of StoreKit.
enum PriceKey: UInt8, Sendable {
  case reportedAt, reportedMilliseconds, customerID, appUserID, transactionID, productID
  case storefront, storeCountry, currency, price, priceLocale
  case introductoryPrice, discounts, offers, appliedDiscount
  case bundleID, platform
  // An object that may hold the payload of a report.
  case envelope
  // Keys that mark formats with the price in another field.
  case purchasedPrice, microPrice, localPrice
  // Keys of an offer.
  //
  // In the report itself they belong to an introductory price that is a bare number.
  case identifier, paymentMode, numberOfPeriods, subscriptionPeriod, introDuration
  // Keys of a period.
  case unit, numberOfUnits
}

/// The names of the known keys: one table for each kind of object.
struct PriceTables: Sendable {
  /// The tables with only the standard names; created once for all readers without renamed keys.
  static let made = PriceTables()

  let report: KeyTable<PriceKey>
  /// The keys of an offer, and of the discount that was applied.
  let offer = KeyTable<PriceKey>([
    ("identifier", .identifier), ("offer_identifier", .identifier),
    ("offerIdentifier", .identifier), ("offer_id", .identifier), ("offerId", .identifier),
    ("offerID", .identifier), ("price", .price), ("payment_mode", .paymentMode),
    ("paymentMode", .paymentMode), ("number_of_periods", .numberOfPeriods),
    ("numberOfPeriods", .numberOfPeriods), ("period_count", .numberOfPeriods),
    ("periodCount", .numberOfPeriods), ("subscription_period", .subscriptionPeriod),
    ("subscriptionPeriod", .subscriptionPeriod), ("period", .subscriptionPeriod),
  ])
  /// The keys of a period object.
  let period = KeyTable<PriceKey>([
    ("unit", .unit), ("number_of_units", .numberOfUnits), ("numberOfUnits", .numberOfUnits),
    ("value", .numberOfUnits),
  ])
  /// The keys of the locale object of a price.
  let locale = KeyTable<PriceKey>([
    ("currencyCode", .currency), ("currency_code", .currency), ("currency", .currency),
  ])

  private init() { report = Self.standardReport }

  /// Creates the tables for a pipeline with custom names for the keys of a report.
  init(renaming own: [(name: String, keys: [PriceKey])]) {
    report = Self.standardReport.renaming(own)
  }

  private static let standardReport = KeyTable<PriceKey>([
    ("reported_at", .reportedAt), ("reportedAt", .reportedAt),
    ("reported_at_ms", .reportedMilliseconds), ("reportedAtMs", .reportedMilliseconds),
    ("reportedAtMS", .reportedMilliseconds), ("customer_id", .customerID),
    ("customerId", .customerID), ("customerID", .customerID), ("app_user_id", .appUserID),
    ("appUserId", .appUserID), ("appUserID", .appUserID), ("transaction_id", .transactionID),
    ("transactionId", .transactionID), ("transactionID", .transactionID),
    ("transactionIdentifier", .transactionID), ("product_id", .productID),
    ("productId", .productID), ("productID", .productID), ("product_identifier", .productID),
    ("productIdentifier", .productID), ("bundle_id", .bundleID), ("bundleId", .bundleID),
    ("bundleID", .bundleID), ("bundleIdentifier", .bundleID),
    ("platform", .platform), ("store", .platform), ("os", .platform), ("storefront", .storefront),
    ("store_country", .storeCountry), ("storeCountry", .storeCountry),
    ("countryCode", .storeCountry), ("country_code", .storeCountry), ("currency", .currency),
    ("currencyCode", .currency), ("currency_code", .currency), ("price", .price),
    ("priceLocale", .priceLocale), ("price_locale", .priceLocale),
    ("introductory_price", .introductoryPrice), ("introductoryPrice", .introductoryPrice),
    ("discounts", .discounts), ("offers", .offers), ("applied_discount", .appliedDiscount),
    ("appliedDiscount", .appliedDiscount), ("paymentDiscount", .appliedDiscount),
    ("payment_discount", .appliedDiscount), ("payment_mode", .paymentMode),
    ("paymentMode", .paymentMode), ("intro_duration", .introDuration),
    ("introDuration", .introDuration), ("price_in_purchased_currency", .purchasedPrice),
    ("priceMicros", .microPrice), ("price_local", .localPrice), ("payload", .envelope),
    ("product", .envelope), ("event", .envelope), ("data", .envelope), ("body", .envelope),
  ])

  /// The keys that show that a report has a certain format, with the name of each key and format.
  ///
  /// In such a format, the price is in a field other than `price`.
  static let marks: [(key: PriceKey, name: String, format: String)] = [
    (.purchasedPrice, "price_in_purchased_currency", "revenuecat_webhook"),
    (.microPrice, "priceMicros", "cordova"), (.localPrice, "price_local", "adapty_webhook"),
  ]

  /// Returns the message for a mark: `found priceMicros beside price: name the format cordova`.
  static func label(_ mark: Int) -> String {
    "found \(marks[mark].name) beside price: name the format \(marks[mark].format)"
  }
}
