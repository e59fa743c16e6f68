package import Diagnostics
package import Warehouse

/// Whether a line of the catalogue can decide any published purchase.
package enum CatalogueLineUse {
  /// Throws if a line to be added cannot help.
  package static func check(_ line: CatalogueLine, _ sold: SoldProducts) throws(RunFailure) {
    guard let reason = reason(against: line, sold) else { return }
    throw RunFailure(
      .dataRefused,
      "this line could not help: \(reason)\(reason.hasSuffix("?") ? "" : ".") Nothing was written.")
  }

  /// Returns the reason why a line cannot help: it is about no product, market, day or offer of a
  /// purchase; `nil` if it can help.
  ///
  /// A purchase of unknown storefront may be in any. A purchase of unknown currency may be bounded
  /// by any price, but needs no price change.
  static func reason(against line: CatalogueLine, _ sold: SoldProducts) -> String? {
    let product = OneLine.text(line.productID)
    let sales = sold[line.productID]
    guard !sales.markets.isEmpty else {
      let near = NearestWord.suggestion(for: line.productID, among: sold.productIDs)
      return "no purchase is of the product \(product)"
        + (near.map { "; did you mean \(OneLine.text($0))?" } ?? "")
    }
    if let app = line.bundleID {
      guard sales.apps.isEmpty || sales.apps.contains(app) else {
        return "\(OneLine.text(app)) sold no \(product); its purchases are of \(list(sales.apps))"
      }
    } else if sales.apps.count > 1 {
      return "several apps sell \(product), so a line without its app is void; add --bundle-id "
        + "with one of \(list(sales.apps))"
    }
    var markets = sales.markets.filter { line.bundleID == nil || $0.bundleID == line.bundleID }
    let currencies = Set(markets.compactMap(\.currency)).sorted()
    markets.removeAll { market in
      market.currency.map { $0 != line["currency"] } ?? (line.list == .priceChanges)
    }
    guard !markets.isEmpty else {
      let found = currencies.isEmpty ? "an unknown currency" : list(currencies)
      return "no purchase of \(product) is in \(line["currency"] ?? ""); its purchases are in "
        + found
    }
    if let storefront = line["storefront"] {
      let storefronts = Set(markets.compactMap(\.storefront)).sorted()
      markets.removeAll { $0.storefront.map { $0 != storefront } ?? false }
      guard !markets.isEmpty else {
        return "no purchase of \(product) in \(line["currency"] ?? "") is in \(storefront); "
          + "its purchases are in \(list(storefronts))"
      }
    }
    if let from = line["from"], let last = markets.map(\.lastDay).max(), last < from {
      return "the last purchase that it could be about was on \(last), before \(from)"
    }
    if line.list == .offers, let offer = line["identifier"], !sales.offerIDs.contains(offer) {
      return "nobody redeemed the offer \(OneLine.text(offer)) of \(product)"
        + (sales.offerIDs.isEmpty ? "" : "; its offers are \(list(sales.offerIDs))")
    }
    return nil
  }

  private static func list(_ texts: [String]) -> String {
    let shown = texts.prefix(5).map { OneLine.text($0) }.joined(separator: ", ")
    return texts.count > 5 ? "\(shown) and \(texts.count - 5) more" : shown
  }
}
