internal import ExportReading

/// The meaning of a key in an object that contains tokens or is a decoded payload.
enum RecordKey: UInt8, Sendable {
  case customerID, appUserID, receivedAt, environment
  /// The value is a token, or a decoded payload.
  case token
  /// The value is a list of tokens.
  case tokens
  /// The value may contain tokens.
  ///
  /// It is a token, an object, or a list of objects; objects and lists may be JSON text.
  case container
  /// The key, such as `transactionId`, shows that its object is a decoded payload.
  case payloadMark

  /// The key names of Apple's services, of StoreKit and of apps' servers, with their meanings.
  static let table = KeyTable<RecordKey>([
    ("customer_id", .customerID), ("customerId", .customerID), ("customerID", .customerID),
    ("app_user_id", .appUserID), ("appUserId", .appUserID), ("appUserID", .appUserID),
    ("received_at", .receivedAt), ("receivedAt", .receivedAt), ("received_at_ms", .receivedAt),
    ("receivedAtMs", .receivedAt),
    ("environment", .environment),
    // Get Transaction Info, status responses, notifications.
    ("signedTransactionInfo", .token), ("signed_transaction_info", .token),
    ("signedRenewalInfo", .token), ("signed_renewal_info", .token),
    ("transactionInfo", .token), ("renewalInfo", .token),
    // Notifications as Apple posts them.
    ("signedPayload", .token), ("signed_payload", .token),
    // StoreKit 2 on the device.
    ("jwsRepresentation", .token), ("jws_representation", .token), ("jws", .token),
    ("signedTransaction", .token), ("signed_transaction", .token),
    // History, refund and order look-ups.
    ("signedTransactions", .tokens), ("signed_transactions", .tokens),
    // Status responses and notification history.
    ("data", .container), ("lastTransactions", .container), ("last_transactions", .container),
    ("notificationHistory", .container), ("notification_history", .container),
    // Objects that servers put around any of these.
    ("response", .container), ("notification", .container), ("payload", .container),
    ("body", .container),
    ("transactionId", .payloadMark), ("autoRenewProductId", .payloadMark),
    ("autoRenewStatus", .payloadMark), ("notificationType", .payloadMark),
    // Decoded payloads with their names in snake case. Receipts do not have these names.
    ("signed_date", .payloadMark), ("transaction_reason", .payloadMark),
    ("offer_discount_type", .payloadMark),
  ])
}
