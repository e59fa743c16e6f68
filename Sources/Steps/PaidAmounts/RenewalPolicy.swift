/// The price that a renewal after a price rise is booked at.
public enum RenewalPolicy: String, Hashable, Sendable, CaseIterable {
  /// By the price history, the catalogue's changes and the customer's consent.
  case history
  /// At the price of the first purchase, for ever.
  case asPurchased = "as_purchased"
  /// At the newest price.
  case asCurrent = "as_current"
}
