internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension CatalogueText {
  /// The content of the catalogue as text, a line an entry, in the file's order.
  ///
  /// Facts were decided by it, so its digest stands in the ledger. The form of a line is changed
  /// only together with the version of the rules. The line numbers of the entries do not count.
  var identity: String {
    var lines: [[String?]] = []
    for product in products {
      lines.append([
        "product", product.productID, product.kind?.rawValue, product.subscriptionGroupID,
        product.subscriptionPeriod?.text,
      ])
      if let number = product.appleID { lines.append(["apple id", number]) }
      for change in product.priceChanges {
        lines.append([
          "price change", change.currency.code, change.from.text,
          change.existingSubscribers.rawValue, change.storefront?.code,
        ])
      }
      for price in product.prices {
        lines.append([
          "price", price.currency.code, price.price.identity, price.from.text,
          price.storefront?.code,
        ])
      }
      for offer in product.offers {
        lines.append([
          "offer", offer.kind.rawValue, offer.identifier, offer.currency.code,
          offer.price.identity, offer.paymentMode.name, offer.numberOfPeriods.map { "\($0)" },
          offer.period?.text,
        ])
        if let name = offer.name { lines.append(["offer name", offer.identifier, name]) }
      }
    }
    return (lines + (proceeds?.identity ?? [])).map(Self.line).joined(separator: "\n")
  }

  /// The parts of a line with their lengths, so that no part can be confused with another.
  private static func line(_ parts: [String?]) -> String {
    parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined(separator: " ")
  }
}

extension ProceedsTerms {
  fileprivate var identity: [[String?]] {
    let commissions = commissions.map { entry in
      [
        "commission", entry.storefront?.code, entry.from.text, entry.standard.identity,
        entry.reduced.identity,
      ]
    }
    let memberships = smallBusiness.map { entry in
      ["small business", entry.from.text, entry.through?.text]
    }
    let taxes = taxes.map { entry in
      [
        "tax", entry.storefront?.code, entry.from.text, entry.rate.identity,
        entry.isIncluded ? "included" : "added",
      ]
    }
    return [["proceeds"]] + commissions + memberships + taxes
  }
}

extension Milliunits {
  fileprivate var identity: String { "\(rawValue)" }
}

extension BasisPoints {
  fileprivate var identity: String { "\(rawValue)" }
}
