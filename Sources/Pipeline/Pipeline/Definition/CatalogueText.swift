package import Amounts
package import CivilTime
package import PurchaseModel

/// A checked catalogue, in which texts identify products, apps, groups and offers.
///
/// It is read from one file, or from several files in layers (``layered(_:)``). Prices that
/// `paidline-fetch prices` wrote have the days on which App Store Connect listed them.
/// ``catalogue(in:)`` converts the texts to the symbols of a run.
package struct CatalogueText {
  /// The file and line of an entry, for messages.
  ///
  /// The line is not part of the catalogue's digest, so moving an entry does not change the digest.
  package struct Place: Hashable, Sendable {
    /// The path of the catalogue file.
    package var file: String
    package var line: Int

    package var text: String { "\(file):\(line)" }
  }

  /// The days on which App Store Connect listed a price or an offer.
  package struct ListedDays: Hashable, Sendable {
    /// The first day on which the price or offer was listed.
    package var first: CivilDay
    /// The last day on which the price or offer was listed; `nil` if it is still listed.
    package var last: CivilDay?
  }

  /// The payments for a yearly subscription: one in advance, or one per month.
  package enum BillingPlan: String, CaseIterable, Sendable {
    /// One payment for the whole year.
    case upfront
    case monthly
  }

  package struct Price: Sendable {
    /// The storefront with this price.
    ///
    /// If `nil`, the price applies to each storefront that has the currency, but no separate price.
    package var storefront: Storefront?
    package var currency: Currency
    package var price: Milliunits
    /// The first day of the price.
    ///
    /// `nil` for a fetched price that App Store Connect lists without a first day.
    package var from: CivilDay?
    /// The day after the last day of the price.
    ///
    /// `nil` if the price applies until the next price begins.
    package var to: CivilDay?
    /// Whether subscribers with this price keep it after the next price has come into force.
    package var isPreserved = false
    /// Whether Apple derived the price from the price in the base storefront.
    package var isAutomatic = false
    package var billingPlan: BillingPlan?
    /// The days on which App Store Connect listed the price.
    ///
    /// `nil` for a price that the owner wrote.
    package var seen: ListedDays?
    package var place: Place?

    package init(storefront: Storefront?, currency: Currency, price: Milliunits) {
      self.storefront = storefront
      self.currency = currency
      self.price = price
    }
  }

  /// The way in which an offer is redeemed.
  package enum OfferKind: String, CaseIterable, Sendable {
    /// An introductory offer for new subscribers.
    case introductory
    /// A promotional offer that the app's server signs, or a win-back offer.
    case promo
    /// An offer that is redeemed with a code.
    case offerCode = "offer_code"
  }

  /// An offer of a product, with its price in one currency.
  package struct Offer: Sendable {
    package var kind: OfferKind
    /// The promotional offer's id, or the offer code's id or reference name.
    ///
    /// `nil` for an introductory offer.
    package var identifier: String?
    package var storefront: Storefront?
    package var currency: Currency
    package var price: Milliunits
    package var paymentMode: PaymentMode
    package var numberOfPeriods: Int32?
    package var period: Period?
    /// The name of the campaign; `nil` if there is none.
    package var name: String?
    /// The first day of the offer; `nil` if there is no limit.
    package var from: CivilDay?
    /// The last day of the offer; `nil` if there is no limit.
    package var to: CivilDay?
    /// The days on which App Store Connect listed the offer.
    ///
    /// `nil` for an offer that the owner wrote.
    package var seen: ListedDays?
    package var place: Place?

    package init(
      kind: OfferKind, identifier: String?, storefront: Storefront?, currency: Currency,
      price: Milliunits, paymentMode: PaymentMode, numberOfPeriods: Int32? = nil,
      period: Period? = nil
    ) {
      self.kind = kind
      self.identifier = identifier
      self.storefront = storefront
      self.currency = currency
      self.price = price
      self.paymentMode = paymentMode
      self.numberOfPeriods = numberOfPeriods
      self.period = period
    }
  }

  package struct Product: Sendable {
    package var productID: String
    /// The bundle id of the app that sells the product; `nil` if the file does not state the app.
    package var bundleID: String?
    /// The name in App Store Connect; `nil` if the file does not state the name.
    package var name: String?
    package var kind: ProductKind?
    package var subscriptionGroupID: String?
    /// The name of the subscription group in App Store Connect; `nil` if not stated.
    package var groupName: String?
    /// The level of the product in the group, 1 is the highest; `nil` if not stated.
    package var groupLevel: Int?
    package var subscriptionPeriod: Period?
    /// Apple's number of the product (Apple ID), which the Subscriber report uses; `nil` if not
    /// stated.
    package var appleID: String?
    /// The id under which the same product is sold now; `nil` unless the product was renamed.
    package var sameAs: String?
    package var priceChanges: [Catalogue.PriceChange] = []
    package var prices: [Price] = []
    package var offers: [Offer] = []
    /// The days on which App Store promo codes for the product could be redeemed.
    package var promoCodes: [Catalogue.PromoCodes] = []
    package var place: Place?

    /// Creates a product with only an id.
    package init(productID: String) { self.productID = productID }
  }

  /// The products, in the order of the file.
  package var products: [Product] = []
  /// Apple's commission and taxes; `nil` if the file does not mention them.
  package var proceeds: ProceedsTerms?
  /// The rebased currencies, sorted by currency, then day.
  package var rebased: [RebasedCurrency] = []
  /// The day of the last fetch from App Store Connect; `nil` for a file that the owner wrote.
  package var askedOn: CivilDay?

  /// The owner's corrections of amounts, from a separate file.
  package var corrections = CorrectionsFile()

  package init() {}

  /// The product id for each Apple ID, which is Apple's number of a product.
  var appleIDs: [String: String] {
    var products: [String: String] = [:]
    for product in self.products {
      if let number = product.appleID { products[number] = product.productID }
    }
    return products
  }

  /// The ids of all products in the catalogue.
  var productIDs: Set<String> { Set(products.map(\.productID)) }

  /// All ids and campaign names in the catalogue, sorted, without duplicates.
  var texts: [String] {
    var texts: Set<String> = []
    for product in products {
      texts.insert(product.productID)
      if let bundleID = product.bundleID { texts.insert(bundleID) }
      if let group = product.subscriptionGroupID { texts.insert(group) }
      for offer in product.offers {
        if let identifier = offer.identifier { texts.insert(identifier) }
        if let name = offer.name { texts.insert(name) }
      }
    }
    return texts.sorted()
  }

  /// Returns the file and line of a product's list price; `nil` if the product has no such price.
  package func place(
    ofPrice price: Milliunits, from day: CivilDay, in currency: Currency, of product: String
  ) -> Place? {
    products.first { $0.productID == product }?.prices.first {
      $0.price == price && $0.currency == currency && ($0.from ?? .beginning) == day
    }?.place
  }

  /// Returns the file and line of an offer with this price; `nil` if the product has no such offer.
  ///
  /// `identifiers` are all ids that the catalogue may use for the offer.
  package func place(
    ofOffer identifiers: [String], price: Milliunits, in currency: Currency, of product: String
  ) -> Place? {
    products.first { $0.productID == product }?.offers.first { offer in
      offer.identifier.map(identifiers.contains) ?? false && offer.price == price
        && offer.currency == currency
    }?.place
  }

  /// Converts the ids and names in the catalogue to symbols of a table.
  ///
  /// - Precondition: The table contains all ``texts``.
  func catalogue(in symbols: SymbolTable) -> Catalogue {
    func symbol(_ text: String) -> Symbol {
      guard let symbol = symbols.symbol(text) else {
        preconditionFailure("a catalogue name is missing in the symbol table")
      }
      return symbol
    }
    var named: [String: Int] = [:]
    for product in products { named[product.productID, default: 0] += 1 }
    return Catalogue(
      products: products.map { product in
        let bundle = product.bundleID.map { BundleID(symbol($0)) }
        let isShared = named[product.productID, default: 0] > 1
        let steps = PriceListSteps(product)
        var line = Catalogue.Product(
          productID: ProductID(symbol(product.productID), of: isShared ? bundle : nil),
          bundle: bundle, kind: product.kind,
          subscriptionGroupID: product.subscriptionGroupID.map { SubscriptionGroupID(symbol($0)) },
          subscriptionPeriod: product.subscriptionPeriod,
          priceChanges: steps.changes, prices: steps.prices,
          offers: PricedOffer.all(of: product).compactMap { priced in
            let offer = priced.offer
            guard let kind = Catalogue.OfferKind(rawValue: offer.kind.rawValue),
              let identifier = offer.identifier
            else { return nil }
            return Catalogue.Offer(
              kind: kind, identifier: OfferID(symbol(identifier)), storefront: offer.storefront,
              currency: offer.currency, price: offer.price, paymentMode: offer.paymentMode,
              numberOfPeriods: offer.numberOfPeriods, period: offer.period,
              name: offer.name.map { OfferID(symbol($0)) }, days: priced.days,
              isFetched: offer.seen != nil)
          }
          .sorted {
            ($0.identifier, $0.currency, $0.storefront?.rawValue ?? 0)
              < ($1.identifier, $1.currency, $1.storefront?.rawValue ?? 0)
          },
          introductory: PricedOffer.introductory(of: product))
        line.promoCodes = product.promoCodes
        line.naming = Catalogue.Naming(
          product: product.name, group: product.groupName, groupLevel: product.groupLevel,
          appleID: product.appleID, sameAs: product.sameAs)
        return line
      }, proceeds: proceeds, corrections: corrections.corrections(in: symbols), rebased: rebased)
  }
}

extension CivilDay {
  /// A day before any purchase: January 1 of the year 1.
  ///
  /// It replaces a missing first day of a price or offer.
  static let beginning = CivilDay(year: 1, month: 1, day: 1) ?? CivilDay(daysSinceEpoch: 0)
}
