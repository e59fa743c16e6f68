/// The unit of the prices in an export: the key `price_unit` of a pipeline.
public enum PriceUnit: String, Hashable, Sendable, CaseIterable {
  /// The currency's main unit: `9.99` is 9.99 USD.
  case main
  /// The smallest unit of the currency: `999` is 9.99 USD, `120` is 120 JPY.
  case minor
  /// Thousandths of the main unit, as in Apple's server API: `9990` is 9.99 USD.
  case thousandth
  /// Millionths of the main unit, as in Google Play's API: `9990000` is 9.99 USD.
  case micro

  /// The number of these units per main unit of a currency.
  ///
  /// Examples: 100 for `minor` in USD, 1 for `minor` in JPY; 1,000 for `thousandth` and 1,000,000
  /// for `micro` in both currencies.
  public func count(perMainUnitOf currency: Currency) -> Int64 {
    switch self {
    case .main: 1
    case .minor: (0..<currency.decimals).reduce(1) { count, _ in count * 10 }
    case .thousandth: 1000
    case .micro: 1_000_000
    }
  }

  /// Converts a number in this unit into an amount.
  ///
  /// Example: the number 999 in the unit `minor` and the currency USD is 9.99 USD.
  ///
  /// - Parameters:
  ///   - number: The number in the export, read as if its unit were the main unit: `999` is 999
  ///     main units, so 999,000 thousandths.
  public func amount(_ number: Milliunits, in currency: Currency) throws(AmountError) -> Milliunits
  {
    let count = count(perMainUnitOf: currency)
    guard number.rawValue % count == 0 else { throw .tooPrecise }
    let amount = Milliunits(number.rawValue / count)
    guard amount <= .largestPrice else { throw .tooLarge }
    return amount
  }

  /// The limit for numbers in this unit before ``amount(_:in:)`` converts them.
  ///
  /// A number is read as if its unit were the main unit, so it may be far above a price. Example:
  /// ``Milliunits/largestPrice`` × 1,000 for the unit `thousandth`.
  public var largestNumber: Milliunits {
    switch self {
    case .main: .largestPrice
    case .minor, .thousandth: Milliunits(Milliunits.largestPrice.rawValue * 1000)
    case .micro: Milliunits(Milliunits.largestPrice.rawValue * 1_000_000)
    }
  }
}
