internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PurchaseModel

extension CatalogueText {
  /// Reads the catalogue of a pipeline from its files, and the owner's corrections.
  ///
  /// - Returns: The catalogue; empty if the pipeline has no catalogue file.
  /// - Throws: ``RunFailure`` with status 66 for a missing file, and 78 for a wrong setting.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> CatalogueText {
    let fetched = definition.fetching?.prices?.output
    var layers: [CatalogueText] = []
    for path in definition.cataloguePaths {
      guard path != fetched || PathStatus.exists(path) else {
        throw RunFailure(
          .inputMissing,
          """
          \(OneLine.text(path)): nothing was fetched from App Store Connect yet; run \
          "paidline-fetch prices \(OneLine.text(definition.path))" first. \
          \(DocsPage.fetching.reference)
          """)
      }
      layers.append(try read(path: path))
    }
    var catalogue = try layered(layers, apps: definition.bundleIDs)
    catalogue.corrections = try CorrectionsFile.read(definition)
    return catalogue
  }

  /// Combines several files: an entry of a later file replaces the same entry of an earlier file.
  ///
  /// Two entries of one product are the same if they are:
  /// - prices with equal storefront, currency and first day,
  /// - price changes with equal storefront, currency and day,
  /// - the same offer, even with different prices,
  /// - the same property, such as the product's subscription period.
  ///
  /// - Parameters:
  ///   - layers: The files; a later file has priority over an earlier file.
  ///   - apps: The apps that are used; empty for all. Products of other apps are left out.
  /// - Returns: The catalogue. If only one app is used, entries without an app belong to that app.
  /// - Throws: ``RunFailure`` with status 78 if an entry may mean the products of two apps.
  static func layered(_ layers: [CatalogueText], apps: [String]) throws(RunFailure)
    -> CatalogueText
  {
    var catalogue = CatalogueText()
    for layer in layers {
      catalogue.proceeds = layer.proceeds ?? catalogue.proceeds
      catalogue.askedOn = layer.askedOn ?? catalogue.askedOn
      catalogue.putRebased(layer.rebased)
      for var product in layer.products {
        if product.bundleID == nil, apps.count == 1 { product.bundleID = apps[0] }
        if let app = product.bundleID, !apps.isEmpty, !apps.contains(app) { continue }
        let same = catalogue.products.indices.filter { index in
          let other = catalogue.products[index]
          return other.productID == product.productID
            && (other.bundleID == nil || product.bundleID == nil
              || other.bundleID == product.bundleID)
        }
        guard same.count < 2 else { throw ambiguous(product) }
        if let index = same.first {
          catalogue.products[index].put(product)
        } else {
          catalogue.products.append(product)
        }
      }
    }
    return catalogue
  }

  private static func ambiguous(_ product: Product) -> RunFailure {
    let place = product.place.map { "\(OneLine.text($0.file)):\($0.line): " } ?? ""
    return RunFailure(
      .badConfiguration,
      """
      \(place)two apps sell the product \(OneLine.text(product.productID)); name the app of this \
      line: bundle_id: \(OneLine.text(product.bundleID ?? "com.example.app"))
      """)
  }
}

extension CatalogueText.Product {
  /// Adds the properties and entries that another file has for this product.
  ///
  /// The other file has priority: its properties and entries replace the same properties and
  /// entries of this product.
  fileprivate mutating func put(_ later: CatalogueText.Product) {
    bundleID = later.bundleID ?? bundleID
    name = later.name ?? name
    kind = later.kind ?? kind
    subscriptionGroupID = later.subscriptionGroupID ?? subscriptionGroupID
    groupName = later.groupName ?? groupName
    groupLevel = later.groupLevel ?? groupLevel
    subscriptionPeriod = later.subscriptionPeriod ?? subscriptionPeriod
    appleID = later.appleID ?? appleID
    sameAs = later.sameAs ?? sameAs
    place = later.place ?? place
    let prices = Set(later.prices.map(PriceLineKey.init))
    self.prices.removeAll { prices.contains(PriceLineKey($0)) }
    self.prices += later.prices
    let changes = Set(later.priceChanges.map(PriceLineKey.init))
    priceChanges.removeAll { changes.contains(PriceLineKey($0)) }
    priceChanges += later.priceChanges
    let offers = Set(later.offers.map(OfferLineKey.init))
    self.offers.removeAll { offers.contains(OfferLineKey($0)) }
    self.offers += later.offers
    promoCodes += later.promoCodes.filter { !promoCodes.contains($0) }
  }
}

/// The key of a price or price change; entries of two files with equal keys are the same entry.
struct PriceLineKey: Hashable {
  var storefront: Storefront?
  var currency: Currency
  var from: CivilDay?

  init(_ price: CatalogueText.Price) {
    storefront = price.storefront
    currency = price.currency
    from = price.from
  }

  init(_ change: Catalogue.PriceChange) {
    storefront = change.storefront
    currency = change.currency
    from = change.from
  }
}
