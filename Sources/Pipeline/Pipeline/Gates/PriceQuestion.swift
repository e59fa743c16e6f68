internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel

/// Formats an unexplained price rise: nothing shows whether existing subscribers pay the new price.
enum PriceQuestion {
  /// Returns a message with the price rise, the number of renewals that are unresolved because of
  /// it, and the command that writes the line of the catalogue that resolves them.
  ///
  /// - Parameter catalogue: The catalogue, which may have a line that was meant for the rise.
  static func text(
    _ question: PriceChangeQuestion, symbols: SymbolTable, catalogue: Catalogue, pipeline: String
  ) -> String {
    let product = symbols.text(question.productID.symbol)
    let currency = question.currency
    let place = question.storefront.map { " in \($0.code)" } ?? ""
    let line = CatalogueLine.priceChange(
      of: product, bundleID: question.productID.app.map { symbols.text($0.symbol) },
      in: currency, storefront: question.storefront, from: question.from.text,
      subscribers: .preserved)
    return """
      the price of \(product) rose\(place) from \(question.oldPrice.text(in: currency)) to \
      \(question.newPrice.text(in: currency)) at or before \(question.from.text), and nothing \
      shows whether existing subscribers were moved to it; \
      \(Count.text(question.rows, "renewal")) unresolved until your catalogue says it: \
      \(line.command(pipeline: pipeline)) (moved instead of preserved if they pay the new price; \
      the true day, if the price changed earlier)\(missed(question, catalogue) ?? "")
      """
  }

  /// Returns why the line nearest to a rise does not explain it; `nil` without a line in the year
  /// before and after.
  private static func missed(_ question: PriceChangeQuestion, _ catalogue: Catalogue) -> String? {
    func distance(_ change: Catalogue.PriceChange) -> Int64 {
      abs(change.from.daysSinceEpoch - question.from.daysSinceEpoch)
    }
    let changes = catalogue.products[question.productID]?.priceChanges ?? []
    let nearest = changes.filter { $0.currency == question.currency }
      .min { (distance($0), $0.from) < (distance($1), $1.from) }
    guard let nearest, distance(nearest) <= 365 else { return nil }
    let reason: String
    if let storefront = nearest.storefront, storefront != question.storefront {
      reason = "it is about \(storefront.code) alone"
    } else if nearest.from > question.from {
      reason = "the price rose before that day"
    } else if distance(nearest) > 120 {
      reason = "the price rose more than 120 days after that day"
    } else {
      return nil
    }
    return "; your line from \(nearest.from.text) does not settle it: \(reason)"
  }
}
