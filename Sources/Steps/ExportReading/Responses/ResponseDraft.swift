internal import CivilTime
internal import PurchaseModel

/// The values of a response, a notification and the record around it, other than rows.
///
/// If nested objects have the same key, the innermost wins: `unified_receipt`, then `response`,
/// then the record.
struct ResponseDraft {
  var status: Int64?
  var hasStatus = false
  /// Whether `environment` is the sandbox; `nil` without this key.
  var isSandbox: Bool?
  /// Whether `receipt_type` is the sandbox; `nil` without this key.
  var isSandboxType: Bool?
  /// Whether a program added `"sandbox": true`, because receipts of iOS 6 have no environment.
  var hasSandboxFlag = false
  var requestedAt: Instant?
  var bundle: BundleID?
  /// Whether the response has a list of rows, even an empty list, or a receipt that is a row.
  var hasRows = false
  /// The number of unusable rows and unusable lists.
  var unusableRows = 0
  /// Whether all rows are under a key that Apple does not use.
  var hasMisplacedRows = false
  var hasInnerResponse = false
  /// Whether the response has `unified_receipt`, a list (even empty) or a receipt with content.
  var hasParts = false
  /// Whether the response has a non-empty object or list under a key that Apple does not use.
  ///
  /// Also true if `product_id` is beside `status`: Apple writes rows only in lists or in `receipt`.
  var hasForeignParts = false
  /// The renewal state at the top level of an iOS 6 response or a version 1 notification.
  var renewal = TopLevelRenewal()
  /// The renewal states without a chain id.
  var unnamedRenewals: [UnnamedRenewal] = []
  /// The time at which auto-renewal was turned on or off, from a notification.
  var renewalChangedAt: Instant?
}

/// A renewal state without a chain id, and its place in the response.
struct UnnamedRenewal {
  var state: RenewalObservation
  var list: StaticString
  var index: Int?
}

/// A renewal state at the top level of a response; it may lack a chain id.
struct TopLevelRenewal {
  var chain: OriginalTransactionID?
  var productID: ProductID?
  var status: Bool?
  var expirationIntent: Symbol?
  var isInBillingRetry: Bool?
}
