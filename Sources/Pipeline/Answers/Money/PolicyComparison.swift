internal import Amounts
internal import CivilTime
package import Diagnostics
package import PaidAmounts
package import Pipeline
internal import PurchaseModel
internal import Purchases

/// A comparison of renewal policies: the amount of each purchase under each policy.
///
/// A policy determines the price of a renewal after a price rise (`renewal_prices`).
package struct PolicyComparison {
  /// All renewal policies; the default policy is first.
  static let policies = RenewalPolicy.allCases

  /// The purchases of one product in one currency and one month.
  package struct Group: Hashable, Comparable {
    var month: String
    var productID: String
    /// The currency; `nil` if unknown.
    var currency: Currency?

    package static func < (left: Group, right: Group) -> Bool {
      (left.month, left.productID, left.currency?.code ?? "")
        < (right.month, right.productID, right.currency?.code ?? "")
    }
  }

  /// The sums of a group: one value per policy, in the order of ``policies``.
  package struct Sums: Hashable {
    var booked = [Milliunits](repeating: .zero, count: policies.count)
    var unresolvedRows = [Int64](repeating: 0, count: policies.count)
    /// The number of purchases in the group whose amount is not equal under all policies.
    var differingRows: Int64 = 0

    mutating func add(_ amounts: [PaidAmount], differ: Bool) throws(AmountError) {
      for (index, amount) in amounts.enumerated() {
        if let paid = amount.paid {
          booked[index] = try booked[index].adding(paid)
        } else {
          unresolvedRows[index] += 1
        }
      }
      if differ { differingRows += 1 }
    }
  }

  /// A purchase whose amounts differ between policies.
  struct Row: Hashable {
    var transactionID: String
    var purchasedAt: Instant
    var group: Group
    /// The amount under each policy, in the order of ``policies``.
    var amounts: [PaidAmount]
  }

  /// The sums of each group, under every policy.
  package private(set) var groups: [Group: Sums] = [:]
  /// The sums over all months and products, keyed by currency; the key `nil` is an unknown
  /// currency.
  private(set) var totals: [Currency?: Sums] = [:]
  /// The purchases whose amounts differ, sorted by product, currency, time and id.
  private(set) var rows: [Row] = []
  /// The renewal policy of the pipeline.
  let policy: RenewalPolicy

  /// Decides all amounts under every policy, batch by batch.
  ///
  /// - Parameters:
  ///   - product: The product to compare; `nil` for all products.
  /// - Throws: ``RunFailure`` with status 70 if an amount overflows.
  package static func of(
    _ prepared: consuming PreparedRun, policy: RenewalPolicy, product: String?
  ) throws(RunFailure) -> PolicyComparison {
    var comparison = PolicyComparison(policy: policy)
    var all = prepared
    let symbols = all.observations.symbols
    try all.batches().forEach { [context = all.context] batch throws(RunFailure) in
      try rows(HouseholdEvidence(batch, in: context), symbols, product: product)
    } then: { found throws(RunFailure) in
      try RunFailure.ofOverflow { () throws(AmountError) in
        for row in found { try comparison.add(row) }
      }
    }
    comparison.rows.sort { left, right in
      (left.group.productID, left.group.currency?.code ?? "", left.purchasedAt, left.transactionID)
        < (
          right.group.productID, right.group.currency?.code ?? "", right.purchasedAt,
          right.transactionID
        )
    }
    return comparison
  }

  private static func rows(
    _ household: HouseholdEvidence, _ symbols: SymbolTable, product: String?
  ) throws(RunFailure) -> [Row] {
    let books = try RunFailure.ofOverflow { () throws(AmountError) in
      try policies.map { policy throws(AmountError) in
        try household.evidence.paidAmounts(policy: policy).amounts
      }
    }
    return (0..<household.purchases.revenueCount).compactMap { row in
      let purchase = household.purchases.purchases[row]
      let name = symbols.text(purchase.productID.symbol)
      if let product, product != name { return nil }
      let group = Group(
        month: purchase.purchasedAt.day.monthText, productID: name,
        currency: books[0][row].currency)
      return Row(
        transactionID: purchase.transactionID.number.text(in: symbols),
        purchasedAt: purchase.purchasedAt, group: group, amounts: books.map { $0[row] })
    }
  }

  private mutating func add(_ row: Row) throws(AmountError) {
    let first = row.amounts.first?.paid
    let differs = row.amounts.contains { $0.paid != first }
    try groups[row.group, default: Sums()].add(row.amounts, differ: differs)
    try totals[row.group.currency, default: Sums()].add(row.amounts, differ: differs)
    if differs { rows.append(row) }
  }
}
