/// One Apple account with its purchases, and the data that its devices and the app's server sent.
struct Account: Sendable {
  /// The account's number in the store, from 0.
  let number: Int
  /// The storefronts of the device over time, oldest first.
  var homes: [Home]
  /// The customer ids at the app's server over time, oldest first.
  var identities: [Identity]
  /// Whether the account's device reports prices.
  var reports = true
  var isSandbox = false
  var bundle = World.bundle
  /// Whether the truth includes the account; of two accounts that contradict each other, only the
  /// first is included.
  var isInTruth = true
  /// Whether other responses contradict this account's responses, so that no amount can be found.
  var isContradicted = false
  /// The number of rows per subscription to which responses are limited; `nil` for no limit.
  ///
  /// Responses show the newest rows.
  var rowsShown: Int?
  var purchases: [AccountPurchase] = []
  var restores: [AccountRestore] = []
  var states: [AccountState] = []
  var uploads: [AccountUpload] = []
  var prices: [AccountReport] = []
  /// The charges that the owner's exports have beside responses and reports.
  var charges: [AccountCharge] = []

  /// The storefront of the device from a moment on.
  struct Home: Sendable {
    var from: Int64
    var storefront: Int
  }

  /// The customer id from a moment on; empty while the app has no id for the customer.
  struct Identity: Sendable {
    var from: Int64
    var id: String
  }

  /// Removes the reports at some positions of ``prices``.
  ///
  /// A receipt that was sent in one record with a removed report remains.
  mutating func removeReports(_ lost: Set<Int>) {
    guard !lost.isEmpty else { return }
    var positions: [Int: Int] = [:]
    for index in prices.indices where !lost.contains(index) { positions[index] = positions.count }
    prices = prices.indices.filter { !lost.contains($0) }.map { prices[$0] }
    for index in uploads.indices where uploads[index].report >= 0 {
      uploads[index].report = positions[uploads[index].report] ?? -1
    }
  }

  /// The storefront of the phone at a moment.
  func storefront(at moment: Int64) -> Int {
    (homes.last { $0.from <= moment } ?? homes[0]).storefront
  }

  /// The customer id that the app's server uses at a moment.
  func customerID(at moment: Int64) -> String {
    (identities.last { $0.from <= moment } ?? identities[0]).id
  }

  /// The renewal state of a chain at a moment; `nil` before the chain's first state.
  func state(of originalID: Int64, at moment: Int64) -> AccountState? {
    var newest: AccountState?
    for state in states where state.originalID == originalID && state.at <= moment {
      if newest.map({ $0.at <= state.at }) ?? true { newest = state }
    }
    return newest
  }

  /// The times of the responses that have renewal states.
  var looks: [Int64] { uploads.filter { $0.form != .flat }.map(\.at) }

  /// The restore that a response at a moment shows for the purchase at a position.
  func restore(of purchase: Int, at moment: Int64) -> AccountRestore? {
    restores.last { $0.purchase == purchase && $0.at <= moment }
  }

  /// Whether Apple's transaction of a purchase, with its price, is in the exports.
  func hasTransaction(of index: Int) -> Bool {
    charges.contains { $0.purchase == index && $0.form == .decoded }
      || uploads.contains { upload in
        upload.signedFrom.map { purchases[index].purchasedAt >= $0 } == true
          && !purchases[index].isFamilyShared && visible(at: upload.at).contains(index)
      }
  }

  /// The positions of the purchases that a response at a moment shows, oldest first.
  func visible(at moment: Int64) -> [Int] {
    let shown = purchases.indices.filter {
      purchases[$0].knownFrom <= moment && moment < purchases[$0].knownUntil
    }.sorted { (purchases[$0].purchasedAt, $0) < (purchases[$1].purchasedAt, $1) }
    guard let rowsShown else { return shown }
    var left: [Int64: Int] = [:]
    return shown.reversed().filter { index in
      guard purchases[index].isSubscription else { return true }
      left[purchases[index].originalID, default: rowsShown] -= 1
      return left[purchases[index].originalID, default: 0] >= 0
    }.reversed()
  }
}

