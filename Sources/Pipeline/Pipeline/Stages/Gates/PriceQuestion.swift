internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel

/// Formats an unexplained price rise: nothing shows whether existing subscribers pay the new price.
enum PriceQuestion {
  /// Returns a message with the price rise, the number of renewals that are unresolved because of
  /// it, and the catalogue line that resolves them.
  static func text(_ question: PriceChangeQuestion, symbols: SymbolTable) -> String {
    let product = symbols.text(question.productID.symbol)
    let currency = question.currency
    let place = question.storefront.map { " in \($0.code)" } ?? ""
    let key = question.storefront.map { ", storefront: \($0.code)" } ?? ""
    let app = question.productID.app.map { " (bundle_id: \(symbols.text($0.symbol)))" } ?? ""
    return """
      the price of \(product) rose\(place) from \(question.oldPrice.text(in: currency)) to \
      \(question.newPrice.text(in: currency)) on \(question.from.text), and nothing shows whether \
      existing subscribers were moved to it; \(Count.text(question.rows, "renewal")) unresolved \
      until the catalogue has a line under price_changes of \(product)\(app): {currency: \
      \(currency.code)\(key), from: \(question.from.text), existing_subscribers: moved}; with \
      preserved instead of moved if they keep the old price
      """
  }
}
