/// The price of a renewal after a price rise.
public enum RenewalPolicy: String, Hashable, Sendable, CaseIterable {
  /// According to the price history, the catalogue's changes and the customer's consent.
  case history
  /// The price of the first purchase, for ever.
  case asPurchased = "as_purchased"
  /// The newest price in force.
  case asCurrent = "as_current"
}
