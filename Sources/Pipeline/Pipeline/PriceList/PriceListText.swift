internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Writes a fetched price list as a catalogue file with one line per price.
///
/// ```yaml
///   # Pro, a month
///   - product_id: "pro.monthly"
///     prices:
///       - {storefront: USA, currency: USD, price: "9.99", first_seen: 2026-11-23}
/// ```
package enum PriceListText {
  private static let head = """
    # The price list of App Store Connect, as "paidline-fetch prices" wrote it; the next fetch \
    replaces it.
    # Write lines of your own into a file that the pipeline lists after this one:
    #   catalog: [fetched.yaml, catalog.yaml]

    """

  package static func text(_ list: CatalogueText) -> String {
    var text = head
    if let day = list.askedOn { text += "asked_on: \(day.text)\n" }
    text += list.products.isEmpty ? "products: []\n" : "products:\n"
    for product in list.products.sorted(by: { ProductKey($0) < ProductKey($1) }) {
      text += self.text(product)
    }
    return text
  }

  private static func text(_ product: CatalogueText.Product) -> String {
    var text = product.name.map { "  # \(OneLine.text($0))\n" } ?? ""
    text += "  - product_id: \(quoted(product.productID))\n"
    let facts: [(String, String?)] = [
      ("bundle_id", product.bundleID), ("name", product.name.map(quoted)),
      ("apple_id", product.appleID.map(quoted)), ("kind", product.kind?.rawValue),
      ("subscription_group", product.subscriptionGroupID.map(quoted)),
      ("group_name", product.groupName.map(quoted)),
      ("group_level", product.groupLevel.map { "\($0)" }),
      ("subscription_period", product.subscriptionPeriod?.text),
    ]
    for case (let key, let value?) in facts { text += "    \(key): \(value)\n" }
    text += section("prices", product.prices.sorted { $0.order < $1.order }.map(members))
    text += section("offers", product.offers.sorted { $0.order < $1.order }.map(members))
    return text
  }

  private static func section(_ key: String, _ lines: [[(String, String?)]]) -> String {
    guard !lines.isEmpty else { return "" }
    return lines.reduce(into: "    \(key):\n") { text, members in
      let fields = members.compactMap { key, value in value.map { "\(key): \($0)" } }
      text += "      - {\(fields.joined(separator: ", "))}\n"
    }
  }

  private static func members(_ price: CatalogueText.Price) -> [(String, String?)] {
    [
      ("storefront", price.storefront?.code),
      ("currency", price.currency.code),
      ("price", "\"\(price.price.text(decimals: price.currency.decimals))\""),
      ("from", price.from?.text), ("to", price.to?.text),
      ("preserved", price.isPreserved ? "true" : nil),
      ("automatic", price.isAutomatic ? "true" : nil),
      ("billing_plan", price.billingPlan?.rawValue),
      ("first_seen", price.seen?.first.text), ("last_seen", price.seen?.last?.text),
    ]
  }

  private static func members(_ offer: CatalogueText.Offer) -> [(String, String?)] {
    [
      ("kind", offer.kind.rawValue), ("identifier", offer.identifier.map(quoted)),
      ("name", offer.name.map(quoted)),
      ("storefront", offer.storefront?.code),
      ("currency", offer.currency.code),
      ("price", "\"\(offer.price.text(decimals: offer.currency.decimals))\""),
      ("payment_mode", offer.paymentMode.name),
      ("number_of_periods", offer.numberOfPeriods.map { "\($0)" }),
      ("subscription_period", offer.period?.text), ("from", offer.from?.text),
      ("to", offer.to?.text), ("first_seen", offer.seen?.first.text),
      ("last_seen", offer.seen?.last?.text),
    ]
  }

  /// Writes a text in double quotes, with YAML's escapes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _
      where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || [0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF].contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// The sort key of a price or an offer in the file.
///
/// It does not depend on the order in Apple's responses. Prices are sorted by storefront, plan,
/// then time.
private struct LineOrder: Comparable {
  var words: [String]
  var price: Int64

  static func < (left: LineOrder, right: LineOrder) -> Bool {
    if left.words == right.words { return left.price < right.price }
    return left.words.lexicographicallyPrecedes(right.words)
  }
}

extension CatalogueText.Price {
  fileprivate var order: LineOrder {
    LineOrder(
      words: [
        storefront?.code ?? "", billingPlan?.rawValue ?? "", isAutomatic ? "" : "manual",
        from?.text ?? "", seen?.first.text ?? "", seen?.last?.text ?? "~", isPreserved ? "" : "~",
        currency.code,
      ], price: price.rawValue)
  }
}

extension CatalogueText.Offer {
  fileprivate var order: LineOrder {
    LineOrder(
      words: [
        kind.rawValue, identifier ?? "", storefront?.code ?? "", paymentMode.name,
        period?.text ?? "", from?.text ?? "", seen?.first.text ?? "", seen?.last?.text ?? "~",
        currency.code,
      ], price: price.rawValue)
  }
}