/// One purchase as it happened, with the time from which responses show each fact.
struct AccountPurchase: Sendable {
  var id: Int64
  /// `transaction_id` in `receipt.in_app`; for some purchases it differs from ``id``.
  var aliasID: Int64
  var originalID: Int64
  /// `web_order_line_item_id`; 0 for one-time purchases.
  var lineItem: Int64 = 0
  /// The product's position in ``World/products``.
  var product: Int
  var kind: SamplePeriodKind
  /// The position in ``World/storefronts`` of the storefront that charged the purchase.
  ///
  /// All rows of a subscription have the storefront of its first row, until a lapse.
  var storefront: Int
  var currency: WorldCurrency
  /// The number of lapses in the chain before the row.
  var run = 0
  var purchasedAt: Int64
  var originalPurchasedAt: Int64
  /// The expiry dates of the row, each with the moment from which responses show it.
  ///
  /// Each date after the first is an extension by the developer. Empty for one-time purchases.
  var expiries: [Expiry] = []
  /// The first moment at which responses contain the row.
  var knownFrom: Int64
  /// The moment at which a finished consumable disappears from the receipts.
  ///
  /// `Int64.max` for other purchases.
  var knownUntil = Int64.max
  /// `cancellation_date`, which responses show from that date on; 0 for none.
  var cancelledAt: Int64 = 0
  /// The time at which Apple reversed the refund; `Int64.max` for never.
  var cancelledUntil = Int64.max
  var cancellationReason: Int64 = 0
  /// The time at which `is_upgraded` appears; 0 for never.
  var upgradedAt: Int64 = 0
  var isTrial = false
  var isIntro = false
  /// `promotional_offer_id`; empty for none.
  var promotionalOfferID = ""
  /// `offer_code_ref_name`; empty for none.
  var referenceName = ""
  /// The terms of the row's offer; `nil` for a row without an offer.
  var offer: WorldOffer?
  var isFamilyShared = false
  /// Whether a promo code was used instead of a payment; no response shows this.
  var isPromoCode = false
  /// The number of the chain's commitment to which a monthly payment of a yearly plan belongs.
  ///
  /// 0 for all other rows.
  var commitment = 0
  /// The number of a monthly payment within its commitment, from 1 to 12; 0 for all other rows.
  var payment = 0
  /// The end of the commitment in Unix milliseconds; 0 for a row without one.
  var committedUntil: Int64 = 0
  var quantity: Int64 = 1
  /// Apple's charge for the whole quantity, in thousandths.
  var paid: Int64

  /// An expiry date of a row, and the moment from which responses show it.
  struct Expiry: Sendable {
    var from: Int64
    var at: Int64
  }

  var isSubscription: Bool { lineItem != 0 }

  /// The identifier of the row's offer: the promotional offer id, otherwise the code's reference
  /// name.
  ///
  /// Empty for other rows.
  var offerID: String { promotionalOfferID.isEmpty ? referenceName : promotionalOfferID }

  /// Whether a response at a moment shows a cancellation.
  func isCancelled(at moment: Int64) -> Bool {
    cancelledAt != 0 && cancelledAt <= moment && moment < cancelledUntil
  }

  /// Whether a response at a moment shows that another plan replaced the row.
  func isUpgraded(at moment: Int64) -> Bool { upgradedAt != 0 && upgradedAt <= moment }

  /// The expiry date that responses show at a moment; for one-time purchases, the purchase time.
  func end(knownAt moment: Int64 = .max) -> Int64 {
    guard let first = expiries.first else { return purchasedAt }
    return (expiries.last { $0.from <= moment } ?? first).at
  }
}

/// The kind of a row: an offer's kind, or a regular row, or a purchase that does not renew.
enum SamplePeriodKind: String, Sendable {
  case trial, intro, promo, regular
  case offerCode = "offer_code"
  case oneTime = "one_time"

