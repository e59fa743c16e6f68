internal import Diagnostics
internal import Pipeline
internal import PurchaseModel

/// Fetches all prices of some apps from App Store Connect.
struct PriceListRound {
  private let connect: ConnectClient
  /// The part of the price list that is fetched already.
  ///
  /// The days on which a price was listed (`first_seen`, `last_seen`) are not set yet.
  private(set) var list = CatalogueText()
  /// The products without a price in any storefront.
  private(set) var unpriced: [String] = []
  /// The bundle ids that App Store Connect does not know.
  private(set) var unknownApps: [String] = []
  /// The number of products, offers and prices that are left out, because a field is missing.
  ///
  /// Examples of such fields are the product id, the storefront and the price.
  private(set) var unreadable = 0

  init(_ connect: ConnectClient) { self.connect = connect }

  /// Fetches the lists of some apps, one after another.
  mutating func sendRequests(_ apps: [String]) async throws(RunFailure) {
    var entries = ConnectEntries(
      storefronts: try await connect.all(ConnectRequest.storefronts))
    for bundleID in apps {
      // The filter also returns bundle ids that only begin with this id.
      let found = try await connect.all(ConnectRequest.app(bundleID)).resources
      guard let app = found.first(where: { $0.attributes?.bundleId == bundleID }) else {
        unknownApps.append(bundleID)
        continue
      }
      for group in try await connect.all(ConnectRequest.groups(ofApp: app.id)).resources {
        let question = ConnectRequest.subscriptions(ofGroup: group.id)
        for subscription in try await connect.all(question).resources {
          guard var product = Self.product(subscription, app: bundleID) else {
            unreadable += 1
            continue
          }
          product.kind = .autoRenewableSubscription
          product.subscriptionGroupID = group.id
          product.groupName = group.attributes?.referenceName.map(ConnectEntries.clean)
          product.groupLevel = subscription.attributes?.groupLevel
          product.subscriptionPeriod =
            subscription.attributes?.subscriptionPeriod.flatMap(ConnectEntries.period)
          try await price(&product, subscription: subscription.id, &entries)
          add(product)
        }
      }
      for purchase in try await connect.all(ConnectRequest.purchases(ofApp: app.id))
        .resources
      {
        guard var product = Self.product(purchase, app: bundleID) else {
          unreadable += 1
          continue
        }
        product.kind = purchase.attributes?.inAppPurchaseType.flatMap(ConnectEntries.kind)
        try await price(&product, purchase: purchase.id, &entries)
        add(product)
      }
    }
    unreadable += entries.unreadable
  }

  private mutating func add(_ product: CatalogueText.Product) {
    if product.prices.isEmpty { unpriced.append(product.productID) }
    list.products.append(product)
  }

  private static func product(_ resource: ConnectResource, app: String) -> CatalogueText.Product? {
    guard let id = resource.attributes?.productId.map(ConnectEntries.clean), !id.isEmpty else {
      return nil
    }
    var product = CatalogueText.Product(productID: id)
    product.bundleID = app
    product.appleID = resource.id
    product.name = resource.attributes?.name.map(ConnectEntries.clean).flatMap {
      $0.isEmpty ? nil : $0
    }
    return product
  }

  /// Fetches the prices and offers of a subscription.
  private func price(
    _ product: inout CatalogueText.Product, subscription id: String,
    _ entries: inout ConnectEntries
  ) async throws(RunFailure) {
    product.prices = entries.prices(
      try await connect.all(ConnectRequest.prices(ofSubscription: id)))
    product.offers = entries.introductory(
      try await connect.all(ConnectRequest.introductory(ofSubscription: id)))
    for family in ConnectOfferFamily.allCases {
      let offers = try await connect.all(ConnectRequest.offers(family, ofSubscription: id))
      for offer in offers.resources {
        let prices = try await connect.all(ConnectRequest.prices(family, ofOffer: offer.id))
        product.offers += entries.offers(prices, family, of: offer)
      }
    }
  }

  /// Fetches the prices and offer codes of a one-time product.
  private func price(
    _ product: inout CatalogueText.Product, purchase id: String, _ entries: inout ConnectEntries
  ) async throws(RunFailure) {
    let schedule = try await connect.all(ConnectRequest.schedule(ofPurchase: id)).resources
      .first
    if let schedule {
      for areManual in [true, false] {
        let question = ConnectRequest.prices(ofSchedule: schedule.id, areManual: areManual)
        product.prices += entries.prices(
          try await connect.all(question), isManual: areManual)
      }
    }
    for code in try await connect.all(ConnectRequest.codes(ofPurchase: id)).resources {
      let prices = try await connect.all(ConnectRequest.prices(ofPurchaseCode: code.id))
      product.offers += entries.codes(prices, of: code)
    }
  }
}
