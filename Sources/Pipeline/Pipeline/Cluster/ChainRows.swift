internal import CivilTime
internal import PurchaseModel

/// The rows of one chain in one export.
struct PartRow: CodedRow {
  static let tag = "part"
  var chain: Int64 = 0
  /// The hash and the kind of the export.
  var file: [UInt8] = []
  var payload: [UInt8] = []

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("chain", key: &chain)
    try coder.code("file", bytes: &file)
    try coder.code("payload", packed: &payload)
  }
}

/// A record with a customer and a storefront, but without transaction rows.
struct StorefrontRow: CodedRow {
  static let tag = "storefront"
  var file: [UInt8] = []
  /// The number of the record in the export.
  var number: Int64 = 0
  var customer: [UInt8] = []
  var storefront = Storefront(rawValue: 0)
  var observedAt = Instant.epoch

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("file", bytes: &file)
    try coder.code("record", &number)
    try coder.code("customer", bytes: &customer)
    try coder.code("storefront", &storefront)
    try coder.code("observed_at", &observedAt)
  }
}

/// A merged chain.
struct ChainRow: CodedRow {
  static let tag = "chain"
  var key: Int64 = 0
  /// Whether the chain has no household: it is of the sandbox, or later than `--as-of`.
  var isSandbox = false
  /// Whether it is a subscription or a non-consumable.
  var isDurable = false

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("chain", key: &key)
    try coder.code("is_sandbox", &isSandbox)
    try coder.code("is_durable", &isDurable)
  }
}

/// A response that has rows of a chain.
struct SeenRow: CodedRow {
  static let tag = "seen"
  var chain: Int64 = 0
  /// The position of the export in the rows `file`.
  var file: Int32 = 0
  /// The number of the response in the export.
  var ordinal: Int32 = 0

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("chain", key: &chain)
    try coder.code("file", number: &file)
    try coder.code("ordinal", number: &ordinal)
  }
}

/// A customer of a chain.
struct NamedRow: CodedRow {
  static let tag = "named"
  var chain: Int64 = 0
  var customer: [UInt8] = []
  /// Larger for the customer of a later response.
  var recency: Int64 = 0

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("chain", key: &chain)
    try coder.code("customer", bytes: &customer)
    try coder.code("recency", &recency)
  }
}

/// The claim of a chain's purchase to a transaction id.
struct TransactionRow: CodedRow {
  static let tag = "transaction"
  var id: [UInt8] = []
  var chain: Int64 = 0
  var strength: Int64 = 0
  var purchase: Int64 = 0
  var purchasedAt = Instant.epoch
  var isExcluded = false
  var isSandbox = false
  var product = ProductFields()

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("transaction_id", bytes: &id)
    try coder.code("chain", key: &chain)
    try coder.code("strength", &strength)
    try coder.code("purchase", &purchase)
    try coder.code("purchased_at", &purchasedAt)
    try coder.code("is_excluded", &isExcluded)
    try coder.code("is_sandbox", &isSandbox)
    try product.coded(by: &coder)
  }
}
