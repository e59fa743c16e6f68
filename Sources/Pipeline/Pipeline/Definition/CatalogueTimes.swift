internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension CatalogueText {
  /// Reads `promo_codes`: the days on which App Store promo codes for a product could be redeemed.
  ///
  /// If the file does not list a product elsewhere, the product is added with only its id.
  mutating func readPromoCodes(_ top: SettingsMapping) throws(RunFailure) {
    for entry in try top.mappings("promo_codes", known: ["product_id", "bundle_id", "from", "to"]) {
      let id = try entry.requiredValue(
        "product_id", expected: "a product's id", read: Self.cleanText)
      let app = try entry.value(
        "bundle_id", expected: "the app's bundle id", read: FetchSettings.appleID)
      let from = try Self.requiredDay(entry)
      let to = try Self.day(entry, "to")
      guard to.map({ from <= $0 }) ?? true else {
        throw entry.failure(
          "to", expected: "the day of the key from, or a later day", found: to?.text)
      }
      let same = products.indices.filter {
        products[$0].productID == id && (app == nil || products[$0].bundleID == app)
      }
      guard same.count < 2 else {
        throw entry.failure("bundle_id", expected: "the app, because two apps sell this product")
      }
      let codes = Catalogue.PromoCodes(from: from, to: to)
      if let index = same.first {
        products[index].promoCodes.append(codes)
      } else {
        var product = Product(productID: id)
        (product.bundleID, product.place) = (app, Self.place(entry))
        product.promoCodes = [codes]
        products.append(product)
      }
    }
  }

  /// Reads `rebased`: the days on which a currency got a new unit but kept its code.
  mutating func readRebased(_ top: SettingsMapping) throws(RunFailure) {
    for entry in try top.mappings("rebased", known: ["currency", "from", "factor"]) {
      let line = RebasedCurrency(
        currency: try Self.currency(entry), from: try Self.requiredDay(entry),
        factor: try entry.requiredValue(
          "factor",
          expected: "the number of old units in one new unit: 10, 100, 1000 or 0.1, 0.01, 0.001",
          read: RebasingFactor.init(text:)))
      guard !rebased.contains(where: { $0.currency == line.currency && $0.from == line.from })
      else { throw entry.failure("from", expected: "the only line for its currency and day") }
      rebased.append(line)
    }
    rebased.sort { ($0.currency, $0.from) < ($1.currency, $1.from) }
  }

  /// Adds the rebased currencies of a catalogue file that has priority over the files read before.
  ///
  /// An entry replaces the existing entry of the same currency and day.
  mutating func putRebased(_ later: [RebasedCurrency]) {
    rebased.removeAll { line in
      later.contains { $0.currency == line.currency && $0.from == line.from }
    }
    rebased = (rebased + later).sorted { ($0.currency, $0.from) < ($1.currency, $1.from) }
  }
}
