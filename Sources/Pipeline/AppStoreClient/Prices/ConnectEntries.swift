internal import Amounts
internal import CivilTime
internal import Foundation
internal import Pipeline
internal import PurchaseModel

/// Converts responses of App Store Connect to prices and offers of a catalogue.
struct ConnectEntries {
  /// The currency of each storefront, keyed by Apple's id of the storefront.
  private let currencies: [String: Currency]
  /// The number of rows or offers that are left out, because a required field, such as the
  /// storefront or the price, is missing or unknown.
  private(set) var unreadable = 0

  /// Reads the currencies of all storefronts.
  init(storefronts: ConnectPage) {
    var currencies: [String: Currency] = [:]
    for resource in storefronts.resources {
      currencies[resource.id] = resource.attributes?.currency.flatMap { Currency($0) }
    }
    self.currencies = currencies
  }

  /// Returns the regular prices in a page.
  ///
  /// One-time products have two lists: manual prices and automatic prices. `isManual` is true for
  /// the list of manual prices.
  mutating func prices(_ page: ConnectPage, isManual: Bool = true) -> [CatalogueText.Price] {
    let points = Points(page)
    var prices: [CatalogueText.Price] = []
    for row in page.resources {
      guard let place = place(of: row), let amount = points.price(of: row) else {
        unreadable += 1
        continue
      }
      var price = CatalogueText.Price(
        storefront: place.storefront, currency: place.currency, price: amount)
      price.from = row.attributes?.startDate.flatMap { CivilDay(text: $0) }
      price.to = row.attributes?.endDate.flatMap { CivilDay(text: $0) }
      price.isPreserved = row.attributes?.preserved ?? false
      price.isAutomatic = !isManual
      price.billingPlan = row.attributes?.planType.flatMap {
        CatalogueText.BillingPlan(rawValue: $0.lowercased())
      }
      prices.append(price)
    }
    return prices
  }

  mutating func introductory(_ page: ConnectPage) -> [CatalogueText.Offer] {
    let points = Points(page)
    return page.resources.compactMap {
      offer(.introductory, identifier: nil, terms: $0.attributes, row: $0, points)
    }
  }

  /// Converts the prices of an offer.
  mutating func offers(
    _ page: ConnectPage, _ family: ConnectOfferFamily, of resource: ConnectResource
  ) -> [CatalogueText.Offer] {
    let points = Points(page)
    let terms = resource.attributes
    let (kind, identifier, name): (CatalogueText.OfferKind, String?, String?) =
      switch family {
      case .promotional: (.promo, terms?.offerCode, terms?.name)
      case .code: (.offerCode, terms?.name, nil)
      case .winBack: (.promo, terms?.offerId, terms?.referenceName)
      }
    guard let identifier = identifier.map(Self.clean) else {
      unreadable += 1
      return []
    }
    return page.resources.compactMap { row in
      var line = offer(kind, identifier: identifier, terms: terms, row: row, points)
      line?.name = name.map(Self.clean).flatMap { $0 == identifier || $0.isEmpty ? nil : $0 }
      return line
    }
  }

  /// Converts the prices of an offer code for a one-time product: one offer per storefront.
  ///
  /// The price is one payment for the product. In a row without a price point, the product is free.
  mutating func codes(_ page: ConnectPage, of resource: ConnectResource) -> [CatalogueText.Offer] {
    let points = Points(page)
    guard let identifier = resource.attributes?.name.map(Self.clean) else {
      unreadable += 1
      return []
    }
    return page.resources.compactMap { row in
      guard let place = place(of: row) else {
        unreadable += 1
        return nil
      }
      let amount = points.price(of: row)
      return CatalogueText.Offer(
        kind: .offerCode, identifier: identifier, storefront: place.storefront,
        currency: place.currency, price: amount ?? .zero,
        paymentMode: amount == nil ? .freeTrial : .payUpFront)
    }
  }

