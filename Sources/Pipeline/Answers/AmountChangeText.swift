internal import Amounts
internal import Pipeline
internal import SharedTables

/// The two sides of a change of a published amount, and its cause, as text.
enum AmountChangeText {
  /// The amount with its currency and status: `9.99 USD, inferred`; `not known, unresolved`.
  static func side(_ amount: PublishedAmount?) -> String {
    guard let amount else { return "no revenue" }
    return "\(value(amount)), \(amount.status)"
  }

  /// The side with the rule that decided: `9.99 USD, inferred by price_history`.
  static func sideWithRule(_ amount: PublishedAmount?) -> String {
    side(amount) + (amount.map { " by \($0.rule)" } ?? "")
  }

  private static func value(_ amount: PublishedAmount) -> String {
    guard let paid = amount.paid else { return "not known" }
    let currency = amount.currency.flatMap { Currency($0) }
    return currency.map { Milliunits(paid).text(in: $0) } ?? Milliunits(paid).text(decimals: 2)
  }

  static func json(_ amount: PublishedAmount?) -> JSONText {
    guard let amount else { return .null }
    return .object([
      .init("paid_milli", .number(orNull: amount.paid)),
      .init("currency", .text(orNull: amount.currency)),
      .init("price_status", .text(amount.status)), .init("price_rule", .text(amount.rule)),
    ])
  }
}
