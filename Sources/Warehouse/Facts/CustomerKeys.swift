internal import Crypto
public import Diagnostics
internal import PaidAmounts
internal import Parallel
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
  let digits = CustomerKeys.digits(
    of: customer.utf8.map(\.self)[...], code: HMAC<SHA256>(key: SymmetricKey(data: key)))
  return String(decoding: digits, as: UTF8.self)
}

/// The keyed hashes that stand for customers in the warehouse: the first 32 hex digits of
/// HMAC-SHA256(key, customer id), computed once a customer.
struct CustomerKeys: Sendable {
  /// How many digits stand for a customer.
  private static let length = 32

  private var places: [Int32]  // by symbol: the position of the 32 digits, -1 for no customer
  private var digits: [UInt8] = []

  /// Computes the hashes of all customers whom chains or price reports name, but not of those who
  /// were erased.
  ///
  /// - Throws: ``RunFailure`` for a key shorter than 32 bytes, which could be guessed.
  init(_ content: WarehouseContent, workers: Int) throws(RunFailure) {
    try Self.check(content.customerKey)
    let symbols = content.sightings.symbols
    places = [Int32](repeating: -1, count: symbols.count)
    var customers: [Symbol] = []
    func note(_ customer: CustomerID?) {
      guard let symbol = customer?.symbol, places[Int(symbol.rawValue)] < 0,
        !content.sightings.erasedCustomers.contains(symbol)
      else { return }
      places[Int(symbol.rawValue)] = Int32(customers.count * Self.length)
      customers.append(symbol)
    }
    for chain in content.purchases.chains { note(chain.customer) }
    for judged in content.amounts.reports {
      note(content.sightings.reports[Int(judged.report)].customer)
    }
    let hashed = customers
    let key = HMAC<SHA256>(key: SymmetricKey(data: content.customerKey))
    let count = workers > 1 ? min(workers * 4, hashed.count / 512 + 1) : 1
    let parts = inParallel(count, workers: workers) { part in
      hashed[hashed.count * part / count..<hashed.count * (part + 1) / count].flatMap {
        Self.digits(of: symbols.utf8($0), code: key)
      }
    }
    digits = joined(parts.map { $0[...] }, workers: workers)
  }

  /// The digits that stand for a customer; `nil` for nobody, and for one who was erased.
  func digits(of customer: CustomerID?) -> ArraySlice<UInt8>? {
    guard let customer else { return nil }
    let start = Int(places[Int(customer.symbol.rawValue)])
    return start < 0 ? nil : digits[start..<start + Self.length]
  }

  /// `code` is the keyed hash of nothing yet.
  fileprivate static func digits(of customer: ArraySlice<UInt8>, code: HMAC<SHA256>) -> [UInt8] {
    var code = code
    code.update(data: customer)
    return unsafe code.finalize().withUnsafeBytes { hash in
      unsafe [UInt8](unsafeUninitializedCapacity: length) { digits, count in
        for index in 0..<length {
          let byte = unsafe hash[index / 2]
          let digit = index % 2 == 0 ? byte >> 4 : byte & 15
          unsafe digits[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
        count = length
      }
    }
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
