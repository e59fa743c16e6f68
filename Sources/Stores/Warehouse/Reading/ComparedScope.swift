/// The currency of the comparison's sums, and the currencies that the sums leave out.
package struct ComparedScope: Hashable, Sendable {
  /// A currency that the sums leave out.
  package struct Missing: Hashable, Sendable {
    package var currency: String
    /// The number of charged and refunded units in Apple's reports.
    package var units: Int64

    package init(_ currency: String, units: Int64) {
      self.currency = currency
      self.units = units
    }
  }

  /// The currency of the sums.
  package var currency: String
  /// Whether amounts in other currencies are converted to ``currency``; else they are left out.
  package var isConverted: Bool
  /// The currencies that the sums leave out, sorted by units, the most units first.
  package var missing: [Missing]
  /// The units that the sums leave out, because Apple's own reports make them doubtful.
  package var doubted: Int64 = 0

  /// Creates a scope from its fields.
  package init(currency: String, isConverted: Bool, missing: [Missing]) {
    self.currency = currency
    self.isConverted = isConverted
    self.missing = missing
  }

  /// Finds the currencies without an exchange rate; `nil` if Apple's reports have no amounts.
  init?(_ totals: [AppleTotal], _ rates: ComparedRates) {
    guard !totals.isEmpty, let currency = rates.reporting ?? rates.main else { return nil }
    var units: [String: Int64] = [:]
    for total in totals where rates.rate(of: total.currency, in: total.month) == nil {
      units[total.currency] = Rate.sum(units[total.currency] ?? 0, total.units)
    }
    self.init(
      currency: currency, isConverted: rates.reporting != nil,
      missing: units.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { Missing($0.key, units: $0.value) })
  }
}
