internal import Amounts
internal import ExchangeRates
internal import Proceeds
internal import PurchaseModel

/// The values that gates check: sums over the facts, and properties of the inputs.
struct ExaminedFacts {
  var tally: FactTally
  /// The interned texts of the symbols in ``tally``, such as product ids.
  var symbols: SymbolTable
  /// Whether there are placeholder customer ids, which many Apple accounts share.
  var hasPlaceholderIDs: Bool
  /// Whether the catalogue has any price.
  var hasListedPrices: Bool
  /// Whether the exports have any price report.
  var hasReports: Bool
  /// The reporting currency; `nil` if the pipeline has none.
  var reporting: Currency?
}

extension Reconstruction {
  var examined: ExaminedFacts {
    ExaminedFacts(
      tally: tally, symbols: observations.symbols, hasPlaceholderIDs: !placeholderIDs.isEmpty,
      hasListedPrices: catalogue.hasPrices, hasReports: !reported.isEmpty,
      reporting: reporting?.currency)
  }
}

extension Catalogue {
  /// Whether the catalogue has a price of a product or an offer.
  var hasPrices: Bool {
    !products.values.allSatisfy { $0.prices.isEmpty && $0.offers.isEmpty }
  }
}
