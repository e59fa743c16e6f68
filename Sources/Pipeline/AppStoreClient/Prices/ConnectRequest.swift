/// The paths and queries of the requests that together fetch the price list of an app.
///
/// A request for prices includes the storefront and the price point of each price. Otherwise a row
/// would have neither a storefront nor an amount. Lists have up to 200 entries per page.
enum ConnectRequest {
  private static let page = "limit=200"

  static func app(_ bundleID: String) -> String {
    "/v1/apps?filter%5BbundleId%5D=\(bundleID)&fields%5Bapps%5D=bundleId,name&\(page)"
  }

  /// The request for all storefronts, with their currencies.
  static let storefronts = "/v1/territories?fields%5Bterritories%5D=currency&\(page)"

  /// The request for the subscription groups of an app.
  static func groups(ofApp id: String) -> String {
    "/v1/apps/\(id)/subscriptionGroups?fields%5BsubscriptionGroups%5D=referenceName&\(page)"
  }

  static func subscriptions(ofGroup id: String) -> String {
    "/v1/subscriptionGroups/\(id)/subscriptions?fields%5Bsubscriptions%5D="
      + "productId,name,subscriptionPeriod,groupLevel&\(page)"
  }

  /// The request for the one-time products of an app.
  static func purchases(ofApp id: String) -> String {
    "/v1/apps/\(id)/inAppPurchasesV2?fields%5BinAppPurchases%5D="
      + "productId,name,inAppPurchaseType&\(page)"
  }

  /// Adds a query to a path, so that each price comes with its storefront and price point.
  static func subscriptionPrices(_ path: String) -> String {
    "\(path)?include=subscriptionPricePoint,territory&\(page)"
  }

  /// The request for the regular prices of a subscription.
  static func prices(ofSubscription id: String) -> String {
    subscriptionPrices("/v1/subscriptions/\(id)/prices")
  }

  /// The request for the introductory offers of a subscription.
  static func introductory(ofSubscription id: String) -> String {
    subscriptionPrices("/v1/subscriptions/\(id)/introductoryOffers")
  }

  /// The request for the offers of one kind for a subscription, without their prices.
  static func offers(_ family: ConnectOfferFamily, ofSubscription id: String) -> String {
    "/v1/subscriptions/\(id)/\(family.list)?\(page)"
  }

  /// The request for the prices of one offer for a subscription.
  static func prices(_ family: ConnectOfferFamily, ofOffer id: String) -> String {
    subscriptionPrices("/v1/\(family.type)/\(id)/prices")
  }

  /// The request for the price schedule of a one-time product.
  static func schedule(ofPurchase id: String) -> String {
    "/v2/inAppPurchases/\(id)/iapPriceSchedule?include=baseTerritory"
  }

  /// The request for the manual or the automatic prices of a schedule.
  ///
  /// The request lists the wanted fields, because Apple leaves out some of them by default.
  static func prices(ofSchedule id: String, areManual: Bool) -> String {
    "/v1/inAppPurchasePriceSchedules/\(id)/\(areManual ? "manualPrices" : "automaticPrices")"
      + "?include=inAppPurchasePricePoint,territory&fields%5BinAppPurchasePrices%5D="
      + "startDate,endDate,manual,inAppPurchasePricePoint,territory"
      + "&fields%5BinAppPurchasePricePoints%5D=customerPrice&\(page)"
  }

  /// The request for the offer codes of a one-time product.
  static func codes(ofPurchase id: String) -> String {
    "/v2/inAppPurchases/\(id)/offerCodes?\(page)"
  }

  /// The request for the prices of an offer code of a one-time product.
  static func prices(ofPurchaseCode id: String) -> String {
    "/v1/inAppPurchaseOfferCodes/\(id)/prices?include=pricePoint,territory&\(page)"
  }
}

/// The kinds of offers of a subscription, except the introductory offer.
enum ConnectOfferFamily: CaseIterable, Sendable {
  case promotional
  case code
  case winBack

  /// The last path component of a request for the offers of this kind.
  var list: String {
    switch self {
    case .promotional: "promotionalOffers"
    case .code: "offerCodes"
    case .winBack: "winBackOffers"
    }
  }

  /// The resource type of an offer of this kind.
  var type: String {
    switch self {
    case .promotional: "subscriptionPromotionalOffers"
    case .code: "subscriptionOfferCodes"
    case .winBack: "winBackOffers"
    }
  }
}
