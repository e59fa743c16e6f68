public import PaidAmounts
public import PurchaseModel
public import Purchases

/// The purchase that an id leads to, as far as a report asks.
public struct ClaimedPurchase: BitwiseCopyable, Sendable {
  /// Its key, time and exclusion.
  public var named: NamedPurchase
  /// Its product: a report of another one names nothing.
  public var productID: ProductID
  /// Whether it was bought in the sandbox: reports of it are not used.
  public var isSandbox: Bool
  /// Its chain.
  public var place: ChainPlace

  /// Creates a purchase of a chain from its fields.
  public init(_ purchase: Purchase, at place: ChainPlace) {
    named = NamedPurchase(purchase)
    productID = purchase.productID
    isSandbox = purchase.isSandbox
    self.place = place
  }

  /// Creates a claim on a purchase in a chain of another partition.
  public init(named: NamedPurchase, productID: ProductID, isSandbox: Bool, at place: ChainPlace) {
    self.named = named
    self.productID = productID
    self.isSandbox = isSandbox
    self.place = place
  }
}
