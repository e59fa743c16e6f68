public import Amounts
public import CivilTime
public import PurchaseModel

/// What a renewal after a price rise is booked at.
public enum RenewalPolicy: String, Hashable, Sendable, CaseIterable {
  /// By the price history, the catalogue's changes and the customer's consent.
  case history
  /// At the price of the first purchase, for ever.
  case asPurchased = "as_purchased"
  /// At the newest price.
  case asCurrent = "as_current"
}

/// A renewal whose price only the catalogue can settle: the price rose, and nothing says for whom.
public struct PriceChangeQuestion: Hashable, Sendable {
  /// The product.
  public var productID: ProductID
  /// The currency.
  public var currency: Currency
  /// The storefront, where it has a price list of its own; `nil` for all that have none.
  public var storefront: Storefront?
  /// The day the new price appears in the history.
  public var from: CivilDay
  /// The price before.
  public var oldPrice: Milliunits
  /// The price after.
  public var newPrice: Milliunits
  /// How many rows wait for the answer.
  public var rows: Int
}
