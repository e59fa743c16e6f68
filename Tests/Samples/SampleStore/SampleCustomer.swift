/// One purchase as it happened, with the time from which responses show each fact.
struct SamplePurchase: Sendable {
  var id: Int64
  /// `transaction_id` in `receipt.in_app`; for some purchases it differs from ``id``.
  var inAppID: Int64
  var originalID: Int64
  /// `web_order_line_item_id`; 0 for one-time purchases.
  var lineItem: Int64 = 0
  var product: SampleProduct
  var kind: SamplePeriodKind
  var market: SampleMarket
  /// The time of the purchase in Unix milliseconds, rounded to whole seconds.
  var purchasedAt: Int64
  var originalPurchasedAt: Int64
  /// The expiry; 0 for one-time purchases.
  var expiresAt: Int64 = 0
  /// The first moment at which responses show the row.
  ///
  /// It is before the purchase if Apple charged early, and after the purchase if the payment was
  /// late.
  var knownFrom: Int64
  /// The moment at which a finished consumable disappears from the receipts.
  ///
  /// `Int64.max` for other purchases.
  var knownUntil = Int64.max
  var cancelledAt: Int64 = 0
  /// The first moment at which responses show the cancellation.
  var cancellationKnownFrom: Int64 = 0
  /// The time at which Apple reversed the refund; `Int64.max` for never.
  var cancellationKnownUntil = Int64.max
  var cancellationReason: Int64 = 0
  /// The time from which responses have `is_upgraded`; 0 for never.
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

  var isSubscription: Bool { lineItem != 0 }

  /// The identifier of the row's offer: the promotional offer id, otherwise the code's reference
  /// name.
  ///
  /// Empty for other rows.
  var offerID: String { promotionalOfferID.isEmpty ? referenceName : promotionalOfferID }

  /// The end of the paid period; for one-time purchases the purchase time.
  var endsAt: Int64 { max(expiresAt, purchasedAt) }

  /// Whether a response at a moment shows the row.
  func isVisible(at moment: Int64) -> Bool { knownFrom <= moment && moment < knownUntil }

  /// Whether a response at a moment shows a cancellation.
  func isCancelled(at moment: Int64) -> Bool {
    cancelledAt != 0 && cancellationKnownFrom <= moment && moment < cancellationKnownUntil
  }
}

enum SamplePeriodKind: String, Sendable {
  case trial, intro, promo, regular
  case offerCode = "offer_code"
  case oneTime = "one_time"

  var isOffer: Bool { self != .regular && self != .oneTime }
}

/// A restore of a non-consumable on another phone: responses then show a new id and a new time.
struct SampleRestore: Sendable {
  /// The position of the purchase in the customer's list of purchases.
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

/// One response of Apple, as the export contains it.
struct SampleUpload: Sendable {
  /// The form in which the export wraps the response.
  enum Form: Sendable {
    /// A record that has the response as a JSON object in a member.
    case record
    /// A record that has the response as escaped JSON text in a member.
    case text
    case bare
    /// A version 1 notification with its `unified_receipt`.
    case notification
    /// A response in the style of iOS 6: without lists, about one expired subscription.
    case flat
  }

  /// The time of Apple's response, Unix milliseconds.
  var at: Int64
  /// The time of the phone's receipt in `receipt.in_app`; it may be older than the response.
  var inAppAsOf: Int64
  var form = Form.record
  /// Whether the record has the storefront.
  var namesStorefront = true
  /// A number that selects the order of keys and rows.
  var style = 0
  /// The position in ``SampleCustomer/reports`` of the report in the same record; -1 for no report.
  var report = -1
  /// The earliest time of a purchase with a signed price, if the response has signed transactions.
  ///
  /// `nil` for a receipt.
  var signedFrom: Int64?
}

/// The way in which a report deviates from the phone's display.
enum SampleReportFault: Equatable, Sendable {
  /// The report is true.
  case none
  /// A tampered app reports 0.01.
  case cent
  /// The app sends thousandths as main units: 9.99 as 9990.
  case thousandfold
  /// The app sends hundredths as main units: 9.99 as 999.
  case hundredfold
  /// The app sends the right number with a wrong currency: 9.99 USD as 9.99 UYU.
  case currency(String)
  /// The app sends an out-of-date price list from a cache.
  case stale
}

/// One price report as the app sent it.
struct SampleReport: Sendable {
  var product: SampleProduct
  var market: SampleMarket
  /// The time at which the phone showed the prices.
  var shownAt: Int64
  /// The regular price that the phone showed, in thousandths, before a ``fault`` changes it.
  var price: Int64
  /// `reported_at`, by the phone's clock.
  var reportedAt: Int64
  /// The position of the purchase whose transaction id the report has; -1 for none.
  var purchase = -1
  /// Whether the report has the alias id from `in_app` instead of the usual transaction id.
  var usesInAppID = false
  var namesCustomer = true
  var namesStorefront = true
  /// The id of the offer under `applied_discount` in the report; empty if there is no offer.
  var appliedDiscount = ""
  var hasDiscounts = true
  var fault = SampleReportFault.none
  var style = 0
  /// Whether the report is inside a receipt record instead of a file of price reports.
  var isEmbedded = false
  /// The number of export files by which the report arrives late.
  var delay = 0
}

/// A customer with all purchases, uploads and reports.
struct SampleCustomer: Sendable {
  /// `customer_id`; empty if the exports have none for the customer.
  var id: String
  var market: SampleMarket
  /// The moment from which the customer lives in another market.
  var movesAt = Int64.max
  var secondMarket = SampleMarket.usa
  var isSandbox = false
  var bundle = SampleCustomer.bundle
  /// Whether the truth includes the customer; of two customers who contradict each other, only the
  /// first is included.
  var isInTruth = true
  /// Whether other responses contradict this customer's responses, so that no amount can be found.
  var isContradicted = false
  var purchases: [SamplePurchase] = []
  var restores: [SampleRestore] = []
  var states: [SampleRenewalState] = []
  var uploads: [SampleUpload] = []
  var reports: [SampleReport] = []

  /// The sample app's bundle id.
  static let bundle = "app.paidline.sample"

  /// The market in which the customer lives at a moment.
  func market(at moment: Int64) -> SampleMarket { moment >= movesAt ? secondMarket : market }

  /// The renewal state of a chain at a moment; `nil` before the chain's first state.
  func state(of originalID: Int64, at moment: Int64) -> SampleRenewalState? {
    var newest: SampleRenewalState?
    for state in states where state.originalID == originalID && state.at <= moment {
      if newest.map({ $0.at <= state.at }) ?? true { newest = state }
    }
    return newest
  }
}
