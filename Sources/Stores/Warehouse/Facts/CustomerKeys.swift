internal import Crypto
public import Diagnostics
internal import PurchaseModel

/// The key of a customer in a warehouse: the first 32 hex digits of HMAC-SHA256(key, customer id).
///
/// - Returns: 32 hexadecimal digits in lower case.
/// - Throws: ``RunFailure`` for a key shorter than 32 bytes, because it could be guessed.
public func warehouseKey(ofCustomer customer: String, key: [UInt8]) throws(RunFailure) -> String {
  try CustomerKeys.check(key)
  let digits = CustomerKeys.digits(of: customer.utf8, CustomerKeys.code(key))
  return String(decoding: digits, as: UTF8.self)
}

/// The keyed hashes of the customers in a batch of households, computed once per customer.
///
/// A hash is the first 32 hex digits of HMAC-SHA256(key, customer id).
struct CustomerKeys {
  private let context: FactContext
  private var known: [CustomerID: [UInt8]] = [:]

  init(_ context: FactContext) { self.context = context }

  /// Removes the cached hashes, after a batch of households.
  mutating func removeAll() { known.removeAll(keepingCapacity: true) }

  /// The hexadecimal digits of a customer's keyed hash.
  ///
  /// `nil` without a customer id, or if the customer is erased.
  mutating func digits(of customer: CustomerID?) -> ArraySlice<UInt8>? {
    guard let customer, !context.customers.isErased(customer) else { return nil }
    if let digits = known[customer] { return digits[...] }
    let digits = Self.digits(of: context.customers.utf8(customer), context.customerCode)
    known[customer] = digits
    return digits[...]
  }

  /// The HMAC state after the key was processed, before the first byte of an id.
  ///
  /// Each hash starts from a copy of this state, because processing the key again would cost as
  /// much as processing an id.
  static func code(_ key: [UInt8]) -> HMAC<SHA256> { HMAC(key: SymmetricKey(data: key)) }

  /// The first 128 bits of a customer's keyed hash.
  static func hash(of customer: some Collection<UInt8>, _ keyed: HMAC<SHA256>) -> UInt128 {
    var code = keyed
    code.update(data: Array(customer))
    return code.finalize().prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }

  static func digits(of customer: some Collection<UInt8>, _ keyed: HMAC<SHA256>) -> [UInt8] {
    let hash = hash(of: customer, keyed)
    return stride(from: 124, through: 0, by: -4).map { shift in
      let value = UInt8(truncatingIfNeeded: hash >> UInt128(shift)) & 15
      return value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
  }

  /// Reads a keyed hash from its stored hexadecimal digits.
  static func hash(digits: UnsafeRawBufferPointer) -> UInt128 {
    unsafe digits.reduce(0) { hash, digit in
      hash << 4 | UInt128(digit & 15) + (digit < UInt8(ascii: "a") ? 0 : 9)
    }
  }

  static func check(_ key: [UInt8]) throws(RunFailure) {
    guard key.count >= 32 else {
      throw RunFailure(
        .badConfiguration,
        "The customer key has \(key.count) bytes; it needs at least 32. Write 32 random bytes "
          + "to the file under customer_key_file in the pipeline.")
    }
  }
}