  private mutating func offer(
    _ kind: CatalogueText.OfferKind, identifier: String?, terms: ConnectAttributes?,
    row: ConnectResource, _ points: Points
  ) -> CatalogueText.Offer? {
    guard let mode = terms?.offerMode.flatMap(Self.mode), let place = place(of: row),
      let amount = mode == .freeTrial ? .zero : points.price(of: row)
    else {
      unreadable += 1
      return nil
    }
    var offer = CatalogueText.Offer(
      kind: kind, identifier: identifier, storefront: place.storefront, currency: place.currency,
      price: amount, paymentMode: mode,
      numberOfPeriods: (terms?.numberOfPeriods ?? terms?.periodCount).map(Int32.init(clamping:)),
      period: terms?.duration.flatMap(Self.period))
    offer.from = terms?.startDate.flatMap { CivilDay(text: $0) }
    offer.to = terms?.endDate.flatMap { CivilDay(text: $0) }
    return offer
  }

  /// The storefront of a row and the currency of this storefront; `nil` if one of them is unknown.
  private func place(of row: ConnectResource) -> (storefront: Storefront, currency: Currency)? {
    guard let id = row.reference("territory")?.id ?? ConnectID.storefront(row.id),
      let storefront = Storefront(id),
      let currency = currencies[id] ?? currencies[storefront.code]
    else { return nil }
    return (storefront, currency)
  }

  /// Reads a length of time in Apple's words: `ONE_MONTH`.
  static func period(_ word: String) -> Period? {
    let texts = [
      "THREE_DAYS": "P3D", "ONE_WEEK": "P1W", "TWO_WEEKS": "P2W", "ONE_MONTH": "P1M",
      "TWO_MONTHS": "P2M", "THREE_MONTHS": "P3M", "SIX_MONTHS": "P6M", "ONE_YEAR": "P1Y",
    ]
    return texts[word].flatMap { Period(text: $0) }
  }

  private static func mode(_ word: String) -> PaymentMode? {
    PaymentMode.allCases.first { $0.name == word.lowercased() }
  }

  /// Reads the kind of a one-time product in Apple's words: `NON_CONSUMABLE`.
  static func kind(_ word: String) -> ProductKind? {
    switch word {
    case "CONSUMABLE": .consumable
    case "NON_CONSUMABLE": .nonConsumable
    case "NON_RENEWING_SUBSCRIPTION": .nonRenewingSubscription
    default: nil
    }
  }

  /// Removes control characters from a name, because the warehouse refuses them.
  static func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }))
  }
}

/// The price points that are included in a page, keyed by id.
private struct Points {
  private var prices: [ConnectReference: Milliunits] = [:]

  init(_ page: ConnectPage) {
    for resource in page.included {
      guard let text = resource.attributes?.customerPrice,
        let price = try? Milliunits(decimal: text)
      else { continue }
      prices[ConnectReference(type: resource.type, id: resource.id)] = price
    }
  }

  /// The price of a row; `nil` if the row has no price point.
  func price(of row: ConnectResource) -> Milliunits? {
    let names = ["subscriptionPricePoint", "inAppPurchasePricePoint", "pricePoint"]
    return names.lazy.compactMap { row.reference($0) }.first.flatMap { prices[$0] }
  }
}

/// Decodes ids of App Store Connect, which are JSON in base64.
///
/// Apple does not document this format. Ids are decoded only for rows that do not refer to a
/// storefront.
enum ConnectID {
  private struct Parts: Decodable {
    var t: String?
    var i: String?
    var c: String?
  }

  /// Reads the storefront from an id, for example `USA`; `nil` if the id has no storefront.
  static func storefront(_ id: String) -> String? {
    let base64 = id.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding),
      let parts = try? JSONDecoder().decode(Parts.self, from: data)
    else { return nil }
    return parts.t ?? parts.i ?? parts.c
  }
}
