/// Two different purchases with one key: a broken invariant (exit status 70).
public struct KeyCollision: Error, Hashable, Sendable {
  /// The key they share.
  public var key: PurchaseKey
  /// What the key of the one was made from.
  public var first: String
  /// What the key of the other was made from.
  public var second: String
}
