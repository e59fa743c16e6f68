internal import Amounts
internal import ExchangeRates
internal import Proceeds
internal import PurchaseModel

/// The facts as gates read them: sums, and what lay behind them.
struct ExaminedFacts {
  var tally: FactTally
  /// The texts that the sums name.
  var symbols: SymbolTable
  /// Whether customer ids are placeholders, because many Apple accounts share them.
  var hasPlaceholderIDs: Bool
  /// Whether the catalogue lists a price.
  var hasListedPrices: Bool
  /// Whether a price report was read.
  var hasReports: Bool
  /// The reporting currency; `nil` where the pipeline names none.
  var reporting: Currency?
}

extension Reconstruction {
  /// The facts as gates read them.
  var examined: ExaminedFacts {
    ExaminedFacts(
      tally: tally, symbols: observations.symbols, hasPlaceholderIDs: !placeholderIDs.isEmpty,
      hasListedPrices: catalogue.hasPrices, hasReports: !reported.isEmpty,
      reporting: reporting?.currency)
  }
}

extension Catalogue {
  /// Whether it lists a price of a product or an offer.
  var hasPrices: Bool {
    !products.values.allSatisfy { $0.prices.isEmpty && $0.offers.isEmpty }
  }
}
