internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel

/// Formats an unexplained price rise: nothing shows whether existing subscribers pay the new price.
enum PriceQuestion {
  /// Returns a message with the price rise, the number of renewals that are unresolved because of
  /// it, and the command that writes the line of the catalogue that resolves them.
  static func text(_ question: PriceChangeQuestion, symbols: SymbolTable, pipeline: String)
    -> String
  {
    let product = symbols.text(question.productID.symbol)
    let currency = question.currency
    let place = question.storefront.map { " in \($0.code)" } ?? ""
    let line = CatalogueLine.priceChange(
      of: product, bundleID: question.productID.app.map { symbols.text($0.symbol) },
      in: currency, storefront: question.storefront, from: question.from.text,
      subscribers: .moved)
    return """
      the price of \(product) rose\(place) from \(question.oldPrice.text(in: currency)) to \
      \(question.newPrice.text(in: currency)) at or before \(question.from.text), and nothing \
      shows whether existing subscribers were moved to it; \
      \(Count.text(question.rows, "renewal")) unresolved until your catalogue says it: \
      \(line.command(pipeline: pipeline)) (preserved instead of moved if they keep the old price; \
      the true day, if the price changed earlier)
      """
  }
}
