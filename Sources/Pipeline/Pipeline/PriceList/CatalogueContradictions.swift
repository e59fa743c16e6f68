internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PurchaseModel

/// Finds entries of the owner's catalogue that differ from App Store Connect's price list.
///
/// Example: `catalog.yaml:12: pro.monthly 11.99 USD from 2025-03-03; App Store Connect has 12.99
/// USD (USA)`.
package enum CatalogueContradictions {
  /// Returns a sentence for each entry that differs, in the order of the files.
  ///
  /// - Returns: The sentences; empty if no file of the catalogue was fetched.
  package static func find(_ definition: PipelineDefinition) throws(RunFailure) -> [String] {
    var files: [CatalogueText] = []
    for path in definition.cataloguePaths { files.append(try CatalogueText.read(path: path)) }
    return try find(files, apps: definition.bundleIDs)
  }

  /// Returns a sentence for each entry of the owner's files that differs from the fetched files.
  ///
  /// If two files have the same entry, the file that is later in `files` has priority.
  static func find(_ files: [CatalogueText], apps: [String]) throws(RunFailure) -> [String] {
    let fetched = files.filter { $0.askedOn != nil }
    guard !fetched.isEmpty else { return [] }
    let list = try CatalogueText.layered(fetched, apps: apps)
    let used = try CatalogueText.layered(files, apps: apps)
    return files.filter { $0.askedOn == nil }.flatMap { file in
      file.products.flatMap { product -> [String] in
        guard let listed = list.product(like: product) else { return [] }
        return facts(of: product, against: listed, used: used.product(like: product))
          + find(product, against: listed)
      }
    }
  }

  /// Returns a sentence for each price, offer or price change that differs from the fetched list.
  static func find(_ product: CatalogueText.Product, against list: CatalogueText.Product)
    -> [String]
  {
    let lists = Dictionary(grouping: list.prices) { $0.storefront }
      .mapValues { PriceListSteps.steps($0) }
    var found: [String] = []
    for price in product.prices {
      guard let from = price.from else { continue }
      let others = differing(lists, currency: price.currency, storefront: price.storefront) {
        inForce($0, on: from).flatMap { $0.price == price.price ? nil : $0.price }
      }
      add(
        "\(price.price.text(in: price.currency)) from \(from.text)", others,
        currency: price.currency,
        of: product, at: price.place, to: &found)
    }
    for offer in product.offers {
      let same = list.offers.filter {
        $0.seen?.last == nil && $0.kind == offer.kind && $0.identifier == offer.identifier
          && $0.currency == offer.currency && $0.paymentMode == offer.paymentMode
          && (offer.storefront == nil || $0.storefront == offer.storefront)
      }
      let others = same.filter { $0.price != offer.price }
        .compactMap { other in other.storefront.map { (other.price, $0) } }
      add(
        "\(offer.identifier.map(OneLine.text) ?? "") \(offer.price.text(in: offer.currency))",
        others, currency: offer.currency, of: product, at: offer.place, to: &found)
    }
    for change in product.priceChanges {
      found += contradiction(change, lists, of: product)
    }
    return found
  }

  /// Returns a sentence if the fetched list contradicts a price rise in the owner's file.
  ///
  /// The list contradicts the rise if it has another effect on existing subscribers. The effect is
  /// `preserved` if existing subscribers keep the old price, or else `moved`. A rise in the fetched
  /// list is compared if its day is at most one day before or after the owner's day.
  ///
  /// - Returns: One sentence; empty if no storefront of the fetched list has another effect.
  private static func contradiction(
    _ change: Catalogue.PriceChange, _ lists: [Storefront?: [PriceListSteps.Step]],
    of product: CatalogueText.Product
  ) -> [String] {
    var storefronts: [Storefront] = []
    for case (let storefront?, let steps) in lists
    where change.storefront == nil || change.storefront == storefront {
      for (before, after) in zip(steps, steps.dropFirst())
      where abs(after.from.daysSinceEpoch - change.from.daysSinceEpoch) <= 1
        && after.line.currency == change.currency && after.line.price > before.line.price
        && before.line.isPreserved != (change.existingSubscribers == .preserved)
      {
        storefronts.append(storefront)
      }
    }
    guard !storefronts.isEmpty else { return [] }
    let place = product.place.map { "\(OneLine.text($0.text)): " } ?? ""
    let found = change.existingSubscribers == .preserved ? "moved" : "preserved"
    return [
      """
      \(place)\(OneLine.text(product.productID)): the catalogue has the price change of \
      \(change.from.text) in \(change.currency.code) as \
      \(change.existingSubscribers.rawValue), App Store Connect as \(found) \
      (\(text(storefronts)))
      """
    ]
  }

  /// Returns the fetched prices that differ from an entry of the owner, with their storefronts.
  ///
  /// If `storefront` is `nil`, all storefronts with the currency are compared. `price` returns the
  /// differing price of a storefront; `nil` if its price does not differ.
  private static func differing(
    _ lists: [Storefront?: [PriceListSteps.Step]], currency: Currency, storefront: Storefront?,
    _ price: ([PriceListSteps.Step]) -> Milliunits?
  ) -> [(Milliunits, Storefront)] {
    lists.compactMap { place, steps in
      guard let place, storefront == nil || storefront == place,
        steps.last?.line.currency == currency
      else { return nil }
      return price(steps).map { ($0, place) }
    }
  }

  private static func inForce(_ steps: [PriceListSteps.Step], on day: CivilDay)
    -> CatalogueText.Price?
  {
    steps.last { $0.from <= day }?.line
  }

  private static func add(
    _ line: String, _ others: [(price: Milliunits, storefront: Storefront)], currency: Currency,
    of product: CatalogueText.Product, at place: CatalogueText.Place?, to found: inout [String]
  ) {
    guard !others.isEmpty else { return }
    let prices = Dictionary(grouping: others) { $0.price }
    let listed = prices.keys.sorted().map { price in
      "\(price.text(in: currency)) (\(text(prices[price]?.map(\.storefront) ?? [])))"
    }
    found.append(
      """
      \(place.map { "\(OneLine.text($0.text)): " } ?? "")\(OneLine.text(product.productID)) \(line); \
      App Store Connect has \(listed.joined(separator: ", "))
      """)
  }

  /// Lists the codes of storefronts in alphabetical order, at most ten: `DEU FRA and 3 more`.
  private static func text(_ storefronts: [Storefront]) -> String {
    let codes = storefronts.map(\.code).sorted()
    let more = codes.count > 10 ? " and \(codes.count - 10) more" : ""
    return codes.prefix(10).joined(separator: " ") + more
  }
}
