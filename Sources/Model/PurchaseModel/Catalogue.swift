public import Amounts
public import CivilTime

/// The kind of a product.
public enum ProductKind: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// A subscription that renews until it is cancelled.
  case autoRenewableSubscription = "auto_renewable_subscription"
  /// A subscription of fixed length that does not renew.
  case nonRenewingSubscription = "non_renewing_subscription"
  /// A product that can be bought again and again.
  case consumable
  /// A product that is bought once and kept.
  case nonConsumable = "non_consumable"
  /// Neither the receipts nor the catalogue state the kind.
  case unknown
}

/// The effect of a price change on existing subscribers.
public enum ExistingSubscribers: String, Hashable, Sendable, CaseIterable {
  /// Existing subscribers keep their old price.
  case preserved
  /// Existing subscribers pay the new price from their next renewal.
  case moved
}

/// Product data that receipts lack, such as prices and offers, from the optional `catalog.yaml`.
public struct Catalogue: Hashable, Sendable {
  /// A change of a regular price, effective from midnight UTC of the day ``from``.
  public struct PriceChange: Hashable, Sendable {
    /// The currency whose price changed.
    public var currency: Currency
    /// The first day of the new price.
    public var from: CivilDay
    /// The effect on existing subscribers.
    public var existingSubscribers: ExistingSubscribers
    /// The only storefront whose price changed; `nil` for all storefronts of the currency.
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

  /// A list price, effective from midnight UTC of the day ``from``.
  public struct ListPrice: Hashable, Sendable {
    /// The currency of the price.
    public var currency: Currency
    /// The price of one unit.
    public var price: Milliunits
    /// The first day of the price, UTC.
    public var from: CivilDay
    /// The only storefront with this price.
    ///
    /// `nil` for all storefronts of the currency that have no separate price.
    public var storefront: Storefront?
    /// Whether the price was fetched from App Store Connect.
    ///
    /// The rules use a fetched price without comparing it with price reports.
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

  /// The way in which an offer of the catalogue is redeemed.
  public enum OfferKind: String, Hashable, Sendable, CaseIterable {
    /// An offer that is redeemed with a code.
    case offerCode = "offer_code"
    /// A promotional or win-back offer.
    case promo
  }

