internal import CivilTime

/// The sample app's price list over time: the charged prices, and the catalogue's entries.
struct StorePlan: Sendable {
  /// The effect of a price change on existing subscribers.
  enum Effect: Sendable {
    /// Existing subscribers keep their price; the catalogue has the change.
    case preserved
    /// Existing subscribers pay the new price; the catalogue has the change.
    case moved
    /// Apple requests consent; subscribers pay the new price or leave.
    ///
    /// The catalogue lacks the change; renewal states and price reports show it.
    case consent
    /// A cut, or a change of a product that does not renew.
    ///
    /// All customers pay the new price, without a notice. The catalogue lacks the change.
    case everyone
  }

  /// One change of a regular price at midnight UTC.
  struct PriceStep: Sendable {
    var product: SampleProduct
    var currency: SampleCurrency
    /// The first moment of the new price, in Unix milliseconds.
    var at: Int64
    var price: Int64
    var effect: Effect

    /// Whether the catalogue has a `price_changes` line for the change.
    var isInCatalogue: Bool { effect == .preserved || effect == .moved }
  }

  /// The first moment of the store, midnight UTC, in Unix milliseconds.
  let start: Int64
  /// The moment after the store's last day, in Unix milliseconds.
  let end: Int64
  /// The number of days from ``start`` to ``end``.
  let days: Int
  /// The price changes: at most one for each product and currency.
  let steps: [PriceStep]
  private let stepOf: [Int]

  /// Plans the prices of a store with a number of days.
  init(firstDay: CivilDay, days: Int) {
    start = firstDay.start.milliseconds
    end = firstDay.advanced(by: Int64(days)).start.milliseconds
    self.days = days
    func step(
      _ product: SampleProduct, _ currency: SampleCurrency, perCent: Int, _ price: Int64,
      _ effect: Effect
    ) -> PriceStep {
      let day = firstDay.advanced(by: Int64(days * perCent / 100))
      return PriceStep(
        product: product, currency: currency, at: day.start.milliseconds, price: price,
        effect: effect)
    }
    steps = [
      step(.proMonthly, .usd, perCent: 35, 12_990, .preserved),
      step(.proMonthly, .eur, perCent: 45, 10_990, .moved),
      step(.plusMonthly, .usd, perCent: 50, 5_990, .consent),
      step(.newsWeekly, .gbp, perCent: 60, 1_190, .everyone),
      step(.proYearly, .jpy, perCent: 40, 6_800_000, .everyone),
      step(.coinsLarge, .usd, perCent: 55, 8_990, .everyone),
    ]
    var index = [Int](
      repeating: -1, count: SampleProduct.allCases.count * SampleCurrency.allCases.count)
    for (position, step) in steps.enumerated() {
      index[Self.series(step.product, step.currency)] = position
    }
    stepOf = index
  }

  /// The index of a product and currency in a list with one element per product and currency.
  static func series(_ product: SampleProduct, _ currency: SampleCurrency) -> Int {
    product.rawValue * SampleCurrency.allCases.count + currency.rawValue
  }

  /// The price change of a product in a currency; `nil` if the price never changes.
  func step(_ product: SampleProduct, _ currency: SampleCurrency) -> PriceStep? {
    let position = stepOf[Self.series(product, currency)]
    return position < 0 ? nil : steps[position]
  }

  /// The list price of one unit at a moment, in thousandths.
  func listPrice(_ product: SampleProduct, _ currency: SampleCurrency, at moment: Int64) -> Int64 {
    if let step = step(product, currency), moment >= step.at { return step.price }
    return product.basePrice(currency)
  }

  /// Whether the catalogue has the list price of a product.
  ///
  /// The catalogue has only list prices that never change.
  func hasCataloguePrice(_ product: SampleProduct, _ currency: SampleCurrency) -> Bool {
    switch (product, currency) {
    case (.season, .usd), (.season, .eur), (.season, .gbp), (.season, .pln): true
    case (.lifetime, .pln), (.lifetime, .brl): true
    default: false
    }
  }

  /// Whether the catalogue has the price of an offer.
  static func hasCatalogueOffer(_ identifier: String) -> Bool {
    identifier == "SPRING21" || identifier == "winback_year"
  }
}