  var isOffer: Bool { self != .regular && self != .oneTime }
}

/// A restore of a non-consumable on another phone: responses then show a new id and a new time.
struct AccountRestore: Sendable {
  /// The position of the purchase in ``Account/purchases``.
  var purchase: Int
  var id: Int64
  var at: Int64
}

/// The state of a chain in `pending_renewal_info` from a moment on.
struct AccountState: Sendable {
  var at: Int64
  var originalID: Int64
  var product: Int
  var nextProduct: Int
  var willRenew = true
  var intent: Int64 = 0
  var retry: Int64 = -1
  var graceUntil: Int64 = 0
  /// `price_consent_status`, or `price_increase_status` in newer responses; -1 for absent.
  var consent: Int64 = -1
}

/// One response of Apple, as the export contains it.
struct AccountUpload: Sendable {
  /// The form in which the export wraps the response.
  enum Form: Sendable {
    /// A record that has the response as a JSON object in a member.
    case record
    /// A record that has the response as escaped JSON text in a member.
    case text
    /// The response without a record around it, and so without a customer id.
    case bare
    /// A version 1 notification with its `unified_receipt`, without a record around it.
    case notification
    /// A response in the style of iOS 6: without lists, about one expired subscription.
    case flat

    /// Whether there is a record, which may have a customer id and a storefront.
    var hasRecord: Bool { self != .bare && self != .notification }
  }

  /// The time of Apple's response, Unix milliseconds.
  var at: Int64
  /// The time of the device's receipt in `receipt.in_app`; it may be older than the response.
  var inAppAsOf: Int64
  var form = Form.record
  /// Whether the record has the storefront.
  var namesStorefront = true
  /// The storefront that the record has; `nil` for the storefront of the phone.
  var named: Int?
  /// The customer id of somebody else who sent the account's receipt; `nil` for the customer.
  var sender: String?
  /// The position in ``Account/prices`` of the report in the same record; -1 for no report.
  var report = -1
  /// A number that selects the order of keys and rows.
  var style = 0
  /// The earliest time of a purchase with a signed price, if the response has signed transactions.
  ///
  /// `nil` for a receipt.
  var signedFrom: Int64?
}

/// One price report as the app sent it.
struct AccountReport: Sendable {
  var product: Int
  /// The storefront of the phone.
  var storefront: Int
  /// The time at which StoreKit showed the prices, by a correct clock.
  var shownAt: Int64
  /// The displayed prices, after the phenomena have changed them.
  var displayed: DisplayedPrices
  /// `reported_at`, by the phone's clock.
  var reportedAt: Int64
  /// The time at which the server stored the report; the export file of this time has the report.
  var arrivedAt: Int64
  /// The position of the purchase whose transaction id the report has; -1 for none.
  var purchase = -1
  /// Whether the report has the alias id from `in_app` instead of the usual transaction id.
  var usesAlias = false
  /// The customer id of the report; empty for none.
  var customerID = ""
  var namesStorefront = true
  var hasDiscounts = true
  /// The id of the offer under `applied_discount` in the report; empty if there is no offer.
  var appliedDiscount = ""
  var style = 0
  /// Whether prices are written as 32-bit floats.
  var isFloat = false
  /// Whether the report has the app's bundle id.
  var namesApp = false
  /// The storefront that the report has; `nil` for the storefront of the phone.
  var named: Int?
  /// The product whose id the report has; `nil` for ``product``.
  var namedProduct: Int?
  /// The transaction id of a purchase that is not in Apple's production; empty for none.
  var foreignID = ""
  /// The store that the report has under `platform`; empty for none.
  var platform = ""
  /// Whether the report is inside a receipt record instead of a file of price reports.
  var isEmbedded = false

  /// Whether the report is about a price of another store, or of a test file.
  var isForeign: Bool { !foreignID.isEmpty || !platform.isEmpty }
}
