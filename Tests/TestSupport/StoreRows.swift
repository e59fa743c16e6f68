public import PurchaseModel

/// The terms of a signed transaction that a receipt's row lacks, in the form of a test.
public struct StoreTerms: Sendable {
  /// The price of the whole quantity and its currency: `9.99`, `USD`; `nil` if absent.
  public var price: (digits: String, currency: String)?
  /// `storefront`.
  public var storefront: String?
  /// `revocationPercentage`.
  public var share: Int32?
  /// The tax that Apple states, in hundredths of a percent of the price.
  public var tax: Int32?
  /// The payment mode in `offerDiscountType`; `nil` for pay as you go, or free for a trial.
  public var mode: PaymentMode?
  /// Whether the row is an auto-renewable subscription by its `type`.
  public var isSubscription = false
  /// Whether `transactionReason` is `PURCHASE` for a further transaction of a chain.
  public var isBoughtAgain = false
  /// Whether the transaction is a decoded payload, whose price is a charge.
  public var isDecoded = false

  /// Creates terms.
  public init(
    price: (digits: String, currency: String)? = nil, storefront: String? = nil,
    share: Int32? = nil
  ) {
    self.price = price
    self.storefront = storefront
    self.share = share
  }

  /// Creates terms with a price, such as `9.99 USD`.
  public init(_ price: String) {
    let parts = price.split(separator: " ").map(String.init)
    self.init(price: (parts[0], parts[1]))
  }
}

/// A row of a receipt response in the form of a test: ids are any short texts, times are ISO 8601.
public struct StoreRow: Sendable {
  /// `transaction_id`.
  public var id: String
  /// `original_transaction_id`; `nil` for the id itself.
  public var original: String?
  /// `web_order_line_item_id`.
  public var item: String?
  /// `product_id`.
  public var product: String
  /// `purchase_date`.
  public var bought: String
  /// `expires_date`.
  public var until: String?
  /// `original_purchase_date`.
  public var firstBought: String?
  /// `cancellation_date`.
  public var cancelled: String?
  /// `cancellation_reason`.
  public var reason: String?
  /// `is_trial_period`.
  public var trial: Bool?
  /// `is_in_intro_offer_period`.
  public var intro: Bool?
  /// `is_upgraded`.
  public var upgraded: Bool?
  /// `promotional_offer_id`.
  public var promo: String?
  /// `offer_code_ref_name`.
  public var code: String?
  /// `in_app_ownership_type`.
  public var ownership: String?
  /// `subscription_group_identifier`.
  public var group: String?
  /// `quantity`.
  public var quantity: Int32
  /// The signed terms; `nil` for a row of a receipt.
  public var signed: StoreTerms?

  /// Creates a row; fields without an argument are absent.
  public init(
    _ id: String, of original: String? = nil, item: String? = nil, product: String = "pro",
    bought: String, until: String? = nil, firstBought: String? = nil, cancelled: String? = nil,
    reason: String? = nil, trial: Bool? = nil, intro: Bool? = nil, upgraded: Bool? = nil,
    promo: String? = nil, code: String? = nil, ownership: String? = nil, group: String? = nil,
    quantity: Int32 = 1, signed: StoreTerms? = nil
  ) {
    self.signed = signed
    self.id = id
    self.original = original
    self.item = item
    self.product = product
    self.bought = bought
    self.until = until
    self.firstBought = firstBought
    self.cancelled = cancelled
    self.reason = reason
    self.trial = trial
    self.intro = intro
    self.upgraded = upgraded
    self.promo = promo
    self.code = code
    self.ownership = ownership
    self.group = group
    self.quantity = quantity
  }
}

/// An entry of `pending_renewal_info` in the form of a test.
public struct StoreRenewal: Sendable {
  /// `original_transaction_id`.
  public var original: String
  /// `product_id`.
  public var product: String?
  /// `auto_renew_product_id`.
  public var next: String?
  /// `auto_renew_status`.
  public var renews: Bool?
  /// `expiration_intent`.
  public var intent: String?
  /// `is_in_billing_retry_period`.
  public var retrying: Bool?
  /// `grace_period_expires_date`.
  public var graceUntil: String?
  /// `price_consent_status`.
  public var consent: String?
  /// `price_increase_status`.
  public var increase: String?

  /// Creates an entry; fields without an argument are absent.
  public init(
    of original: String, product: String? = nil, next: String? = nil, renews: Bool? = nil,
    intent: String? = nil, retrying: Bool? = nil, graceUntil: String? = nil,
    consent: String? = nil, increase: String? = nil
  ) {
    self.original = original
    self.product = product
    self.next = next
    self.renews = renews
    self.intent = intent
    self.retrying = retrying
    self.graceUntil = graceUntil
    self.consent = consent
    self.increase = increase
  }
}

/// The price of an offer in the form of a test, in a report or in the catalogue.
public struct StoreOffer: Sendable {
  /// The offer's id; `nil` for the introductory offer.
  public var id: String?
  /// The price in decimal digits.
  public var price: String
  /// The payment mode of the offer.
  public var mode: PaymentMode
  /// The number of periods of the offer.
  public var count: Int32?
  /// The length of one period, in ISO 8601.
  public var period: String?
  /// The way in which the offer is redeemed, in the catalogue.
  public var kind: Catalogue.OfferKind
  /// The currency in the catalogue.
  public var currency: String
  /// The only storefront with this price, in the catalogue.
  public var storefront: String?
  /// In a catalogue: the first and last day of the price.
  public var days: (from: String?, to: String?) = (nil, nil)
  /// In a catalogue: whether the price of a storefront is from App Store Connect.
  public var isFetched = true

  /// Creates an offer.
  public init(
    _ id: String? = nil, price: String, mode: PaymentMode = .payAsYouGo, count: Int32? = 1,
    period: String? = "P1M", kind: Catalogue.OfferKind = .offerCode, currency: String = "USD",
    storefront: String? = nil
  ) {
    self.storefront = storefront
    self.id = id
    self.price = price
    self.mode = mode
    self.count = count
    self.period = period
    self.kind = kind
    self.currency = currency
  }
}

/// The catalogue's list for one storefront, or for all storefronts without their own list.
public struct StoreList: Sendable {
  var storefront: String?
  /// The currency, the first day and the effect on subscribers of each change.
  var changes: [(String, String, ExistingSubscribers)]
  /// The currency, the price and the first day of each price.
  var prices: [(String, String, String)]
  /// Whether the prices are from App Store Connect.
  var isFetched: Bool

  /// Creates the list of a storefront, such as `FRA`; without a storefront, the list of all others.
  public init(
    _ storefront: String? = nil, changes: [(String, String, ExistingSubscribers)] = [],
    prices: [(String, String, String)] = [], isFetched: Bool = false
  ) {
    self.isFetched = isFetched
    self.storefront = storefront
    self.changes = changes
    self.prices = prices
  }
}
