/// A charge as the owner's export has it.
struct AccountCharge: Sendable {
  /// The position in ``Account/purchases``.
  var purchase: Int
  var form: ChargeForm
  /// The time at which the owner's server stored the charge.
  var at: Int64
  /// Whether Apple sent the transaction again because it was refunded.
  var isRefund = false
}

/// A form in which an owner's export has charges.
enum ChargeForm: Sendable {
  /// Apple's decoded transactions, without their signatures.
  case decoded
  /// A table with one row per charge, as CSV.
  case table
  /// The same rows as JSON, one per line.
  case lines
  /// Events of RevenueCat's webhook.
  case webhook
}
