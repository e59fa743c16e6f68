internal import CivilTime
internal import PurchaseModel

/// The values of a response, a notification and the record around it, apart from rows.
///
/// Of nested objects the innermost is believed: `unified_receipt`, then `response`, then the
/// record.
struct ResponseDraft {
  var status: Int64?
  var hasStatus = false
  /// From `environment`.
  var isSandbox: Bool?
  /// From `receipt_type`.
  var isSandboxType: Bool?
  /// Whether a program wrote `"sandbox": true` beside: receipts of iOS 6 name no environment.
  var saysSandbox = false
  var requestedAt: Instant?
  var bundle: BundleID?
  /// Whether there was a list of rows, empty or not, or a flat receipt.
  var hasRows = false
  /// The number of unusable rows, and of lists that cannot be used.
  var unusableRows = 0
  /// Whether all of its rows lie under a key that Apple does not have.
  var hasMisplacedRows = false
  var hasInnerResponse = false
  /// Whether there was a receipt, a list or `unified_receipt`, whatever it held.
  var hasParts = false
  /// Whether an object or a list is under a key that Apple does not have, or a product is named
  /// beside the status, where Apple has no row.
  var hasForeignParts = false
  /// The renewal state at the top level of an iOS 6 response or a version 1 notification.
  var renewal = TopLevelRenewal()
  /// The renewal states that name no chain.
  var unnamedRenewals: [UnnamedRenewal] = []
  /// The time at which renewing was turned on or off, from a notification.
  var renewalChangedAt: Instant?
}

/// A renewal state that names no chain, with its place.
struct UnnamedRenewal {
  var state: RenewalObservation
  var list: StaticString
  var index: Int?
}

/// A renewal state that names no chain, or names it beside the rows.
struct TopLevelRenewal {
  var chain: OriginalTransactionID?
  var productID: ProductID?
  var status: Bool?
  var expirationIntent: Symbol?
  var isInBillingRetry: Bool?
}
