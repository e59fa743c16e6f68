internal import Amounts
internal import PurchaseModel

/// Paidline's own price format and StoreKit's names, as a format declaration.
///
/// This declaration is used for tables, for reports inside another object, and for pipeline entries
/// with their own paths. In all other cases faster, specialized key tables are used
/// (``PriceTables``). A test compares the results of both.
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
    applied_discount applied_discount applied_discount.identifier appliedDiscount appliedDiscount.identifier paymentDiscount.identifier payment_discount.identifier
    """
  ).adding(
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
          "subscriptionPeriod.number_of_units", "subscriptionPeriod.numberOfUnits",
          "subscriptionPeriod.value", "period.number_of_units", "period.numberOfUnits",
          "period.value",
        ], isIntroductory ? .introUnits : .offerUnits),
    ]
    if !isIntroductory {
      keys.append(
        below(
          [
            "identifier", "offer_identifier", "offerIdentifier", "offer_id", "offerId", "offerID",
          ], .offerID))
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
