internal import ExportReading

/// The meaning of a key in the containers that tokens come in.
enum RecordKey: UInt8, Sendable {
  case customerID, appUserID, receivedAt, environment
  /// Holds a token, or the object that one was decoded to.
  case token
  /// Holds a list of tokens.
  case tokens
  /// Holds a further container: an object, a list of objects, or the same as text; or a token.
  case container
  /// Occurs in every decoded payload, and nowhere else.
  case payloadMark

  /// The names, as Apple's services, StoreKit and apps' servers write them.
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
    // Status responses, notification history.
    ("data", .container), ("lastTransactions", .container), ("last_transactions", .container),
    ("notificationHistory", .container), ("notification_history", .container),
    // The containers that servers put around all these.
    ("response", .container), ("notification", .container), ("payload", .container),
    ("body", .container),
    ("transactionId", .payloadMark), ("autoRenewProductId", .payloadMark),
    ("autoRenewStatus", .payloadMark), ("notificationType", .payloadMark),
  ])
}
