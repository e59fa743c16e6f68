internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import Purchases

/// Finds the evidence with which the owner can make an unknown amount known.
enum ExplanationAdvice {
  /// Returns the remedy for a purchase about which the exports contradict each other.
  static func text(of conflict: PurchaseConflict) -> String {
    let field =
      switch conflict {
      case .product: "product"
      case .purchaseTime: "purchase time"
      }
    return "exports that agree on the \(field); check the files that are listed above, and remove "
      + "a wrong one with `paidline forget` (a correction with --correct has no effect)"
  }

  /// Returns the evidence that is missing for an unresolved row.
  ///
  /// - Parameters:
  ///   - kind: The kind of the row, such as a trial or a regular renewal.
  ///   - currency: The currency of the row; `nil` if unknown.
  static func text(
    rule: PriceRule, isFollowing: Bool, kind: PeriodKind, product: String, currency: Currency?,
    day: CivilDay
  ) -> String {
    guard let currency else {
      return "a price report with this transaction id; a price report of this customer, with "
        + "customer_id in the receipt export and in the price export; or the storefront in the export record with the receipt"
    }
    let series = "of \(product) in \(currency.code)"
    return switch kind {
    case .promo, .offerCode:
      "a price report with this transaction id and the offer, or the offer \(series) in the "
        + "catalogue"
    case .regular where rule == .previousRenewal && !isFollowing:
      "a price report with this transaction id, or a receipt with the earlier rows of its chain"
    case .regular where rule == .previousRenewal:
      "a price report with this transaction id, or price_changes \(series) in the catalogue, with "
        + "existing_subscribers: moved or preserved"
    case .regular, .oneTime:
      "a price report \(series) from about \(day.text), or its price in the catalogue"
    case .trial, .intro:
      "a price report \(series) with its introductory_price from about \(day.text)"
    }
  }
}
