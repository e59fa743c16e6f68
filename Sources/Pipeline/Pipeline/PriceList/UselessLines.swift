internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PurchaseModel
package import Warehouse

/// Finds the lines of the owner's catalogue that decide no published purchase.
///
/// Example: `catalog.yaml:7: {currency: EUR, from: 2024-05-18, existing_subscribers: moved} of pro
/// decides nothing: no purchase of pro is in EUR; its purchases are in USD`
package enum UselessLines {
  /// The largest number of lines to show.
  private static let shown = 10

  /// Returns a sentence for each line, in the order of the files; at most ten, and a count of the
  /// rest.
  ///
  /// A line is compared with the purchases of all days: it may be written for days to come. These
  /// lines are left out: lines of a fetched price list; lines of a product that nobody bought,
  /// unless another product has nearly its id; and lines without an app of an id that several apps
  /// sell, which the run names.
  package static func find(
    _ definition: PipelineDefinition, _ sold: SoldProducts
  ) throws(RunFailure) -> [String] {
    var found: [String] = []
    for path in definition.cataloguePaths {
      let file = try CatalogueText.read(path: path)
      guard file.askedOn == nil else { continue }
      for product in file.products where isComparable(product, sold) {
        for (line, place) in lines(of: product) {
          var ofAllDays = line
          ofAllDays.members.removeAll { $0.key == "from" }
          guard let reason = CatalogueLineUse.reason(against: ofAllDays, sold) else { continue }
          found.append(
            "\(place.map { "\(OneLine.text($0.text)): " } ?? "")\(line.yaml) of "
              + "\(OneLine.text(line.productID)) decides nothing: \(reason)")
        }
      }
    }
    guard found.count > shown else { return found }
    return found.prefix(shown) + ["and \(Count.text(found.count - shown, "more line")) like these"]
  }

  private static func isComparable(_ product: CatalogueText.Product, _ sold: SoldProducts) -> Bool {
    let sales = sold[product.productID]
    guard sales.markets.isEmpty else { return product.bundleID != nil || sales.apps.count <= 1 }
    return NearestWord.suggestion(for: product.productID, among: sold.productIDs) != nil
  }

  private static func lines(of product: CatalogueText.Product)
    -> [(CatalogueLine, CatalogueText.Place?)]
  {
    typealias Member = CatalogueLine.Member
    let (id, app) = (product.productID, product.bundleID)
    func storefront(_ storefront: Storefront?) -> [Member] {
      storefront.map { [Member("storefront", $0.code)] } ?? []
    }
    var lines: [(CatalogueLine, CatalogueText.Place?)] = []
    for change in product.priceChanges {
      let line = CatalogueLine.priceChange(
        of: id, bundleID: app, in: change.currency, storefront: change.storefront,
        from: change.from.text, subscribers: change.existingSubscribers)
      lines.append((line, product.place))
    }
    for price in product.prices {
      let members =
        [
          Member("currency", price.currency.code),
          Member("price", price.price.text(decimals: price.currency.decimals)),
        ] + storefront(price.storefront) + (price.from.map { [Member("from", $0.text)] } ?? [])
      lines.append(
        (CatalogueLine(productID: id, bundleID: app, list: .prices, members: members), price.place))
    }
    for offer in product.offers where offer.kind != .introductory {
      let members =
        [
          Member("kind", offer.kind.rawValue), Member("identifier", offer.identifier),
          Member("currency", offer.currency.code),
        ] + storefront(offer.storefront)
      lines.append(
        (CatalogueLine(productID: id, bundleID: app, list: .offers, members: members), offer.place))
    }
    return lines
  }
}
