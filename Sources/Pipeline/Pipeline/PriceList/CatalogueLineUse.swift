internal import CivilTime
package import Diagnostics
package import Warehouse

/// Whether a line of the catalogue can decide any published purchase.
package enum CatalogueLineUse {
  /// Throws if a line cannot help: it is about no product, market, day or offer of a purchase.
  ///
  /// - Parameters:
  ///   - products: The ids of all products that were bought.
  ///   - sales: The sales of the line's product.
  /// - Throws: ``RunFailure`` with status 65, with the nearest value that would help.
  package static func check(
    _ line: CatalogueLine, products: [String], sales: ProductSales
  ) throws(RunFailure) {
    let product = OneLine.text(line.productID)
    guard !sales.markets.isEmpty else {
      let near = NearestWord.suggestion(for: line.productID, among: products)
      throw refusal(
        "no purchase is of the product \(product)"
          + (near.map { "; did you mean \(OneLine.text($0))?" } ?? ""))
    }
    let apps = Set(sales.markets.map(\.bundleID)).subtracting([""]).sorted()
    if let app = line.bundleID {
      guard apps.isEmpty || apps.contains(app) else {
        throw refusal(
          "\(OneLine.text(app)) sold no \(product); its purchases are of \(list(apps))")
      }
    } else if apps.count > 1 {
      throw refusal(
        "several apps sell \(product), so a line without its app is void; add --bundle-id with "
          + "one of \(list(apps))")
    }
    var markets = sales.markets.filter { line.bundleID == nil || $0.bundleID == line.bundleID }
    let currencies = Set(markets.compactMap(\.currency)).sorted()
    markets.removeAll { $0.currency != line["currency"] }
    guard !markets.isEmpty else {
      let found = currencies.isEmpty ? "an unknown currency" : list(currencies)
      throw refusal(
        "no purchase of \(product) is in \(line["currency"] ?? ""); its purchases are in "
          + found)
    }
    if let storefront = line["storefront"] {
      let storefronts = Set(markets.compactMap(\.storefront)).sorted()
      markets.removeAll { $0.storefront != storefront }
      guard !markets.isEmpty else {
        throw refusal(
          "no purchase of \(product) in \(line["currency"] ?? "") is in \(storefront)"
            + (storefronts.isEmpty ? "" : "; its purchases are in \(list(storefronts))"))
      }
    }
    if let from = line["from"], let last = markets.map(\.lastDay).max(), last < from {
      throw refusal("the last purchase that it could be about was on \(last), before \(from)")
    }
    if line.list == .offers, let offer = line["identifier"], !sales.offerIDs.contains(offer) {
      throw refusal(
        "nobody redeemed the offer \(OneLine.text(offer)) of \(product)"
          + (sales.offerIDs.isEmpty ? "" : "; its offers are \(list(sales.offerIDs))"))
    }
  }

  private static func list(_ texts: [String]) -> String {
    let shown = texts.prefix(5).map { OneLine.text($0) }.joined(separator: ", ")
    return texts.count > 5 ? "\(shown) and \(texts.count - 5) more" : shown
  }

  private static func refusal(_ reason: String) -> RunFailure {
    RunFailure(.dataRefused, "this line could not help: \(reason). Nothing was written.")
  }
}
