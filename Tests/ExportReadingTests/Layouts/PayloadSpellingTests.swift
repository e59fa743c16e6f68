internal import ExportReading
internal import PurchaseModel
internal import Testing

/// A payload in another form than the sample of its format, with its expected reports.
///
/// The reports were determined by hand.
struct PayloadSpelling: Sendable, CustomTestStringConvertible {
  var name: String
  var format: String
  var payload: String
  var reports: [String]
  var undecided = 0
  var rejects: [String] = []
  var testDescription: String { name }
}

struct PayloadSpellingTests {
  private static let monthly = "com.app.monthly list USD 9990 2024-05-01T10:00:07Z"
  /// Three months at 0.99 each, and an offer of three months for 4.99 once.
  private static let offers = "intro 990 pay_as_you_go 3xP1M, win50 4990 pay_up_front 1xP3M"

  static let all = [
    // Read without a format; the payment modes are numbers.
    PayloadSpelling(
      name: "RevenueCat's iOS SDK, POST /receipts", format: "",
      payload: """
        {"reported_at":"2024-05-01T10:00:07Z","app_user_id":"c-1","product_id":"com.app.monthly",\
        "price":"9.99","currency":"USD","store_country":"USA","transaction_id":"1001",\
        "introductory_price":0.99,"payment_mode":0,"intro_duration":"P1M",\
        "offers":[{"offer_identifier":"win50","price":4.99,"payment_mode":1}]}
        """,
      reports: [
        "\(monthly) c-1 USA 1001 | intro 990 pay_as_you_go ?xP1M, win50 4990 pay_up_front ?x?"
      ]
    ),
    // The units are those of one period: a quarter.
    PayloadSpelling(
      name: "Adapty with an offer of a quarter", format: "adapty",
      payload: """
        {"reported_at":1714557607,"payload":{"data":{"attributes":{"vendor_product_id":\
        "com.app.quarterly","original_price":9.99,"discount_price":4.99,"price_locale":"USD",\
        "store_country":"USA","offer":{"type":"pay_up_front","period_unit":"month",\
        "number_of_units":3,"category":"introductory"}}}}}
        """,
      reports: [
        "com.app.quarterly list USD 9990 2024-05-01T10:00:07Z - USA - "
          + "| intro 4990 pay_up_front ?xP3M"
      ]),
    PayloadSpelling(
      name: "Glassfy with paid offers", format: "glassfy",
      payload: """
        {"reported_at":1714557607,"payload":{"productidentifier":"com.app.monthly","price":9.99,\
        "pricelocale":"USD","countrycode":"US","introductoryprice":{"price":0.99,\
        "paymentmode":"payasyougo","numberofperiods":3,"identifier":null,\
        "subscriptionperiod":{"unit":"month","numberofunits":1}},"discounts":[{"price":4.99,\
        "identifier":"win50","paymentmode":"payupfront","numberofperiods":1,\
        "subscriptionperiod":{"unit":"month","numberofunits":3}}]}}
        """,
      reports: ["\(monthly) - USA - | \(offers)"]),
    // The payment mode is unknown, but the offer has a price and covers one month, like the
    // product: paid as you go.
    PayloadSpelling(
      name: "Superwall with a mode unknown", format: "superwall",
      payload: """
        {"reported_at":1714557607,"payload":{"productIdentifier":"com.app.monthly","price":9.99,\
        "priceLocale":"en_US@currency=USD","subscriptionPeriod":{"unit":"month",\
        "numberOfUnits":1},"introductoryPrice":{"price":0.99,"paymentMode":"unknown",\
        "numberOfPeriods":1,"subscriptionPeriod":{"unit":"month","numberOfUnits":1}}}}
        """,
      reports: ["\(monthly) - - - | intro 990 pay_as_you_go 1xP1M"]),
    PayloadSpelling(
      name: "Purchasely with an introductory price", format: "purchasely",
      payload: """
        {"reported_at":1714557607,"payload":{"productId":"com.app.monthly","amount":9.99,\
        "currencyCode":"USD","hasIntroductoryPrice":true,"introAmount":0.99}}
        """,
      reports: ["\(monthly) - - - | intro 990 pay_as_you_go ?x?"]),
    PayloadSpelling(
      name: "Purchasely without an introductory price", format: "purchasely",
      payload: """
        {"reported_at":1714557607,"payload":{"productId":"com.app.monthly","amount":9.99,\
        "currencyCode":"USD","hasIntroductoryPrice":false,"introAmount":0}}
        """,
      reports: ["\(monthly) - - - |"]),
    PayloadSpelling(
      name: "openiap with a paid introductory offer", format: "openiap",
      payload: """
        {"reported_at":1714557607,"payload":{"id":"com.app.monthly","price":9.99,"currency":"USD",\
        "countryCodeIOS":"USA","introductoryPriceAsAmountIOS":"0.99",\
        "introductoryPricePaymentModeIOS":"pay-as-you-go",\
        "introductoryPriceNumberOfPeriodsIOS":"3",\
        "introductoryPriceSubscriptionPeriodIOS":"month"}}
        """,
      reports: ["\(monthly) - USA - | intro 990 pay_as_you_go 3xP1M"]),
    PayloadSpelling(
      name: "react-native-iap with a two-letter country", format: "react_native_iap",
      payload: """
        {"reported_at":1714557607,"payload":{"productId":"com.app.monthly","price":"9.99",\
        "currency":"USD","countryCode":"US","introductoryPrice":"$0.00",\
        "introductoryPriceAsAmountIOS":"0","introductoryPricePaymentModeIOS":"FREETRIAL",\
        "introductoryPriceNumberOfPeriodsIOS":"1",\
        "introductoryPriceSubscriptionPeriodIOS":"WEEK"}}
        """,
      reports: ["\(monthly) - USA - | intro 0 free_trial 1xP1W"]),
    PayloadSpelling(
      name: "cordova with its transaction and a trial", format: "cordova",
      payload: """
        {"reported_at":1714557607,"payload":{"id":"com.app.monthly","price":"$9.99",\
        "priceMicros":9990000,"currency":"USD","countryCode":"USA","introPriceMicros":0,\
        "introPricePeriod":1,"introPricePeriodUnit":"Week","introPricePaymentMode":"FreeTrial",\
        "transaction":{"id":"1001"}}}
        """,
      reports: ["\(monthly) - USA 1001 | intro 0 free_trial 1xP1W"]),
    PayloadSpelling(
      name: "Capgo with its transaction", format: "capgo",
      payload: """
        {"reported_at":1714557607,"payload":{"identifier":"com.app.monthly","price":9.99,\
        "currencyCode":"USD","transactionId":"1001","jwsRepresentation":"eyJ"}}
        """,
      reports: ["\(monthly) - - 1001 |"]),
    // Three units for 29.97 are 9.99 each.
    PayloadSpelling(
      name: "Amplitude with a quantity and a total alone", format: "amplitude",
      payload: """
        {"event_type":"revenue_amount","time":1714557607000,"event_properties":\
        {"$productId":"com.app.monthly","$quantity":3,"$revenue":29.97,"$currency":"USD"}}
        """,
      reports: ["\(monthly) - - - |"]),
    PayloadSpelling(
      name: "Segment with two products", format: "segment",
      payload: """
        {"event":"Order Completed","userId":"c-1","timestamp":"2024-05-01T10:00:07.123Z",\
        "properties":{"order_id":"1001","currency":"USD","revenue":29.97,"coupon":"x","products":\
        [{"product_id":"com.app.monthly","price":9.99,"quantity":2},\
        {"product_id":"com.app.coins","price":9.99,"quantity":1}]}}
        """,
      reports: [
        "\(monthly) c-1 - 1001 |", "com.app.coins list USD 9990 2024-05-01T10:00:07Z c-1 - 1001 |",
      ]),
    PayloadSpelling(
      name: "Adjust's subscription with its region", format: "adjust",
      payload: """
        {"revenue":"9.99000","currency":"USD","transaction_id":"1001","sales_region":"US",\
        "transaction_date":"2024-05-01T10:00:07.000Z+0000","created_at":"2024-05-02T00:00:00Z",\
        "callback_params":{"product_id":"com.app.monthly"}}
        """,
      reports: ["com.app.monthly charged USD 9990 2024-05-01T10:00:07Z - USA 1001 |"]),
    PayloadSpelling(
      name: "Adjust's subscription without a product", format: "adjust",
      payload: """
        {"revenue":"9.99000","currency":"USD","transaction_id":"1001",\
        "transaction_date":"2024-05-01T10:00:07.000Z+0000"}
        """, reports: [], rejects: ["1 price_without_product"]),
    PayloadSpelling(
      name: "Branch with the currency of the event", format: "branch",
      payload: """
        {"name":"SUBSCRIBE","timestamp":1714557607000,"event_data":{"transaction_id":"1001",\
        "currency":"USD","revenue":9.99},"content_items":[{"$sku":"com.app.monthly",\
        "$price":9.99,"$currency":"USD"}]}
        """,
      reports: ["\(monthly) - - 1001 |"]),
    PayloadSpelling(
      name: "Facebook's Subscribe with the seconds of its log", format: "facebook",
      payload: """
        {"_eventName":"Subscribe","_logTime":1714557607,"_valueToSum":9.99,\
        "fb_content_id":"com.app.monthly","fb_currency":"USD","fb_iap_subs_period":"P1M"}
        """,
      reports: ["com.app.monthly charged USD 9990 2024-05-01T10:00:07Z - - - |"]),
    PayloadSpelling(
      name: "Adapty's webhook with a text for the transaction", format: "adapty_webhook",
      payload: """
        {"event_type":"non_subscription_purchase","customer_user_id":"c-1",\
        "event_datetime":"2024-05-01T10:00:07.000000+0000","event_properties":\
        {"vendor_product_id":"com.app.monthly","price_usd":9.99,"price_local":9.99,\
        "currency":"USD","store_country":"US","transaction_id":"1001","store":"app_store"}}
        """,
      reports: ["com.app.monthly charged USD 9990 2024-05-01T10:00:07Z c-1 USA 1001 |"]),
    // RevenueCat reports a trial as a charge of 0.
    PayloadSpelling(
      name: "RevenueCat's trial in production", format: "revenuecat_webhook",
      payload: """
        {"app_user_id":"c-1","currency":"USD","environment":"PRODUCTION","period_type":"TRIAL",\
        "price":0,"price_in_purchased_currency":0,"product_id":"com.app.monthly",\
        "purchased_at_ms":1714557607000,"store":"APP_STORE","transaction_id":"1001",\
        "type":"INITIAL_PURCHASE"}
        """,
      reports: ["com.app.monthly charged USD 0 2024-05-01T10:00:07Z c-1 - 1001 |"]),
  ]

  @Test(arguments: all) func `a payload is read as its program meant it`(
    _ given: PayloadSpelling
  ) throws {
    let content: ExportContent
    if given.format.isEmpty {
      content = try prices(given.payload)
    } else {
      let layout = try PriceLayout(format: PriceFormat.named(given.format))
      content = try readExport(
        bytes: Array(given.payload.utf8), name: "p.json", kind: .prices,
        fieldMapping: FieldMapping(layout: layout, namesUnit: true))
    }
    #expect(content.codes == given.rejects)
    #expect(content.reportLines == given.reports)
    #expect(content.notices.undecidedOffers == given.undecided)
  }
}
