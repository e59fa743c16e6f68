/// One purchase as it truly happened, with when each fact about it became known to Apple.
struct SamplePurchase: Sendable {
  var id: Int64
  /// `transaction_id` in `receipt.in_app`; now and then another one for the same charge.
  var inAppID: Int64
  var originalID: Int64
  /// `web_order_line_item_id`; 0 for one-time purchases.
  var lineItem: Int64 = 0
  var product: SampleProduct
  var kind: SamplePeriodKind
  var market: SampleMarket
  /// Unix milliseconds, whole seconds.
  var purchasedAt: Int64
  var originalPurchasedAt: Int64
  /// The expiry; 0 for one-time purchases.
  var expiresAt: Int64 = 0
  /// The first moment Apple shows the row: a charge ahead of its period, or a late settlement.
  var knownFrom: Int64
  /// The moment it leaves the receipts, for finished consumables; `Int64.max` for the rest.
  var knownUntil = Int64.max
  var cancelledAt: Int64 = 0
  /// The first moment Apple shows the cancellation.
  var cancellationKnownFrom: Int64 = 0
  /// The time at which the refund was reversed; `Int64.max` for never.
  var cancellationKnownUntil = Int64.max
  var cancellationReason: Int64 = 0
  /// The time at which `is_upgraded` appears; 0 for never.
  var upgradedAt: Int64 = 0
  var isTrial = false
  var isIntro = false
  /// `promotional_offer_id`; empty for none.
  var promotionalOfferID = ""
  /// `offer_code_ref_name`; empty for none.
  var referenceName = ""
  var isFamilyShared = false
  var quantity: Int64 = 1
  /// The amount paid for the whole quantity, in thousandths.
  var paid: Int64

  /// Whether the row belongs to a subscription.
  var isSubscription: Bool { lineItem != 0 }

  /// The name of the row's offer: the promotional id, else the code's reference name.
  var offerID: String { promotionalOfferID.isEmpty ? referenceName : promotionalOfferID }

  /// The end of its coverage.
  var endsAt: Int64 { max(expiresAt, purchasedAt) }

  /// Whether a snapshot of that moment shows the row.
  func isVisible(at moment: Int64) -> Bool { knownFrom <= moment && moment < knownUntil }

  /// Whether a snapshot of that moment shows a cancellation.
  func isCancelled(at moment: Int64) -> Bool {
    cancelledAt != 0 && cancellationKnownFrom <= moment && moment < cancellationKnownUntil
  }
}

/// The kind of a purchase's row.
enum SamplePeriodKind: String, Sendable {
  case trial, intro, promo, regular
  case offerCode = "offer_code"
  case oneTime = "one_time"

  /// Whether the row belongs to an offer.
  var isOffer: Bool { self != .regular && self != .oneTime }
}

/// A non-consumable fetched again on another phone: a new id and time for an old purchase.
struct SampleRestore: Sendable {
  /// The purchase's position in its customer's list.
  var purchase: Int
  var id: Int64
  var at: Int64
}

/// The state of a chain in `pending_renewal_info` from a moment on.
struct SampleRenewalState: Sendable {
  var at: Int64
  var originalID: Int64
  var product: SampleProduct
  var nextProduct: SampleProduct
  var willRenew: Bool
  var intent: Int64 = 0
  var retry: Int64 = -1
  var graceUntil: Int64 = 0
  var consent: Int64 = -1
}

/// One response of Apple as an export keeps it.
struct SampleUpload: Sendable {
  /// The form in which the export wraps the response.
  enum Form: Sendable {
    /// A record around the response object.
    case record
    /// A record around the response as text.
    case text
    case bare
    /// A version 1 notification with its `unified_receipt`.
    case notification
    /// An answer in the style of iOS 6: flat, and for one expired subscription.
    case flat
  }

  /// The time of Apple's answer, Unix milliseconds with a fraction of a second.
  var at: Int64
  /// As of when `receipt.in_app` is: the phone's receipt may be old.
  var inAppAsOf: Int64
  var form = Form.record
  /// Whether the record names the storefront.
  var namesStorefront = true
  /// Picks key order and row order.
  var style = 0
  /// The customer's report that travels with the receipt; -1 for none.
  var report = -1
  /// The first purchase for which the answer has signed prices; `nil` for a receipt, which has
  /// none.
  var signedFrom: Int64?
}

/// The way in which a report deviates from the phone's display.
enum SampleLie: Equatable, Sendable {
  /// No lie: the report is true.
  case none
  /// A tampered app that reports 0.01.
  case cent
  /// Thousandths sent as main units.
  case thousandfold
  /// Hundredths sent as main units.
  case hundredfold
  /// Another country's currency on this country's digits.
  case currency(String)
  /// An out-of-date price list from a cache.
  case stale
}

/// One price report as the app sent it.
struct SampleReport: Sendable {
  var product: SampleProduct
  var market: SampleMarket
  /// The moment whose price list the phone showed.
  var shownAt: Int64
  /// The regular price the phone showed, in thousandths; a lie may write another.
  var price: Int64
  /// `reported_at`, by the phone's clock.
  var reportedAt: Int64
  /// The purchase it names, by position; -1 for none.
  var purchase = -1
  /// Whether it names the alias of `in_app`.
  var usesInAppID = false
  var namesCustomer = true
  var namesStorefront = true
  /// `applied_discount`; empty for none.
  var appliedDiscount = ""
  var hasDiscounts = true
  var lie = SampleLie.none
  var style = 0
  /// Whether it travels with a receipt instead of in a file of its own.
  var isEmbedded = false
  /// The number of export files by which it is late.
  var delay = 0
}

/// Everything one customer did.
struct SampleCustomer: Sendable {
  /// `customer_id`; empty for an export that names none.
  var id: String
  var market: SampleMarket
  /// From when the customer lives in another market.
  var movesAt = Int64.max
  var secondMarket = SampleMarket.usa
  var isSandbox = false
  var bundle = SampleCustomer.bundle
  /// Whether the truth knows this customer; the other half of a contradiction does not.
  var isInTruth = true
  /// Whether other responses contradict this customer's, so that no amount can be found.
  var isContradicted = false
  var purchases: [SamplePurchase] = []
  var restores: [SampleRestore] = []
  var states: [SampleRenewalState] = []
  var uploads: [SampleUpload] = []
  var reports: [SampleReport] = []

  /// The sample app's bundle id.
  static let bundle = "app.paidline.sample"

  /// A customer who did nothing yet.
  init(id: String, market: SampleMarket) {
    self.id = id
    self.market = market
  }

  /// The market in which the customer lives at a moment.
  func market(at moment: Int64) -> SampleMarket { moment >= movesAt ? secondMarket : market }

  /// The newest state of a chain at a moment.
  func state(of originalID: Int64, at moment: Int64) -> SampleRenewalState? {
    var newest: SampleRenewalState?
    for state in states where state.originalID == originalID && state.at <= moment {
      if newest.map({ $0.at <= state.at }) ?? true { newest = state }
    }
    return newest
  }
}
