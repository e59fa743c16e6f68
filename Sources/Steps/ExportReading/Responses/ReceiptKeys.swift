/// The known keys of receipt exports; all other keys are skipped.
enum ReceiptKey: UInt8, Sendable {
  // Keys of a transaction row, and of the flat receipt of iOS 6.
  case transactionID, originalTransactionID, lineItemID, productID, quantity
  case purchaseDate, purchaseMilliseconds, originalPurchaseDate, originalPurchaseMilliseconds
  case expiresDate, expiresMilliseconds, cancellationDate, cancellationMilliseconds
  case cancellationReason, isTrialPeriod, isInIntroOfferPeriod, isUpgraded
  case promotionalOfferID, offerCodeRefName, ownershipType, subscriptionGroupID, bid
  // Keys of a renewal state.
  case autoRenewProductID, autoRenewStatus, expirationIntent, isInBillingRetry
  case gracePeriodDate, gracePeriodMilliseconds, priceConsentStatus, priceIncreaseStatus
  case autoRenewChangeDate, autoRenewChangeMilliseconds
  // Keys of a receipt.
  case bundleID, receiptType, requestDate, requestMilliseconds, inApp
  // Keys of a response, a notification and the record around them.
  case status, environment, hasSandboxFlag, receipt, latestReceiptInfo, latestExpiredReceiptInfo
  case pendingRenewalInfo, unifiedReceipt
  case receivedAt, receivedMilliseconds, customerID, appUserID, storefront, storeCountry
  case priceReport, response
  // Other names for these lists, in programs that forward them.
  case namedLatestReceiptInfo, namedLatestExpiredReceiptInfo, namedPendingRenewalInfo
  case namedUnifiedReceipt, namedInApp
}

/// The names of the known keys: one table for each kind of object.
struct ReceiptTables: Sendable {
  /// The tables with only the standard names; created once for all readers without renamed keys.
  static let made = ReceiptTables()

  /// The keys of a row in `in_app` or `latest_receipt_info`.
  let row = KeyTable(rowNames)
  /// The keys of the object `receipt`; in iOS 6 this object is a row itself.
  let receipt = KeyTable<ReceiptKey>(
    rowNames + [
      ("bundle_id", .bundleID), ("receipt_type", .receiptType), ("request_date", .requestDate),
      ("request_date_ms", .requestMilliseconds), ("in_app", .inApp), ("inApp", .namedInApp),
      ("latest_receipt_info", .latestReceiptInfo),
    ])
  /// The keys of an entry in `pending_renewal_info`.
  let renewal = KeyTable(renewalNames)
  /// The keys of a response, a notification or `unified_receipt`.
  let response = KeyTable(responseNames)
  /// The keys of a record, which is a response itself or contains the response.
  let record: KeyTable<ReceiptKey>

  private init() { record = Self.standardRecord }

  /// Creates the tables for a pipeline with names of its own for keys of its records.
  init(renaming own: [String: String]) {
    record = Self.standardRecord.renaming(
      own.sorted { $0.key < $1.key }.compactMap { standard, name in
        Self.keys[standard].map { (name, $0) }
      })
  }

  /// The keys for each key that a pipeline may rename, the preferred key first.
  private static let keys: [String: [ReceiptKey]] = [
    "customer_id": [.customerID, .appUserID], "response": [.response],
    "received_at": [.receivedAt, .receivedMilliseconds],
    "storefront": [.storefront, .storeCountry],
    "price_report": [.priceReport], "environment": [.environment],
    "is_sandbox": [.hasSandboxFlag],
  ]

  private static let standardRecord = KeyTable<ReceiptKey>(
    responseNames + [
      ("received_at", .receivedAt), ("received_at_ms", .receivedMilliseconds),
      ("customer_id", .customerID), ("app_user_id", .appUserID), ("storefront", .storefront),
      ("store_country", .storeCountry), ("price_report", .priceReport), ("response", .response),
      ("receivedAt", .receivedAt), ("receivedAtMs", .receivedMilliseconds),
      ("customerId", .customerID), ("customerID", .customerID), ("appUserId", .appUserID),
      ("appUserID", .appUserID), ("storeCountry", .storeCountry), ("priceReport", .priceReport),
    ])
}

private let rowNames: [(name: StaticString, key: ReceiptKey)] = [
  ("transaction_id", .transactionID), ("original_transaction_id", .originalTransactionID),
  ("web_order_line_item_id", .lineItemID), ("product_id", .productID), ("quantity", .quantity),
  ("purchase_date", .purchaseDate), ("purchase_date_ms", .purchaseMilliseconds),
  ("original_purchase_date", .originalPurchaseDate),
  ("original_purchase_date_ms", .originalPurchaseMilliseconds), ("expires_date", .expiresDate),
  ("expires_date_ms", .expiresMilliseconds), ("cancellation_date", .cancellationDate),
  ("cancellation_date_ms", .cancellationMilliseconds),
  ("cancellation_reason", .cancellationReason), ("is_trial_period", .isTrialPeriod),
  ("is_in_intro_offer_period", .isInIntroOfferPeriod), ("is_upgraded", .isUpgraded),
  ("promotional_offer_id", .promotionalOfferID), ("offer_code_ref_name", .offerCodeRefName),
  ("in_app_ownership_type", .ownershipType),
  ("subscription_group_identifier", .subscriptionGroupID), ("bid", .bid),
]

private let renewalNames: [(name: StaticString, key: ReceiptKey)] = [
  ("original_transaction_id", .originalTransactionID), ("product_id", .productID),
  ("auto_renew_product_id", .autoRenewProductID), ("auto_renew_status", .autoRenewStatus),
  ("expiration_intent", .expirationIntent), ("is_in_billing_retry_period", .isInBillingRetry),
  ("grace_period_expires_date", .gracePeriodDate),
  ("grace_period_expires_date_ms", .gracePeriodMilliseconds),
  ("price_consent_status", .priceConsentStatus),
  ("price_increase_status", .priceIncreaseStatus),
]

private let responseNames: [(name: StaticString, key: ReceiptKey)] =
  [
    ("status", .status), ("environment", .environment), ("sandbox", .hasSandboxFlag),
    ("is_sandbox", .hasSandboxFlag), ("isSandbox", .hasSandboxFlag), ("receipt", .receipt),
    ("latest_receipt_info", .latestReceiptInfo),
    ("latest_expired_receipt_info", .latestExpiredReceiptInfo),
    ("pending_renewal_info", .pendingRenewalInfo), ("unified_receipt", .unifiedReceipt),
    ("latestReceiptInfo", .namedLatestReceiptInfo),
    ("latestExpiredReceiptInfo", .namedLatestExpiredReceiptInfo),
    ("pendingRenewalInfo", .namedPendingRenewalInfo), ("unifiedReceipt", .namedUnifiedReceipt),
    ("bid", .bid), ("bundle_id", .bundleID), ("receipt_type", .receiptType),
    ("request_date", .requestDate), ("request_date_ms", .requestMilliseconds),
    ("in_app", .inApp), ("inApp", .namedInApp),
    ("auto_renew_status_change_date", .autoRenewChangeDate),
    ("auto_renew_status_change_date_ms", .autoRenewChangeMilliseconds),
  ] + renewalNames
