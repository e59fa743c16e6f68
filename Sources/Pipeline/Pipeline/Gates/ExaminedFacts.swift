internal import Amounts
internal import ExchangeRates
internal import PurchaseModel
internal import Warehouse

/// The values that gates check: sums over the facts, and properties of the inputs.
struct ExaminedFacts {
  var sums: FactSums
  /// Whether there are placeholder customer ids, which many Apple accounts share.
  var hasPlaceholderIDs: Bool
  /// Whether the catalogue has any price.
  var hasListedPrices: Bool
  /// The reporting currency and its rates; `nil` if the pipeline has none.
  var reporting: ReportingCurrency?

  /// The number of amounts above 0 in each currency without any rate to the reporting currency.
  var unconverted: [String: Int] {
    guard let reporting else { return [:] }
    var rows: [String: Int] = [:]
    for (key, count) in sums.counts(named: FactSums.unconverted) {
      guard let code = key.currency, let currency = Currency(code),
        !reporting.rates.connects(currency, with: reporting.currency)
      else { continue }
      rows[code] = count
    }
    return rows
  }
}

extension Catalogue {
  /// Whether the catalogue has a price of a product or an offer.
  var hasPrices: Bool {
    !products.values.allSatisfy { $0.prices.isEmpty && $0.offers.isEmpty }
  }
}
