public import Amounts
public import CivilTime

/// The kind of a product.
public enum ProductKind: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// Renews by itself until turned off.
  case autoRenewableSubscription = "auto_renewable_subscription"
  /// Lasts for a while and does not renew.
  case nonRenewingSubscription = "non_renewing_subscription"
  /// Can be bought again and again.
  case consumable
  /// Is bought once and kept.
  case nonConsumable = "non_consumable"
  /// Neither the receipts nor the catalogue show it.
  case unknown
}

/// The effect of a price change on existing subscribers.
public enum ExistingSubscribers: String, Hashable, Sendable, CaseIterable {
  /// They keep the price they have.
  case preserved
  /// They pay the new price from their next renewal.
  case moved
}

/// The owner's knowledge from App Store Connect that receipts lack: the optional `catalog.yaml`.
public struct Catalogue: Hashable, Sendable {
  /// A change of a regular price, effective at midnight UTC.
  public struct PriceChange: Hashable, Sendable {
    /// The currency whose price changed.
    public var currency: Currency
    /// The first day of the new price.
    public var from: CivilDay
    /// The effect on existing subscribers.
    public var existingSubscribers: ExistingSubscribers
    /// The only storefront whose price changed; `nil` for all of the currency.
    public var storefront: Storefront?
    /// Creates a change from its fields.
    public init(
      currency: Currency, from: CivilDay, existingSubscribers: ExistingSubscribers,
      storefront: Storefront? = nil
    ) {
      self.currency = currency
      self.from = from
      self.existingSubscribers = existingSubscribers
      self.storefront = storefront
    }
  }

  /// A list price, effective at midnight UTC.
  public struct ListPrice: Hashable, Sendable {
    /// The currency.
    public var currency: Currency
    /// The price of one unit.
    public var price: Milliunits
    /// The first day it was in force.
    public var from: CivilDay
    /// The only storefront with this price; `nil` for all of the currency without one of their own.
    public var storefront: Storefront?
    /// Whether App Store Connect gave it: then it is the price, and nothing is inferred.
    public var isFetched: Bool
    /// Creates a price from its fields.
    public init(
      currency: Currency, price: Milliunits, from: CivilDay, storefront: Storefront? = nil,
      isFetched: Bool = false
    ) {
      self.currency = currency
      self.price = price
      self.from = from
      self.storefront = storefront
      self.isFetched = isFetched
    }
  }

  /// Whether a catalogue offer is redeemed with a code or signed by the app's server.
  public enum OfferKind: String, Hashable, Sendable, CaseIterable {
    /// Redeemed with a code.
    case offerCode = "offer_code"
    /// A promotional or win-back offer.
    case promo
  }

  /// The price of an offer in one currency, and perhaps in only one storefront.
  public struct Offer: Hashable, Sendable {
    /// The way in which it is redeemed.
    public var kind: OfferKind
    /// The promotional offer's id, or the offer code's id or reference name.
    public var identifier: OfferID
    /// The only storefront with this price; `nil` for all of the currency without one of their own.
    public var storefront: Storefront?
    /// The currency.
    public var currency: Currency
    /// The price: of each period when paid as you go, of the whole offer when paid up front.
    public var price: Milliunits
    /// The payment mode.
    public var paymentMode: PaymentMode
    /// For how many periods it lasts.
    public var numberOfPeriods: Int32?
    /// The length of one of them.
    public var period: Period?
    /// The name of the campaign in the catalogue; `nil` if there is none; names are texts like
    /// identifiers.
    public var name: OfferID?
    /// The days on which this was its price.
    public var days: OfferDays
    /// Creates an offer from its fields.
    public init(
      kind: OfferKind, identifier: OfferID, storefront: Storefront? = nil, currency: Currency,
      price: Milliunits, paymentMode: PaymentMode, numberOfPeriods: Int32?, period: Period?,
      name: OfferID? = nil, days: OfferDays = OfferDays()
    ) {
      self.days = days
      self.kind = kind
      self.identifier = identifier
      self.storefront = storefront
      self.name = name
      self.currency = currency
      self.price = price
      self.paymentMode = paymentMode
      self.numberOfPeriods = numberOfPeriods
      self.period = period
    }
  }

  /// The days on which an offer had a price; by default always.
  public struct OfferDays: Hashable, Sendable {
    /// The first day; `nil` for ever before.
    public var from: CivilDay?
    /// The first day of the next price; `nil` for ever after.
    public var to: CivilDay?
    /// Creates the days between two ends.
    public init(from: CivilDay? = nil, to: CivilDay? = nil) {
      self.from = from
      self.to = to
    }

    /// Whether a day is one of them.
    public func contains(_ day: CivilDay) -> Bool {
      from.map { $0 <= day } ?? true && to.map { day < $0 } ?? true
    }
  }

  /// The introductory price of a product in a storefront, as App Store Connect lists it.
  public struct Introductory: Hashable, Sendable {
    /// The storefront.
    public var storefront: Storefront
    /// The currency.
    public var currency: Currency
    /// The price: of each period when paid as you go, of the whole offer when paid up front.
    public var price: Milliunits
    /// The payment mode.
    public var paymentMode: PaymentMode
    /// For how many periods it lasts.
    public var numberOfPeriods: Int32?
    /// The length of one of them.
    public var period: Period?
    /// The days on which this was its price.
    public var days: OfferDays
    /// Creates an introductory price of its parts.
    public init(
      storefront: Storefront, currency: Currency, price: Milliunits, paymentMode: PaymentMode,
      numberOfPeriods: Int32?, period: Period?, days: OfferDays
    ) {
      self.storefront = storefront
      self.currency = currency
      self.price = price
      self.paymentMode = paymentMode
      self.numberOfPeriods = numberOfPeriods
      self.period = period
      self.days = days
    }
  }