  /// The price of an offer in one currency, for one storefront or for all.
  public struct Offer: Hashable, Sendable {
    /// The way in which the offer is redeemed: with a code or without a code.
    public var kind: OfferKind
    /// The promotional offer's id, or the offer code's id or reference name.
    public var identifier: OfferID
    /// The only storefront with this price.
    ///
    /// `nil` for all storefronts of the currency that have no separate price.
    public var storefront: Storefront?
    /// The currency of the price.
    public var currency: Currency
    /// The price per period for an offer paid as you go, or of the whole offer if paid up front.
    public var price: Milliunits
    /// The payment mode: as you go, up front, or free.
    public var paymentMode: PaymentMode
    /// The number of periods of the offer; `nil` if not stated.
    public var numberOfPeriods: Int32?
    /// The length of one period; `nil` if not stated.
    public var period: Period?
    /// The campaign name of the offer in the catalogue; `nil` if the offer has no name.
    public var name: OfferID?
    /// The days on which this price is in force, UTC.
    public var days: OfferDays
    /// Whether the price was fetched from App Store Connect.
    public var isFetched: Bool
    /// Creates an offer from its fields.
    public init(
      kind: OfferKind, identifier: OfferID, storefront: Storefront? = nil, currency: Currency,
      price: Milliunits, paymentMode: PaymentMode, numberOfPeriods: Int32?, period: Period?,
      name: OfferID? = nil, days: OfferDays = OfferDays(), isFetched: Bool = false
    ) {
      self.days = days
      self.isFetched = isFetched
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

  /// The days on which the price of an offer is in force, UTC; by default all days.
  public struct OfferDays: Hashable, Sendable {
    /// The first day of the price; `nil` if the price has no known start.
    public var from: CivilDay?
    /// The day after the last day of the price; `nil` if the price has no end.
    public var to: CivilDay?
    /// Creates a range of days.
    public init(from: CivilDay? = nil, to: CivilDay? = nil) {
      self.from = from
      self.to = to
    }

    /// Returns true if the price was in force on a day.
    public func contains(_ day: CivilDay) -> Bool {
      from.map { $0 <= day } ?? true && to.map { day < $0 } ?? true
    }
  }

  /// The introductory price of a product in a storefront, as App Store Connect lists it.
  public struct Introductory: Hashable, Sendable {
    /// The storefront of the price.
    public var storefront: Storefront
    /// The currency of the price.
    public var currency: Currency
    /// The price per period for an offer paid as you go, or of the whole offer if paid up front.
    public var price: Milliunits
    /// The payment mode: as you go, up front, or free.
    public var paymentMode: PaymentMode
    /// The number of periods of the offer; `nil` if not stated.
    public var numberOfPeriods: Int32?
    /// The length of one period; `nil` if not stated.
    public var period: Period?
    /// The days on which this price is in force, UTC.
    public var days: OfferDays
    /// Creates an introductory price from its fields.
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

  /// A range of days in which App Store promo codes for a product could be redeemed.
  ///
  /// A promo code gives the product for free. Receipts do not show that a code was used, and the
  /// app reports the list price. Only this entry shows that a purchase may have been free.
  public struct PromoCodes: Hashable, Sendable {
    /// The first day on which a code could be redeemed, UTC.
    public var from: CivilDay
    /// The last day on which a code could be redeemed, UTC; `nil` while the codes are still valid.
    public var to: CivilDay?
    /// Creates a range of days, both included.
    public init(from: CivilDay, to: CivilDay? = nil) {
      self.from = from
      self.to = to
    }

    /// Returns true if promo codes could be redeemed at a time.
    ///
    /// Example: codes from May 1 to May 31: true at noon of May 31, false on June 1.
    public func contains(_ time: Instant) -> Bool {
      from <= time.day && to.map { time.day <= $0 } ?? true
    }
  }

  /// The names of a product in App Store Connect; `nil` for a name that the catalogue lacks.
  public struct Naming: Hashable, Sendable {
    /// The name of the product, such as `Pro, monthly`.
    public var product: String?
    /// The name of the product's subscription group.
    public var group: String?
    /// The product's level in its subscription group; 1 is the highest.
    public var groupLevel: Int?
    /// The number that App Store Connect shows as the Apple ID of the product, as digits.
    public var appleID: String?
    /// The id under which the same product is sold now; `nil` unless the product was renamed.
    public var sameAs: String?
    /// Creates the names of a product.
    public init(
      product: String? = nil, group: String? = nil, groupLevel: Int? = nil, appleID: String? = nil,
      sameAs: String? = nil
    ) {
      self.product = product
      self.group = group
      self.groupLevel = groupLevel
      self.appleID = appleID
      self.sameAs = sameAs
    }
  }

  /// The catalogue's data of one product.
  public struct Product: Hashable, Sendable {
    /// The id of the product.
    public var productID: ProductID
    /// The app that sells the product; `nil` if the catalogue does not state it.
    public var bundle: BundleID?
    /// The names of the product in App Store Connect.
    public var naming = Naming()
    /// The kind of the product; `nil` if the catalogue does not state it.
    public var kind: ProductKind?
    /// The subscription group; `nil` if the catalogue does not state it.
    public var subscriptionGroupID: SubscriptionGroupID?
    /// The length of one billing period; `nil` if not stated.
    public var subscriptionPeriod: Period?
    /// The changes of the regular price, sorted by currency, then day.
    public var priceChanges: [PriceChange]
    /// The price changes of a line without an app, if several apps sell the id: each of them is a
    /// change of those apps whose price rises soon after it.
    public var tentativeChanges: [PriceChange] = []
    /// The list prices, sorted by currency, then day.
    public var prices: [ListPrice]
    /// The offers, sorted by identifier, then currency, then storefront.
    public var offers: [Offer]
    /// The introductory prices fetched from App Store Connect, sorted by storefront, then first
    /// day.
    public var introductory: [Introductory]
    /// The date ranges of App Store promo codes, sorted by first day.
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

  /// The amount that the owner states for one purchase, for example from an invoice.
  ///
  /// The amount has priority over price reports and the catalogue. It does not replace a signed
  /// price, an amount that Apple's reports prove, or the 0 of a free trial.
  public struct Correction: Hashable, Sendable {
    /// Any transaction id of the purchase.
    public var transactionID: TransactionID
    /// The amount for the whole quantity, tax included.
    public var amount: Milliunits
    /// The currency of the amount.
    public var currency: Currency
    /// Creates a correction from its fields.
    public init(transactionID: TransactionID, amount: Milliunits, currency: Currency) {
      self.transactionID = transactionID
      self.amount = amount
      self.currency = currency
    }
  }

  /// The products, keyed by id.
  public var products: [ProductID: Product]
  /// The changes of currency units, sorted by currency, then day.
  public var rebased: [RebasedCurrency]
  /// The owner's corrections of amounts, in the order of the corrections file.
  public var corrections: [Correction]
  /// Apple's commission and taxes; `nil` if the owner does not state them.
  public var proceeds: ProceedsTerms?

  /// Creates a catalogue; of several products with one id, the last in the list is used.
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

  /// Finds a product by its id; `nil` if it is not in the catalogue.
  ///
  /// An id may have an app. If the catalogue has no product with this id and app, the product with
  /// this id and without an app is returned.
  public func product(_ id: ProductID) -> Product? {
    products[id] ?? (id.app == nil ? nil : products[id.withoutApp])
  }

  /// Returns the changes of a currency's unit, sorted by day.
  public func rebased(_ currency: Currency) -> [RebasedCurrency] {
    rebased.isEmpty ? [] : rebased.filter { $0.currency == currency }
  }

  /// Finds the campaign name of an offer; `nil` if the catalogue has no name.
  public func offerName(_ identifier: OfferID, of product: ProductID) -> OfferID? {
    self.product(product)?.offers.lazy.filter { $0.identifier == identifier }.compactMap(\.name)
      .first
  }

  /// Returns true if a product has an offer code with this id or reference name.
  public func hasOfferCode(_ identifier: OfferID, of product: ProductID) -> Bool {
    self.product(product)?.offers.contains { $0.kind == .offerCode && $0.identifier == identifier }
      ?? false
  }
}
