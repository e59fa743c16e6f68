internal import Amounts
internal import PurchaseModel

/// Paidline's own price format and StoreKit's names, as a format declaration.
extension PriceFormat {
  static let own = PriceFormat(
    "", .list,
    """
    product_id      product_id productId productID product_identifier productIdentifier
    currency        currency currencyCode currency_code priceLocale.currencyCode priceLocale.currency_code priceLocale.currency price_locale.currencyCode price_locale.currency_code price_locale.currency
    price           price
    reported_at     reported_at_ms reportedAtMs reportedAtMS reported_at reportedAt
    customer_id     customer_id customerId customerID app_user_id appUserId appUserID
    transaction_id  transaction_id transactionId transactionID transactionIdentifier
    storefront      storefront store_country storeCountry countryCode country_code
    platform        platform store os
    bundle_id       bundle_id bundleId bundleID bundleIdentifier
    """
  ).adding([
    (
      .appliedDiscount,
      discountPaths(
        ["applied_discount", "appliedDiscount", "paymentDiscount", "payment_discount"].compactMap(
          FieldPath.init))
    )
  ]).adding(
    offerKeys(
      .introductory, at: ["introductory_price", "introductoryPrice"].compactMap(FieldPath.init))
      + offerKeys(.listed, at: ["discounts", "offers"].compactMap(FieldPath.init)))

  /// The form of the offers in a price report: one introductory offer, or a list of offers.
  enum OfferPlace {
    /// The introductory offer, as one object or as a bare price.
    case introductory
    /// A list of offers, each an object with an id.
    case listed
  }

  private static let offerNames = [
    "identifier", "offer_identifier", "offerIdentifier", "offer_id", "offerId", "offerID",
  ]

  /// Returns the paths to the id of an applied discount: the given paths, and below them StoreKit's
  /// names.
  static func discountPaths(_ paths: [FieldPath]) -> [FieldPath] {
    paths.flatMap { path in
      [path] + offerNames.compactMap { FieldPath("\(path.text).\($0)") }
    }
  }

  /// Returns the paths to the fields of offers, under StoreKit's names and below the given paths.
  static func offerKeys(_ place: OfferPlace, at paths: [FieldPath])
    -> [(field: LayoutField, paths: [FieldPath])]
  {
    func below(_ names: [String], _ field: LayoutField) -> (LayoutField, [FieldPath]) {
      let suffix = place == .listed && !paths.allSatisfy(\.endsInList) ? "[]" : ""
      return (
        field,
        paths.flatMap { path in
          names.compactMap { FieldPath($0.isEmpty ? path.text : "\(path.text)\(suffix).\($0)") }
        }
      )
    }
    let isIntroductory = place == .introductory
    var keys = [
      below(
        isIntroductory ? ["price", ""] : ["price"], isIntroductory ? .introPrice : .offerPrice),
      below(["payment_mode", "paymentMode"], isIntroductory ? .introMode : .offerMode),
      below(
        ["number_of_periods", "numberOfPeriods", "period_count", "periodCount"],
        isIntroductory ? .introPeriods : .offerPeriods),
      below(
        ["subscription_period", "subscriptionPeriod", "period"],
        isIntroductory ? .introPeriod : .offerPeriod),
      below(
        ["subscription_period.unit", "subscriptionPeriod.unit", "period.unit"],
        isIntroductory ? .introUnit : .offerUnit),
      below(
        [
          "subscription_period.number_of_units", "subscription_period.numberOfUnits",
          "subscription_period.value",
          "subscriptionPeriod.number_of_units", "subscriptionPeriod.numberOfUnits",
          "subscriptionPeriod.value", "period.number_of_units", "period.numberOfUnits",
          "period.value",
        ], isIntroductory ? .introUnits : .offerUnits),
    ]
    if !isIntroductory {
      keys.append(below(offerNames, .offerID))
    } else {
      // These members are in the same object as a bare price.
      let beside: [(Int, [String])] = [
        (1, ["payment_mode", "paymentMode"]), (3, ["intro_duration", "introDuration"]),
      ]
      for (index, names) in beside { keys[index].1 += names.compactMap(FieldPath.init) }
    }
    return keys.map { (field: $0.0, paths: $0.1) }
  }
}

/// A key beside `price` that shows that a report has another format, with its price elsewhere.
enum FormatMark {
  /// The keys, each with its format.
  static let all = [
    (key: "price_in_purchased_currency", format: "revenuecat_webhook"),
    (key: "priceMicros", format: "cordova"), (key: "price_local", format: "adapty_webhook"),
  ]

  /// Returns the message for a mark: `found priceMicros beside price: name the format cordova`.
  static func label(_ mark: Int) -> String {
    "found \(all[mark].key) beside price: name the format \(all[mark].format)"
  }
}
