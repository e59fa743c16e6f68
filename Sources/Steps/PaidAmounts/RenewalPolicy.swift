/// The policy for the price of a renewal after a price rise.
public enum RenewalPolicy: String, Hashable, Sendable, CaseIterable {
  /// Uses the price history, the catalogue's price changes and the customer's consent.
  case history
  /// Renewals keep the price of the first purchase.
  case asPurchased = "as_purchased"
  /// Renewals have the newest price in force.
  case asCurrent = "as_current"
}
