internal import Diagnostics
package import Warehouse

extension ComparedScope {
  /// A text about the currencies and charges that the comparison with Apple's reports leaves out.
  ///
  /// The text also names the settings that include these currencies. `nil` if nothing is left out.
  /// Example: `Only in USD, the currency with the most units sold. Not in this figure:
  /// 412 units in 3 other currencies; set reporting_currency and inputs.rates to compare all.`
  package var text: String? {
    let left = [currencyText, doubtText].compactMap(\.self)
    return left.isEmpty ? nil : left.joined(separator: " ")
  }

  /// A text about the charges that Apple's own reports make doubtful; `nil` if there are none.
  private var doubtText: String? {
    guard doubted > 0 else { return nil }
    return "Left out: \(Count.text(doubted, "unit")) on days on which Apple's Sales and Subscriber "
      + "reports differ or a number is implausible (cause doubted)."
  }

  private var currencyText: String? {
    guard !missing.isEmpty else { return nil }
    if isConverted {
      let units = missing.map { "\(Count.text($0.units, "unit")) in \($0.currency)" }
      return "Not in this figure, because no rate to \(currency) was found: "
        + units.joined(separator: ", ")
        + ". Add these rates under inputs.rates or inputs.more_rates."
    }
    let units = missing.reduce(0) { $0 &+ $1.units }
    let others = missing.count == 1 ? "1 other currency" : "\(missing.count) other currencies"
    return "Only in \(currency), the currency with the most units sold. Not in this figure: "
      + "\(Count.text(units, "unit")) in \(others); set reporting_currency and inputs.rates to "
      + "compare all."
  }
}
