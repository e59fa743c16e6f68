public import PaidAmounts
public import PurchaseModel
public import Purchases

/// The purchase that has the transaction id of a report.
public struct ClaimedPurchase: BitwiseCopyable, Sendable {
  /// The key, time and app of the purchase, and whether the purchase is excluded from revenue.
  public var named: NamedPurchase
  /// The product of the purchase; a report about another product does not belong to the purchase.
  public var productID: ProductID
  /// Whether the purchase was made in the sandbox; then its reports are ignored.
  public var isSandbox: Bool
  /// The chain of the purchase.
  public var place: ChainPlace

  /// Creates a claimed purchase from a purchase and its chain.
  public init(_ purchase: Purchase, at place: ChainPlace) {
    named = NamedPurchase(purchase)
    productID = purchase.productID
    isSandbox = purchase.isTestPurchase
    self.place = place
  }

  /// Creates a claimed purchase from the values of a chain that another process merged.
  public init(named: NamedPurchase, productID: ProductID, isSandbox: Bool, at place: ChainPlace) {
    self.named = named
    self.productID = productID
    self.isSandbox = isSandbox
    self.place = place
  }
}
