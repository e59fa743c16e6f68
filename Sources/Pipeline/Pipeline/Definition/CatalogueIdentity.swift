internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension CatalogueText {
  /// The content of the catalogue as text for a digest, with one line per entry.
  ///
  /// If the digest changes, the facts are computed again. So a new format of the text requires a
  /// new version of the rules. The text has no line numbers, because moving an entry in its file
  /// must not change the digest.
  var identity: String {
    var lines: [[String?]] = []
    for product in products {
      lines.append([
        "product", product.productID, product.kind?.rawValue, product.subscriptionGroupID,
        product.subscriptionPeriod?.text,
      ])
      if let number = product.appleID { lines.append(["apple id", number]) }
      if let other = product.sameAs { lines.append(["same as", other]) }
      if let app = product.bundleID { lines.append(["app", app]) }
      if product.name != nil || product.groupName != nil || product.groupLevel != nil {
        lines.append(["names", product.name, product.groupName, product.groupLevel.map { "\($0)" }])
      }
      for change in product.priceChanges {
        lines.append([
          "price change", change.currency.code, change.from.text,
          change.existingSubscribers.rawValue, change.storefront?.code,
        ])
      }
      for price in product.prices { lines.append(price.identity) }
      for offer in product.offers {
        lines.append(offer.identity)
        if let name = offer.name { lines.append(["offer name", offer.identifier, name]) }
      }
      for codes in product.promoCodes {
        lines.append(["promo codes", codes.from.text, codes.to?.text])
      }
    }
    for line in rebased {
      lines.append(["rebased", line.currency.code, line.from.text, line.factor.text])
    }
    return (lines + (proceeds?.identity ?? [])).map(Self.line).joined(separator: "\n")
  }

  /// Joins the parts of a line; the length of each part is written before it.
  ///
  /// So different lists of parts never give equal lines. Example: `["app", "com.a"]` →
  /// `3:app 5:com.a`.
  private static func line(_ parts: [String?]) -> String {
    parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined(separator: " ")
  }
}

extension CatalogueText.Price {
  fileprivate var identity: [String?] {
    let plain: [String?] = [
      "price", currency.code, price.identity, from?.text, storefront?.code,
    ]
    guard let seen else { return plain }
    return plain + [
      to?.text, isPreserved ? "preserved" : nil, isAutomatic ? "automatic" : nil,
      billingPlan?.rawValue, seen.first.text, seen.last?.text,
    ]
  }
}

extension CatalogueText.Offer {
  fileprivate var identity: [String?] {
    let plain: [String?] = [
      "offer", kind.rawValue, identifier, currency.code, price.identity, paymentMode.name,
      numberOfPeriods.map { "\($0)" }, period?.text,
    ]
    guard storefront != nil || from != nil || to != nil || seen != nil else { return plain }
    return plain + [
      storefront?.code, from?.text, to?.text, seen?.first.text, seen?.last?.text,
    ]
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
