internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Yams

extension CatalogueText {
  /// Reads and checks a catalogue file.
  static func read(path: String) throws(RunFailure) -> CatalogueText {
    try read(
      path: path, text: TextFile.read(path, what: "the catalogue", limit: 64 << 20))
  }

  /// Checks the text of a catalogue file.
  static func read(path: String, text: String) throws(RunFailure) -> CatalogueText {
    let file = try SettingsFile(path: path, text: text)
    try refuseStoreKitFile(file)
    let top = try SettingsMapping(file, known: ["products", "proceeds"])
    var catalogue = CatalogueText()
    catalogue.proceeds = try ProceedsTerms.read(top)
    var seen: Set<String> = []
    for entry in try top.mappings("products", known: productKeys) {
      let product = try product(entry)
      guard seen.insert(product.productID).inserted else {
        throw entry.failure(
          "product_id", expected: "a product not listed before", found: product.productID)
      }
      catalogue.products.append(product)
    }
    return catalogue
  }

  /// Xcode's file of products for tests is YAML too, and has `products`.
  private static func refuseStoreKitFile(_ file: SettingsFile) throws(RunFailure) {
    let names = file.root.mapping?.keys.compactMap { $0.scalar?.string } ?? []
    guard names.contains("subscriptionGroups") || names.contains("nonRenewingSubscriptions") else {
      return
    }
    throw RunFailure(
      .badConfiguration,
      "\(OneLine.text(file.path)): this is a StoreKit configuration file of Xcode, and no catalogue: "
        + "write the ids, groups and prices that App Store Connect has as \"paidline init\" shows. "
        + DocsPage.inputs.reference)
  }

  private static let productKeys = [
    "product_id", "kind", "subscription_group", "subscription_period", "apple_id", "price_changes",
    "prices", "offers",
  ]

  private static func product(_ entry: SettingsMapping) throws(RunFailure) -> Product {
    var product = Product(
      productID: try entry.requiredValue(
        "product_id", expected: "a product's id", read: cleanText))
    product.kind = try entry.value(
      "kind", expected: PipelineDefinition.choices(ProductKind.self), read: ProductKind.init)
    product.subscriptionGroupID = try entry.value(
      "subscription_group", expected: "a subscription group's id", read: cleanText)
    product.subscriptionPeriod = try entry.value(
      "subscription_period", expected: aPeriod, read: Period.init(text:))
    product.appleID = try entry.value(
      "apple_id", expected: "Apple's number of the product, such as 1234567890",
      read: { text in text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil })
    for change in try entry.mappings(
      "price_changes", known: ["currency", "from", "existing_subscribers", "storefront"])
    {
      product.priceChanges.append(
        Catalogue.PriceChange(
          currency: try currency(change), from: try day(change),
          existingSubscribers: try change.requiredValue(
            "existing_subscribers", expected: "preserved or moved",
            read: ExistingSubscribers.init),
          storefront: try storefront(change)))
    }
    try refuseTwice(
      product.priceChanges, in: entry, key: "price_changes",
      by: { EntryIdentity(currency: $0.currency, from: $0.from, storefront: $0.storefront) })
    for price in try entry.mappings("prices", known: ["currency", "price", "from", "storefront"]) {
      product.prices.append(
        Catalogue.ListPrice(
          currency: try currency(price), price: try amount(price), from: try day(price),
          storefront: try storefront(price)))
      product.lines.prices.append(price.line)
    }
    try refuseTwice(
      product.prices, in: entry, key: "prices",
      by: { EntryIdentity(currency: $0.currency, from: $0.from, storefront: $0.storefront) })
    for offer in try entry.mappings("offers", known: offerKeys) {
      product.offers.append(try Self.offer(offer))
      product.lines.offers.append(offer.line)
    }
    return product
  }

  private static let offerKeys = [
    "kind", "identifier", "name", "currency", "price", "payment_mode", "number_of_periods",
    "subscription_period",
  ]

  private static func offer(_ entry: SettingsMapping) throws(RunFailure) -> Offer {
    Offer(
      kind: try entry.requiredValue(
        "kind", expected: PipelineDefinition.choices(Catalogue.OfferKind.self),
        read: Catalogue.OfferKind.init),
      identifier: try entry.requiredValue(
        "identifier", expected: "an offer's id or reference name", read: cleanText),
      currency: try currency(entry), price: try amount(entry),
      paymentMode: try entry.requiredValue(
        "payment_mode", expected: "pay_as_you_go, pay_up_front or free_trial",
        read: { text in PaymentMode.allCases.first { $0.name == text } }),
      numberOfPeriods: try entry.value(
        "number_of_periods", expected: "a whole number from 1",
        read: { text in
          PipelineDefinition.wholeNumber(text).flatMap { (1...12_000).contains($0) ? $0 : nil }
        }
      ).map(Int32.init),
      period: try entry.value("subscription_period", expected: aPeriod, read: Period.init(text:)),
      name: try entry.value("name", expected: "what the campaign is called", read: cleanText))
  }

  private static let aPeriod = "an ISO 8601 period such as P1M"

  private static func currency(_ entry: SettingsMapping) throws(RunFailure) -> Currency {
    try entry.requiredValue(
      "currency", expected: "a currency of three letters", read: Currency.init)
  }

  private static func day(_ entry: SettingsMapping) throws(RunFailure) -> CivilDay {
    try entry.requiredValue(
      "from", expected: "a day such as 2021-05-01", read: CivilDay.init(text:))
  }

  /// A price by its digits in the file, quoted or not.
  private static func amount(_ entry: SettingsMapping) throws(RunFailure) -> Milliunits {
    try entry.requiredValue(
      "price", expected: "a price such as \"12.99\", with at most three decimals",
      read: { try? Milliunits(decimal: $0) })
  }

  /// Text without control characters, which no name at Apple has and the warehouse refuses.
  private static func cleanText(_ text: String) -> String? {
    text.utf8.allSatisfy { $0 >= 0x20 } ? text : nil
  }

  /// The only storefront that an entry is for; `nil` for all of the currency.
  private static func storefront(_ entry: SettingsMapping) throws(RunFailure) -> Storefront? {
    try entry.value(
      "storefront", expected: "a storefront by its country's code, such as FRA",
      read: Storefront.init)
  }

  private static func refuseTwice<Entry>(
    _ entries: [Entry], in product: SettingsMapping, key: String,
    by identity: (Entry) -> EntryIdentity
  ) throws(RunFailure) {
    var seen: Set<EntryIdentity> = []
    for entry in entries.map(identity) where !seen.insert(entry).inserted {
      throw product.failure(
        key, expected: "free of a second entry for one currency, storefront and day",
        found: entry.text)
    }
  }
}

/// The key for which a product may have one price or price change.
private struct EntryIdentity: Hashable {
  var currency: Currency
  var from: CivilDay
  var storefront: Storefront?

  var text: String {
    [currency.code, storefront?.code, from.text].compactMap(\.self).joined(separator: " ")
  }
}
