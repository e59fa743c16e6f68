internal import Amounts
internal import PurchaseModel

/// The storefront and currency of a running subscription, which its next row keeps.
///
/// A row after a lapse does not keep them.
struct SubscriptionStorefront: Hashable {
  var storefront: Storefront?
  var currency: Currency?
  /// Whether a row since the last lapse changed to the currency of another storefront.
  var hasMoved = false
  /// Whether storefront and currency are proven: by a signed transaction, by a report made on the
  /// day of a purchase, or by a record of the subscription near a purchase.
  var isProven = false
  /// Whether any evidence of the subscription states the storefront or its currency: a signed
  /// transaction, a report of a purchase, or a record of the subscription.
  var isStated = false
  /// Whether nothing shows in which of two storefronts the subscription was bought.
  var isContested = false

  /// Returns the subscription's storefront and currency after its next row.
  func next(
    _ storefront: Storefront?, _ currency: Currency?, isProven: Bool, isStated: Bool,
    isContested: Bool
  ) -> SubscriptionStorefront {
    let isOther = self.currency != nil && currency != nil && self.currency != currency
    // The currency of a storefront may change; this is not a move.
    let isElsewhere = self.storefront == nil || self.storefront != storefront
    let isKept = !isOther && self.storefront == storefront
    return SubscriptionStorefront(
      storefront: storefront, currency: currency, hasMoved: hasMoved || isOther && isElsewhere,
      isProven: isProven || self.isProven && isKept, isStated: isStated || self.isStated && isKept,
      isContested: isContested)
  }
}
