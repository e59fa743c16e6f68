internal import Amounts
package import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Combines a fetched price list with the list of the previous fetch, and finds the changes.
///
/// A price or offer in both lists keeps the day on which it was first listed. A price or offer that
/// is only in the previous list is kept, because customers paid it while it was listed. The day of
/// the previous fetch becomes its last day, unless its last day is already recorded.
package struct PriceListUpdate {
  /// The combined list, to be written to the catalogue file.
  package private(set) var list: CatalogueText
  /// A text for each product, price or offer that is new, changed or no longer listed.
  ///
  /// Empty on the first fetch.
  package private(set) var changes: [String] = []

  /// Combines two lists, and finds their differences.
  ///
  /// - Parameters:
  ///   - now: The list that was just fetched; it has no days yet.
  ///   - before: The list of the previous fetch; `nil` on the first fetch.
  ///   - day: The UTC day of this fetch.
  package init(_ now: CatalogueText, before: CatalogueText?, on day: CivilDay) {
    list = now
    list.askedOn = day
    let lastAsked = before?.askedOn ?? day
    var known: [ProductKey: CatalogueText.Product] = [:]
    for product in before?.products ?? [] { known[ProductKey(product)] = product }
    for index in list.products.indices {
      var product = list.products[index]
      let key = ProductKey(product)
      let old = known.removeValue(forKey: key)
      keepPrices(&product, old, on: day, lastAsked: lastAsked)
      keepOffers(&product, old, on: day, lastAsked: lastAsked)
      list.products[index] = product
      if before != nil, old == nil { changes.append("\(key.text): new in App Store Connect") }
    }
    for key in known.keys.sorted() {
      guard var product = known[key] else { continue }
      let isGone =
        product.prices.allSatisfy { $0.seen?.last != nil }
        && product.offers.allSatisfy { $0.seen?.last != nil }
      let isEmpty = product.prices.isEmpty && product.offers.isEmpty
      if isEmpty || !isGone { changes.append("\(key.text): no longer in App Store Connect") }
      // Nothing is kept about a product without prices.
      if isEmpty { continue }
      for index in product.prices.indices { product.prices[index].end(on: lastAsked) }
      for index in product.offers.indices { product.offers[index].end(on: lastAsked) }
      list.products.append(product)
    }
  }

  private mutating func keepPrices(
    _ product: inout CatalogueText.Product, _ old: CatalogueText.Product?, on day: CivilDay,
    lastAsked: CivilDay
  ) {
    var before: [FetchedPrice: CatalogueText.Price] = [:]
    for price in old?.prices ?? [] where price.seen?.last == nil {
      before[FetchedPrice(price)] = price
    }
    var gone = old?.prices.filter { $0.seen?.last != nil } ?? []
    var changed: [CatalogueText.Price] = []
    for index in product.prices.indices {
      let line = product.prices[index]
      let same = before.removeValue(forKey: FetchedPrice(line))
      product.prices[index].seen = CatalogueText.ListedDays(first: same?.seen?.first ?? day)
      let isChanged = same.map { $0.isPreserved != line.isPreserved || $0.to != line.to } ?? true
      if isChanged, old != nil { changed.append(product.prices[index]) }
    }
    var texts: [String] = []
    for var line in before.values {
      texts.append(line.text + " is no longer listed")
      line.end(on: lastAsked)
      gone.append(line)
    }
    product.prices += gone
    for line in changed { texts.append(Self.changeText(line, of: product)) }
    let name = ProductKey(product).text
    changes += texts.sorted().map { "\(name) \($0)" }
  }

  /// Formats a new or changed price, with the price that it replaces.
  ///
  /// Example: `USA 12.99 USD from 2026-12-01, after 9.99 USD, which existing subscribers keep`.
  private static func changeText(_ line: CatalogueText.Price, of product: CatalogueText.Product)
    -> String
  {
    let steps = PriceListSteps.steps(
      product.prices.filter { $0.storefront == line.storefront && $0.currency == line.currency })
    let place = steps.firstIndex {
      $0.line.price == line.price && $0.line.from == line.from && line.from != nil
    }
    guard let place, place > 0 else {
      return line.text + (line.isPreserved ? ", which existing subscribers keep" : "")
    }
    let before = steps[place - 1].line
    let effect = before.isPreserved ? "which existing subscribers keep" : "for all subscribers"
    return "\(line.text), after \(before.price.text(in: before.currency)), \(effect)"
  }

  private mutating func keepOffers(
    _ product: inout CatalogueText.Product, _ old: CatalogueText.Product?, on day: CivilDay,
    lastAsked: CivilDay
  ) {
    var before: [FetchedOffer: CatalogueText.Offer] = [:]
    for offer in old?.offers ?? [] where offer.seen?.last == nil {
      before[FetchedOffer(offer)] = offer
    }
    var gone = old?.offers.filter { $0.seen?.last != nil } ?? []
    var texts: [String] = []
    for index in product.offers.indices {
      let line = product.offers[index]
      let same = before.removeValue(forKey: FetchedOffer(line))
      product.offers[index].seen = CatalogueText.ListedDays(first: same?.seen?.first ?? day)
      if same == nil, old != nil { texts.append(line.text + " is new") }
    }
    for var line in before.values {
      texts.append(line.text + " is no longer listed")
      line.end(on: lastAsked)
      gone.append(line)
    }
    product.offers += gone
    let name = ProductKey(product).text
    changes += texts.sorted().map { "\(name) \($0)" }
  }
}

/// The key that identifies a price in the lists of two fetches, even if `preserved` has changed.
private struct FetchedPrice: Hashable {
  var key: PriceLineKey
  var price: Int64
  var isAutomatic: Bool
  var plan: CatalogueText.BillingPlan?

  init(_ line: CatalogueText.Price) {
    key = PriceLineKey(line)
    price = line.price.rawValue
    isAutomatic = line.isAutomatic
    plan = line.billingPlan
  }
}

/// The key that identifies an offer in the lists of two fetches.
private struct FetchedOffer: Hashable {
  var key: OfferLineKey
  var price: Int64
  var from: CivilDay?
  var to: CivilDay?
  var name: String?

  init(_ line: CatalogueText.Offer) {
    key = OfferLineKey(line)
    price = line.price.rawValue
    from = line.from
    to = line.to
    name = line.name
  }
}

extension ProductKey {
  /// The app and the id of the product as text: `com.example.shop pro.monthly`.
  fileprivate var text: String {
    [bundleID, productID].compactMap { $0.map(OneLine.text) }.joined(separator: " ")
  }
}

extension CatalogueText.Price {
  /// Records the last day on which the price was listed, unless it is already recorded.
  fileprivate mutating func end(on day: CivilDay) {
    guard let first = seen?.first, seen?.last == nil else { return }
    seen?.last = max(first, day)
  }

  fileprivate var text: String {
    let words = [
      storefront?.code, price.text(in: currency), from.map { "from \($0.text)" },
      billingPlan.map { "(\($0.rawValue))" },
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }
}

extension CatalogueText.Offer {
  fileprivate mutating func end(on day: CivilDay) {
    guard let first = seen?.first, seen?.last == nil else { return }
    seen?.last = max(first, day)
  }

  /// The offer as text: `USA promo win50 4.99 USD`.
  fileprivate var text: String {
    [storefront?.code, kind.rawValue, identifier.map(OneLine.text), price.text(in: currency)]
      .compactMap(\.self).joined(separator: " ")
  }
}
