internal import Crypto
public import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// The digits that stand for one customer in a warehouse: the first 32 hex digits of
/// HMAC-SHA256(key, customer id).
///
/// - Parameters:
///   - customer: The export's customer id.
///   - key: The pipeline's key.
/// - Returns: 32 hexadecimal digits in lower case.
/// - Throws: ``RunFailure`` for a key shorter than 32 bytes, which could be guessed.
public func warehouseKey(ofCustomer customer: String, key: [UInt8]) throws(RunFailure) -> String {
  try CustomerKeys.check(key)
  return CustomerKeys.digits(of: Array(customer.utf8), key: SymmetricKey(data: key))
}

/// The keyed hashes that stand for customers in the warehouse: the first 32 hex digits of
/// HMAC-SHA256(key, customer id), computed once a customer.
struct CustomerKeys: Sendable {
  private var places: [Int32]  // by symbol: the position of the 32 digits, -1 for no customer
  private var digits: [UInt8] = []

  /// Computes the hashes of all customers whom chains or price reports name, but not of those who
  /// were erased.
  ///
  /// - Throws: ``RunFailure`` for a key shorter than 32 bytes, which could be guessed.
  init(_ content: WarehouseContent) throws(RunFailure) {
    try Self.check(content.customerKey)
    let symbols = content.sightings.symbols
    places = [Int32](repeating: -1, count: symbols.count)
    let key = SymmetricKey(data: content.customerKey)
    let customers =
      content.purchases.chains.compactMap(\.customer)
      + content.amounts.reports.compactMap { content.sightings.reports[Int($0.report)].customer }
    for customer in customers where places[Int(customer.symbol.rawValue)] < 0 {
      guard !content.sightings.erasedCustomers.contains(customer.symbol) else { continue }
      places[Int(customer.symbol.rawValue)] = Int32(digits.count)
      digits.append(
        contentsOf: Self.digits(of: Array(symbols.utf8(customer.symbol)), key: key).utf8)
    }
  }

  /// The digits that stand for a customer; `nil` for nobody, and for one who was erased.
  func digits(of customer: CustomerID?) -> ArraySlice<UInt8>? {
    guard let customer else { return nil }
    let start = Int(places[Int(customer.symbol.rawValue)])
    return start < 0 ? nil : digits[start..<start + 32]
  }

  fileprivate static func digits(of customer: [UInt8], key: SymmetricKey) -> String {
    var code = HMAC<SHA256>(key: key)
    code.update(data: customer)
    return hexadecimal(code.finalize().prefix(16))
  }

  fileprivate static func check(_ key: [UInt8]) throws(RunFailure) {
    guard key.count >= 32 else {
      throw RunFailure(
        .badConfiguration,
        "The customer key has \(key.count) bytes; it needs at least 32. Write 32 random bytes "
          + "to the file that customer_key_file names.")
    }
  }
}
