internal import Crypto
public import PurchaseModel

/// The order of customers, which decides which of several equally new customers a chain gets.
///
/// Customers are ordered by rank, which is a hash of the id. The ids themselves cannot be compared:
/// the id of an erased customer is no longer stored, but an erasure must not change the customer of
/// a chain. The pseudonym of an erased customer contains the rank.
public struct CustomerOrder: Sendable {
  private let customers: Customers

  /// Creates the order of the customers in a table.
  public init(_ customers: Customers) { self.customers = customers }

  /// Returns true if one customer precedes another.
  public func precedes(_ left: CustomerID, _ right: CustomerID) -> Bool {
    let (first, second) = (rank(of: left), rank(of: right))
    guard first == second else { return first < second }
    return customers.utf8(left).lexicographicallyPrecedes(customers.utf8(right))
  }

  private func rank(of customer: CustomerID) -> String {
    let text = customers.utf8(customer)
    guard customers.isErased(customer) else { return Self.rank(of: text) }
    return String(decoding: text.dropFirst(Self.erasedPrefix.utf8.count).prefix(8), as: UTF8.self)
  }

  /// The prefix of an erased customer's pseudonym; the rank of the erased id follows the prefix.
  public static let erasedPrefix = "erased:"

  /// Returns the rank of a customer id: the first 8 hex digits of its SHA-256.
  public static func rank(of id: some Collection<UInt8>) -> String {
    Hexadecimal.text(SHA256.hash(data: Array(id)).prefix(4))
  }
}

/// The newest of several customers; if several are equally new, the last in ``CustomerOrder``.
struct NewestCustomer {
  private(set) var value: CustomerID?
  private(set) var recency = Int64.min

  /// Replaces the customer by a candidate that is newer, or equally new and last in the order.
  ///
  /// Ignores `nil`.
  mutating func include(
    _ candidate: CustomerID?, recency candidateRecency: Int64, order: CustomerOrder
  ) {
    guard let candidate, candidateRecency >= recency else { return }
    if let value, candidateRecency == recency, value != candidate, order.precedes(candidate, value)
    {
      return
    }
    value = candidate
    recency = candidateRecency
  }
}
