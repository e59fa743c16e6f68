internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension CatalogueContradictions {
  /// Returns a sentence for each property of a product that differs from App Store Connect's.
  ///
  /// Example: `catalog.yaml:2: pro.yearly subscription_period is P1M; App Store Connect has P1Y.
  /// P1M is used, because …`.
  static func facts(
    of product: CatalogueText.Product, against list: CatalogueText.Product,
    used: CatalogueText.Product?
  ) -> [String] {
    let place = product.place.map { "\(OneLine.text($0.text)): " } ?? ""
    return product.facts.indices.compactMap { index in
      let (key, own) = product.facts[index]
      guard let own, let other = list.facts[index].value, own != other else { return nil }
      let value = used?.facts[index].value ?? own
      return """
        \(place)\(OneLine.text(product.productID)) \(key) is \(OneLine.text(own)); App Store \
        Connect has \(OneLine.text(other)). \(OneLine.text(value)) is used, because it is in \
        the file that inputs.catalog lists later
        """
    }
  }
}

extension CatalogueText {
  /// Finds the product with the id of another product, and with its app if both products have an
  /// app.
  func product(like other: Product) -> Product? {
    products.first {
      $0.productID == other.productID
        && ($0.bundleID == nil || other.bundleID == nil || $0.bundleID == other.bundleID)
    }
  }
}

extension CatalogueText.Product {
  /// The product's properties with their keys in the file; `nil` for a missing value.
  fileprivate var facts: [(key: String, value: String?)] {
    [
      ("kind", kind?.rawValue), ("name", name), ("subscription_group", subscriptionGroupID),
      ("group_name", groupName), ("group_level", groupLevel.map { "\($0)" }),
      ("subscription_period", subscriptionPeriod?.text), ("apple_id", appleID),
      ("same_as", sameAs),
    ]
  }
}
