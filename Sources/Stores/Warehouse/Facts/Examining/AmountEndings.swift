public import Amounts

/// The different amounts of one file, by their last digit.
///
/// Apple's prices end in few ways: 9.99, 12.50, 119.00. Amounts that a service converted from
/// another currency end in all digits: 7.61, 6.38. Only currencies with decimals are counted.
public struct AmountEndings: Hashable, Sendable {
  /// An amount in a currency.
  private struct Amount: Hashable {
    var price: Milliunits
    var currency: Currency
  }

  /// The largest number of amounts that are kept; more do not change the result.
  private static let most = 10_000

  private var amounts: Set<Amount> = []
  /// The amounts whose last digit is neither 0, 5 nor 9; the first three by value are examples.
  private var odd: Set<Amount> = []

  /// Creates endings of no amounts.
  public init() {}

  /// The number of different amounts.
  public var count: Int { amounts.count }

  /// Whether more than a quarter of at least 20 different amounts end in other digits than 0, 5
  /// and 9.
  public var areConverted: Bool { amounts.count >= 20 && odd.count * 4 > amounts.count }

  /// The number of amounts that end in other digits.
  public var oddCount: Int { odd.count }

  /// Three amounts that end in other digits: `6.38 EUR, 7.61 EUR, 8.12 EUR`.
  public var examples: String {
    odd.sorted { ($0.price, $0.currency) < ($1.price, $1.currency) }.prefix(3)
      .map { $0.price.text(in: $0.currency) }.joined(separator: ", ")
  }

  /// Adds an amount; an amount of 0 or with impossible decimals is ignored.
  public mutating func add(_ price: Milliunits, _ currency: Currency) {
    guard price > .zero, (1...3).contains(currency.decimals), currency.allows(price),
      amounts.count < Self.most
    else { return }
    let amount = Amount(price: price, currency: currency)
    guard amounts.insert(amount).inserted else { return }
    let unit: Int64 = [100, 10, 1][currency.decimals - 1]
    if ![0, 5, 9].contains(price.rawValue / unit % 10) { odd.insert(amount) }
  }

  /// Adds the amounts of another file.
  public mutating func add(_ other: AmountEndings) {
    amounts.formUnion(other.amounts)
    odd.formUnion(other.odd)
  }
}
