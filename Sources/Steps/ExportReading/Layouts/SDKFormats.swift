internal import Amounts
internal import PurchaseModel

/// The formats of SDKs in the app; their prices are the prices that StoreKit showed.
extension PriceFormat {
  /// The paths to a product's periods and offers under StoreKit's names; some SDKs keep these
  /// names.
  private static let storeKit = """

    period.unit     subscriptionPeriod.unit
    period.units    subscriptionPeriod.numberOfUnits
    intro.price     introductoryPrice.price
    intro.mode      introductoryPrice.paymentMode
    intro.periods   introductoryPrice.numberOfPeriods
    intro.unit      introductoryPrice.subscriptionPeriod.unit
    intro.units     introductoryPrice.subscriptionPeriod.numberOfUnits
    offer.id        discounts[].identifier
    offer.price     discounts[].price
    offer.mode      discounts[].paymentMode
    offer.periods   discounts[].numberOfPeriods
    offer.unit      discounts[].subscriptionPeriod.unit
    offer.units     discounts[].subscriptionPeriod.numberOfUnits
    """

  /// The paths to a product's periods and offers under the names that React Native libraries use.
  private static let reactNative = """

    period.unit     subscriptionPeriodUnitIOS
    period.units    subscriptionPeriodNumberIOS
    intro.price     introductoryPriceAsAmountIOS
    intro.mode      introductoryPricePaymentModeIOS
    intro.periods   introductoryPriceNumberOfPeriodsIOS
    intro.unit      introductoryPriceSubscriptionPeriodIOS
    """

  static let sdks = [
    PriceFormat(
      "adapty", .list,
      """
      product_id      attributes.vendor_product_id vendor_product_id
      price           attributes.original_price original_price
      currency        attributes.price_locale price_locale
      storefront      attributes.store_country store_country
      transaction_id  attributes.transaction_id transaction_id
      environment     attributes.environment environment
      offer.id        attributes.promotional_offer_id promotional_offer_id
      offer.price     attributes.discount_price discount_price
      offer.kind      attributes.offer.category offer.category
      offer.mode      attributes.offer.type offer.type
      offer.unit      attributes.offer.period_unit offer.period_unit
      offer.units     attributes.offer.number_of_units offer.number_of_units
      """),
    PriceFormat(
      "apphud", .list, envelopes: envelopes + ["product_info"],
      """
      product_id      product_id
      price           price
      currency        currency_code
      storefront      country_code
      transaction_id  transaction_id
      period.unit     unit
      period.units    units_count
      intro.price     intro_price
      intro.mode      intro_mode
      intro.periods   intro_periods_count
      intro.unit      intro_unit
      intro.units     intro_units_count
      offer.id        promo_offers[].offer_id
      offer.price     promo_offers[].price
      offer.mode      promo_offers[].mode
      offer.periods   promo_offers[].periods_count
      offer.unit      promo_offers[].unit
      offer.units     promo_offers[].units_count
      """),
    PriceFormat(
      "capgo", .list,
      """
      product_id      identifier
      price           price
      currency        currencyCode
      transaction_id  transactionId
      environment     environment
      """ + storeKit),
    PriceFormat(
      "cordova", .list, unit: .micro, isWholeOffer: true,
      """
      product_id      id
      price           priceMicros
      currency        currency
      storefront      countryCode
      transaction_id  transaction.id
      period.unit     billingPeriodUnit
      period.units    billingPeriod
      intro.price     introPriceMicros
      intro.mode      introPricePaymentMode
      intro.unit      introPricePeriodUnit
      intro.units     introPricePeriod
      offer.id        discounts[].id
      offer.price     discounts[].priceMicros
      offer.mode      discounts[].paymentMode
      offer.unit      discounts[].periodUnit
      offer.units     discounts[].period
      """),
    PriceFormat(
      "flutter", .list,
      """
      product_id      productIdentifier productID id
      price           rawPrice price
      currency        priceLocale.currencyCode currencyCode
      storefront      priceLocale.countryCode
      transaction_id  transactionIdentifier purchaseID
      reported_at     reported_at reportedAt reported_at_ms received_at receivedAt transactionTimeStamp transactionDate
      """ + storeKit),
    PriceFormat(
      "glassfy", .list,
      """
      product_id      productidentifier
      price           price
      currency        pricelocale
      storefront      countrycode
      """ + storeKit.lowercased()),
    PriceFormat(
      "nami", .list,
      """
      product_id      skuId sku_id productIdentifier
      price           price
      currency        priceCurrency
      transaction_id  transactionIdentifier transactionID
      """),
    PriceFormat(
      "openiap", .list,
      """
      platform        platform
      product_id      productId id
      price           price
      currency        currency currencyCodeIOS
      storefront      storefrontCountryCodeIOS countryCodeIOS
      transaction_id  transactionId
      environment     environmentIOS
      reported_at     reported_at reportedAt reported_at_ms received_at receivedAt transactionDate
      offer.id        subscriptionOffers[].id
      offer.kind      subscriptionOffers[].type
      offer.price     subscriptionOffers[].price
      offer.mode      subscriptionOffers[].paymentMode
      offer.periods   subscriptionOffers[].periodCount
      offer.unit      subscriptionOffers[].period.unit
      offer.units     subscriptionOffers[].period.value
      """ + reactNative),
    PriceFormat(
      "purchasely", .list,
      """
      product_id      productId
      price           amount
      currency        currencyCode
      intro.price     introAmount
      """),
    PriceFormat(
      "qonversion", .list,
      """
      product_id      purchase.product
      price           purchase.value
      currency        purchase.currency
      storefront      purchase.country
      transaction_id  purchase.transaction_id
      period.unit     purchase.period_unit
      period.units    purchase.period_number_of_units
      intro.price     introductory_offer.value
      intro.mode      introductory_offer.payment_mode
      intro.periods   introductory_offer.number_of_periods
      intro.unit      introductory_offer.period_unit
      intro.units     introductory_offer.period_number_of_units
      offer.id        promo_offer.id
      offer.price     promo_offer.value
      offer.mode      promo_offer.payment_mode
      offer.periods   promo_offer.number_of_periods
      offer.unit      promo_offer.period_unit
      offer.units     promo_offer.period_number_of_units
      """),
    PriceFormat(
      "react_native_iap", .list,
      """
      platform        platform
      product_id      productId
      price           price
      currency        currency
      storefront      countryCode
      transaction_id  transactionId
      environment     environmentIOS
      reported_at     reported_at reportedAt reported_at_ms received_at receivedAt transactionDate
      offer.id        discounts[].identifier
      offer.price     discounts[].price
      offer.mode      discounts[].paymentMode
      offer.periods   discounts[].numberOfPeriods
      offer.period    discounts[].subscriptionPeriod
      """ + reactNative),
    PriceFormat(
      "revenuecat", .list,
      """
      product_id      identifier
      price           price
      currency        currencyCode
      period          subscriptionPeriod
      intro.price     introPrice.price
      intro.periods   introPrice.cycles
      intro.period    introPrice.period
      intro.unit      introPrice.periodUnit
      intro.units     introPrice.periodNumberOfUnits
      offer.id        discounts[].identifier
      offer.price     discounts[].price
      offer.periods   discounts[].cycles
      offer.period    discounts[].period
      offer.unit      discounts[].periodUnit
      offer.units     discounts[].periodNumberOfUnits
      """),
    PriceFormat(
      "superwall", .list,
      """
      product_id      productIdentifier product_identifier primary_product_id
      price           price product_raw_price
      currency        product_currency_code priceLocale
      transaction_id  store_transaction_id
      """ + storeKit),
  ]
}
