internal import CivilTime
internal import PurchaseModel

/// The values of a record and of the responses inside it, without the rows.
///
/// If nested objects have the same key, the innermost value is used. A value in `unified_receipt`
/// has priority over a value in `response`, and a value in `response` over a value in the record. A
/// version 1 notification is the record itself, or the value of `response`.
struct ResponseDraft {
  var status: Int64?
  var hasStatus = false
  /// Whether `environment` is the sandbox; `nil` without this key.
  var isSandbox: Bool?
  /// Whether `receipt_type` is the sandbox; `nil` without this key.
  var isSandboxType: Bool?
  /// Whether a program added `"sandbox": true`.
  ///
  /// Programs use this flag for receipts of iOS 6, which have no environment.
  var hasSandboxFlag = false
  var requestedAt: Instant?
  /// The time of the snapshot, if it lies in the future; such a record is rejected.
  var futureSnapshotAt: Instant?
  var bundle: BundleID?
  /// Whether the record has a list of rows, even an empty list, or a flat receipt of iOS 6.
  var hasRows = false
  /// The number of unusable rows and unusable lists.
  var unusableRows = 0
  /// Whether all rows are under a key that Apple does not use.
  var hasMisplacedRows = false
  var hasInnerResponse = false
  /// Whether the record has a receipt, a list of rows or `unified_receipt`; each may be empty.
  var hasParts = false
  /// Whether the response has a non-empty object or list under a key that Apple does not use.
  ///
  /// Also true if the object with the status has a product id: Apple's responses have none there.
  var hasForeignParts = false
  /// The renewal state at the top level of an iOS 6 response or a version 1 notification.
  var renewal = TopLevelRenewal()
  /// The renewal states without a chain id.
  var unnamedRenewals: [UnnamedRenewal] = []
  /// The time at which auto-renewal was turned on or off, from a notification.
  var renewalChangedAt: Instant?
}

/// A renewal state without a chain id, with its list and its index in the list.
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
