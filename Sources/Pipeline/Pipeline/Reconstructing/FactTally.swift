internal import Amounts
internal import Deciding
internal import ExchangeRates
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The sums that the gates check, computed over all facts.
struct FactTally: Sendable {
  /// A product in a currency.
  ///
  /// If several apps sell a product id, their rows are added up.
  struct Series: Hashable, BitwiseCopyable {
    var productID: ProductID
    var currency: Currency?
  }

  /// The number of purchases, including excluded purchases.
  var purchases = 0
  /// The number of revenue rows.
  var revenue = 0
  /// The number of excluded purchases, keyed by reason.
  var excluded: [ExclusionReason: Int] = [:]
  /// Whether any chain has a customer id.
  var namesCustomer = false
  /// The number of revenue rows that are not free by rule.
  var chargeable = 0
  /// The number of chargeable rows without an amount, keyed by product and currency.
  var missing: [Series: Int] = [:]
  /// The number of amounts above 0 that lack an exchange rate to the reporting currency, keyed by
  /// currency.
  var unconverted: [Currency: Int] = [:]
  var bought: Set<ProductID> = []

  /// For each corrected purchase, the amount that the rules find without the correction.
  var corrected: [PurchaseKey: UncorrectedAmount] = [:]

  /// The number of chargeable rows without an amount.
  var unknown: Int { missing.values.reduce(0, +) }

  mutating func add(_ decided: DecidedHouseholds) {
    let book = decided.purchases
    purchases += book.purchases.count
    revenue += book.revenueCount
    for position in book.purchases.indices {
      bought.insert(book.purchases[position].productID)
      if let reason = book.purchases[position].exclusion { excluded[reason, default: 0] += 1 }
    }
    namesCustomer = namesCustomer || book.chains.contains { $0.customer != nil }
    for row in decided.amounts.corrected {
      corrected[book.purchases[row.row].key] = UncorrectedAmount(
        rule: row.without.rule.rawValue, paidMilli: row.without.paid?.rawValue)
    }
    let reporting = decided.reporting.currency
    for (row, amount) in decided.amounts.amounts.enumerated() {
      if amount.status != .zeroByRule {
        chargeable += 1
        if amount.paid == nil {
          let series = Series(
            productID: book.purchases[row].productID.withoutApp, currency: amount.currency)
          missing[series, default: 0] += 1
        }
      }
      if let paid = amount.paid, paid > .zero, let currency = amount.currency, let reporting,
        !reporting.rates.connects(currency, with: reporting.currency)
      {
        unconverted[currency, default: 0] += 1
      }
    }
  }

  mutating func add(_ other: FactTally) {
    purchases += other.purchases
    revenue += other.revenue
    excluded.merge(other.excluded, uniquingKeysWith: +)
    namesCustomer = namesCustomer || other.namesCustomer
    chargeable += other.chargeable
    missing.merge(other.missing, uniquingKeysWith: +)
    unconverted.merge(other.unconverted, uniquingKeysWith: +)
    bought.formUnion(other.bought)
    corrected.merge(other.corrected) { _, new in new }
  }
}
