internal import Amounts
internal import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import Yams

extension CatalogueText {
  /// Reads and checks a catalogue file.
  package static func read(path: String) throws(RunFailure) -> CatalogueText {
    try read(
      path: path, text: TextFile.read(path, what: "the catalogue", limit: 64 << 20))
  }

  /// Reads and checks the text of a catalogue file.
  static func read(path: String, text: String) throws(RunFailure) -> CatalogueText {
    let file = try SettingsFile(path: path, text: text)
    try refuseStoreKitFile(file)
    let top = try SettingsMapping(
      file, known: ["products", "promo_codes", "rebased", "proceeds", "asked_on"])
    var catalogue = CatalogueText()
    catalogue.proceeds = try ProceedsTerms.read(top)
    catalogue.askedOn = try day(top, "asked_on")
    var seen: Set<ProductKey> = []
    for entry in try top.mappings("products", known: productKeys) {
      let product = try product(entry)
      guard seen.insert(ProductKey(product)).inserted else {
        throw entry.failure(
          "product_id", expected: "a product not listed before", found: product.productID)
      }
      catalogue.products.append(product)
    }
    try catalogue.readPromoCodes(top)
    try catalogue.readRebased(top)
    return catalogue
  }

  /// Refuses Xcode's StoreKit configuration file.
  ///
  /// Such a file is valid YAML with a key `products`, like a catalogue.
  private static func refuseStoreKitFile(_ file: SettingsFile) throws(RunFailure) {
    let names = file.root.mapping?.keys.compactMap { $0.scalar?.string } ?? []
    guard names.contains("subscriptionGroups") || names.contains("nonRenewingSubscriptions") else {
      return
    }
    throw RunFailure(
      .badConfiguration,
      "\(OneLine.text(file.path)): this is a StoreKit configuration file of Xcode, not a "
        + "catalogue: write the ids, groups and prices of App Store Connect in the form that "
        + "\"paidline init\" shows. "
        + DocsPage.inputs.reference)
  }

  private static let productKeys = [
    "product_id", "bundle_id", "name", "kind", "subscription_group", "group_name", "group_level",
    "subscription_period", "apple_id", "same_as", "price_changes", "prices", "offers",
  ]

  private static func product(_ entry: SettingsMapping) throws(RunFailure) -> Product {
    var product = Product(
      productID: try entry.requiredValue(
        "product_id", expected: "a product's id", read: cleanText))
    product.place = place(entry)
    product.bundleID = try entry.value(
      "bundle_id", expected: "the app's bundle id", read: FetchSettings.appleID)
    product.name = try entry.value("name", expected: "the product's name", read: cleanText)
    product.kind = try entry.value(
      "kind", expected: PipelineDefinition.choices(ProductKind.self), read: ProductKind.init)
    product.subscriptionGroupID = try entry.value(
      "subscription_group", expected: "a subscription group's id", read: cleanText)
    product.groupName = try entry.value(
      "group_name", expected: "the subscription group's name", read: cleanText)
    product.groupLevel = try entry.value(
      "group_level", expected: "a whole number", read: PipelineDefinition.wholeNumber)
    product.subscriptionPeriod = try entry.value(
      "subscription_period", expected: aPeriod, read: Period.init(text:))
    product.appleID = try entry.value(
      "apple_id", expected: "Apple's number of the product, such as 1234567890",
      read: { text in text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil })
    product.sameAs = try entry.value(
      "same_as", expected: "the id under which the same product is sold now, another than its own",
      read: { text in text == product.productID ? nil : cleanText(text) })
    for change in try entry.mappings(
      "price_changes", known: ["currency", "from", "existing_subscribers", "storefront"])
    {
      product.priceChanges.append(
        Catalogue.PriceChange(
          currency: try currency(change), from: try requiredDay(change),
          existingSubscribers: try change.requiredValue(
            "existing_subscribers", expected: "preserved or moved",
            read: ExistingSubscribers.init),
          storefront: try storefront(change)))
    }
    try refuseTwice(
      product.priceChanges, in: entry, key: "price_changes",
      by: { EntryIdentity(currency: $0.currency, from: $0.from, storefront: $0.storefront) })
    for price in try entry.mappings("prices", known: priceKeys) {
      product.prices.append(try Self.price(price))
    }
    try refuseTwice(
      product.prices, in: entry, key: "prices",
      by: {
        EntryIdentity(
          currency: $0.currency, from: $0.from ?? .beginning, storefront: $0.storefront,
          plan: $0.billingPlan, isAutomatic: $0.isAutomatic, seen: $0.seen,
          isPreserved: $0.isPreserved)
      })
    for offer in try entry.mappings("offers", known: offerKeys) {
      product.offers.append(try Self.offer(offer))
    }
    return product
  }

  private static let priceKeys = [
    "storefront", "currency", "price", "from", "to", "preserved", "automatic", "billing_plan",
    "first_seen", "last_seen",
  ]

  private static func price(_ entry: SettingsMapping) throws(RunFailure) -> Price {
    var price = Price(
      storefront: try storefront(entry), currency: try currency(entry), price: try amount(entry))
    price.place = place(entry)
    price.seen = try listedDays(entry)
    // The first price of a fetched list has no day. A price that the owner wrote always has a day.
    price.from = price.seen == nil ? try requiredDay(entry) : try day(entry, "from")
    price.to = try day(entry, "to")
    price.isPreserved = try flag(entry, "preserved")
    price.isAutomatic = try flag(entry, "automatic")
    price.billingPlan = try entry.value(
      "billing_plan", expected: PipelineDefinition.choices(BillingPlan.self),
      read: BillingPlan.init)
    return price
  }