  /// A time in which the owner gave App Store promo codes for a product away.
  ///
  /// The row of a receipt bought with one carries no mark, and the app reports the list price.
  public struct PromoCodes: Hashable, Sendable {
    /// The first day, from midnight UTC.
    public var from: CivilDay
    /// The last day, until midnight UTC after it; `nil` while the codes are still good.
    public var to: CivilDay?
    /// Creates a time between two days, both included.
    public init(from: CivilDay, to: CivilDay? = nil) {
      self.from = from
      self.to = to
    }

    /// Whether a code could be redeemed at a moment.
    ///
    /// For example codes from 1 to 31 May: at noon of 31 May yes, on 1 June no.
    public func contains(_ time: Instant) -> Bool {
      from <= time.day && to.map { time.day <= $0 } ?? true
    }
  }

  /// The names of a product in App Store Connect, as far as a catalogue has them.
  public struct Naming: Hashable, Sendable {
    /// The product's own name, `Pro, monthly`.
    public var product: String?
    /// The name of its subscription group.
    public var group: String?
    /// Its level in the group; 1 is the highest.
    public var groupLevel: Int?
    /// Apple's number of the product, digits.
    public var appleID: String?
    /// Creates names of their parts.
    public init(
      product: String? = nil, group: String? = nil, groupLevel: Int? = nil, appleID: String? = nil
    ) {
      self.product = product
      self.group = group
      self.groupLevel = groupLevel
      self.appleID = appleID
    }
  }

  /// One product.
  public struct Product: Hashable, Sendable {
    /// The product.
    public var productID: ProductID
    /// The app that sells it, if the catalogue has it.
    public var bundle: BundleID?
    /// Its names.
    public var naming = Naming()
    /// The kind of product, if the catalogue has it.
    public var kind: ProductKind?
    /// The subscription group.
    public var subscriptionGroupID: SubscriptionGroupID?
    /// The length of one period.
    public var subscriptionPeriod: Period?
    /// Changes of the regular price, by currency, then day.
    public var priceChanges: [PriceChange]
    /// List prices, by currency, then day.
    public var prices: [ListPrice]
    /// Offers, by identifier, then currency, then storefront.
    public var offers: [Offer]
    /// Introductory prices of a fetched price list, by storefront, then first day.
    public var introductory: [Introductory]
    /// The times of App Store promo codes, by first day.
    public var promoCodes: [PromoCodes] = []
    /// Creates a product from its fields.
    public init(
      productID: ProductID, bundle: BundleID? = nil, kind: ProductKind? = nil,
      subscriptionGroupID: SubscriptionGroupID? = nil, subscriptionPeriod: Period? = nil,
      priceChanges: [PriceChange] = [], prices: [ListPrice] = [], offers: [Offer] = [],
      introductory: [Introductory] = []
    ) {
      self.introductory = introductory
      self.productID = productID
      self.bundle = bundle
      self.kind = kind
      self.subscriptionGroupID = subscriptionGroupID
      self.subscriptionPeriod = subscriptionPeriod
      self.priceChanges = priceChanges
      self.prices = prices
      self.offers = offers
    }
  }

  /// The amount of one purchase, as the owner knows it.
  public struct Correction: Hashable, Sendable {
    /// Any transaction id of the purchase.
    public var transactionID: TransactionID
    /// The amount for the whole quantity, tax included.
    public var amount: Milliunits
    /// The currency.
    public var currency: Currency
    /// Creates a correction of its parts.
    public init(transactionID: TransactionID, amount: Milliunits, currency: Currency) {
      self.transactionID = transactionID
      self.amount = amount
      self.currency = currency
    }
  }

  /// The products by id.
  public var products: [ProductID: Product]
  /// The currencies that were rebased, by currency, then day.
  public var rebased: [RebasedCurrency]
  /// The amounts that the owner knows better than any rule, in the order of their file.
  public var corrections: [Correction]
  /// Apple's commission and the taxes it collects; `nil` if the owner states nothing.
  public var proceeds: ProceedsTerms?

  /// A catalogue of these products; of two with one id the later is used.
  public init(
    products: [Product] = [], proceeds: ProceedsTerms? = nil, corrections: [Correction] = [],
    rebased: [RebasedCurrency] = []
  ) {
    self.products = [:]
    self.rebased = rebased
    self.corrections = corrections
    self.proceeds = proceeds
    for product in products { self.products[product.productID] = product }
  }

  /// Finds the lines of a product; `nil` for a product that is not in the catalogue.
  ///
  /// A line without an app holds for every app, until ``products`` are matched with the apps that
  /// sell each id.
  public func product(_ id: ProductID) -> Product? {
    products[id] ?? (id.app == nil ? nil : products[id.withoutApp])
  }

  /// Lists the times at which a currency was rebased, by day.
  public func rebased(_ currency: Currency) -> [RebasedCurrency] {
    rebased.isEmpty ? [] : rebased.filter { $0.currency == currency }
  }

  /// The name of an offer; `nil` if the catalogue has none.
  public func offerName(_ identifier: OfferID, of product: ProductID) -> OfferID? {
    self.product(product)?.offers.lazy.filter { $0.identifier == identifier }.compactMap(\.name)
      .first
  }

  /// Whether an id or reference name is an offer code's.
  public func hasOfferCode(_ identifier: OfferID, of product: ProductID) -> Bool {
    self.product(product)?.offers.contains { $0.kind == .offerCode && $0.identifier == identifier }
      ?? false
  }
}
