/// The policy for the price of a renewal after a price rise.
public enum RenewalPolicy: String, Hashable, Sendable, CaseIterable {
  /// Uses the price history, the catalogue's price changes and the customer's consent.
  case history
  /// Keeps the price of the first purchase for all renewals.
  case asPurchased = "as_purchased"
  /// Uses the newest regular price in the price history, even for older renewals.
  case asCurrent = "as_current"
}