  private static let offerKeys = [
    "kind", "identifier", "name", "storefront", "currency", "price", "payment_mode",
    "number_of_periods", "subscription_period", "from", "to", "first_seen", "last_seen",
  ]

  private static func offer(_ entry: SettingsMapping) throws(RunFailure) -> Offer {
    let kind = try entry.requiredValue(
      "kind", expected: PipelineDefinition.choices(OfferKind.self), read: OfferKind.init)
    let identifier = try entry.value(
      "identifier", expected: "an offer's id or reference name", read: cleanText)
    guard kind == .introductory || identifier != nil else {
      throw entry.failure("identifier", expected: "an offer's id or reference name")
    }
    var offer = Offer(
      kind: kind, identifier: identifier, storefront: try storefront(entry),
      currency: try currency(entry), price: try amount(entry),
      paymentMode: try entry.requiredValue(
        "payment_mode", expected: "pay_as_you_go, pay_up_front or free_trial",
        read: { text in PaymentMode.allCases.first { $0.name == text } }))
    guard kind != .introductory || offer.storefront != nil else {
      throw entry.failure("storefront", expected: "the storefront of the introductory price")
    }
    offer.numberOfPeriods = try entry.value(
      "number_of_periods", expected: "a whole number from 1",
      read: { text in
        PipelineDefinition.wholeNumber(text).flatMap { (1...12_000).contains($0) ? $0 : nil }
      }
    ).map(Int32.init)
    offer.period = try entry.value(
      "subscription_period", expected: aPeriod, read: Period.init(text:))
    offer.name = try entry.value("name", expected: "the name of the campaign", read: cleanText)
    offer.from = try day(entry, "from")
    offer.to = try day(entry, "to")
    offer.seen = try listedDays(entry)
    offer.place = place(entry)
    return offer
  }

  private static let aPeriod = "an ISO 8601 period such as P1M"

  static func place(_ entry: SettingsMapping) -> Place {
    Place(file: entry.file, line: entry.line)
  }

  static func currency(_ entry: SettingsMapping) throws(RunFailure) -> Currency {
    try entry.requiredValue(
      "currency", expected: "a currency of three letters", read: Currency.init)
  }

  private static let aDay = "a day such as 2021-05-01"

  static func requiredDay(_ entry: SettingsMapping) throws(RunFailure) -> CivilDay {
    try entry.requiredValue("from", expected: aDay, read: CivilDay.init(text:))
  }

  static func day(_ entry: SettingsMapping, _ key: String) throws(RunFailure) -> CivilDay? {
    try entry.value(key, expected: aDay, read: CivilDay.init(text:))
  }

  /// Reads the days on which App Store Connect listed a price or offer (`first_seen`, `last_seen`).
  ///
  /// Returns `nil` for an entry that the owner wrote.
  private static func listedDays(_ entry: SettingsMapping) throws(RunFailure) -> ListedDays? {
    let last = try day(entry, "last_seen")
    guard let first = try day(entry, "first_seen") else {
      guard last == nil else {
        throw entry.failure("first_seen", expected: "the first day, because last_seen is given")
      }
      return nil
    }
    guard last.map({ first <= $0 }) ?? true else {
      throw entry.failure(
        "last_seen", expected: "the day of the key first_seen, or a later day", found: last?.text)
    }
    return ListedDays(first: first, last: last)
  }

  private static func flag(_ entry: SettingsMapping, _ key: String) throws(RunFailure) -> Bool {
    try entry.value(key, expected: "true or false") { Bool($0) } ?? false
  }

  /// Reads a price from its digits in the file, quoted or not.
  private static func amount(_ entry: SettingsMapping) throws(RunFailure) -> Milliunits {
    try entry.requiredValue(
      "price", expected: "a price such as \"12.99\", with at most three decimals",
      read: { try? Milliunits(decimal: $0) })
  }

  /// Returns the text if it has no control characters; else `nil`.
  ///
  /// Apple's names never have control characters, and the warehouse refuses them.
  static func cleanText(_ text: String) -> String? {
    text.utf8.allSatisfy { $0 >= 0x20 } ? text : nil
  }

  /// Reads the storefront of an entry.
  ///
  /// Returns `nil` for an entry without a storefront, which applies to all storefronts with its
  /// currency.
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
        key, expected: "the only entry for its currency, storefront and day",
        found: entry.text)
    }
  }
}

/// A product in a file: its id, and its app if the file states it.
struct ProductKey: Hashable, Comparable {
  var bundleID: String?
  var productID: String

  init(_ product: CatalogueText.Product) {
    bundleID = product.bundleID
    productID = product.productID
  }

  static func < (left: ProductKey, right: ProductKey) -> Bool {
    (left.bundleID ?? "", left.productID) < (right.bundleID ?? "", right.productID)
  }
}

/// The properties that identify a price or price change of a product.
private struct EntryIdentity: Hashable {
  var currency: Currency
  var from: CivilDay
  var storefront: Storefront?
  /// The payments for a yearly subscription: one in advance, or one per month.
  ///
  /// Two fetched prices with the same first day may differ in the plan or in a property below.
  var plan: CatalogueText.BillingPlan?
  var isAutomatic = false
  var seen: CatalogueText.ListedDays?
  var isPreserved = false

  var text: String {
    [currency.code, storefront?.code, from.text].compactMap(\.self).joined(separator: " ")
  }
}
