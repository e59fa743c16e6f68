internal import Amounts
internal import CivilTime
internal import PaidAmounts
package import Pipeline
internal import Warehouse

extension PolicyComparison {
  /// Two tables: the months in which the policies differ, and the sums over all months.
  ///
  /// The second table has one row per currency.
  private var figures: [FactSection] {
    let differing = groups.filter { $0.value.differingRows > 0 }.sorted { $0.key < $1.key }
    let sorted = totals.sorted { ($0.key?.code ?? "") < ($1.key?.code ?? "") }
    return [
      FactSection(
        "months", title: "Months in which the policies differ, by purchase month",
        columns: ["month", "product_id", "currency"] + Self.sumColumns,
        rows: differing.map { group, sums in
          [.text(group.month), .text(group.productID), FactSection.Value(group.currency?.code)]
            + sums.values
        }),
      FactSection(
        "totals", title: "All months together", columns: ["currency"] + Self.sumColumns,
        rows: sorted.map { currency, sums in
          [FactSection.Value(currency?.code)] + sums.values
        }),
    ]
  }

  /// The purchases whose amounts differ, with the amount (or its bounds) and the rule per policy.
  private var rowSection: FactSection {
    FactSection(
      "rows", title: "The rows behind the differences",
      columns: ["transaction_id", "purchased_at", "product_id", "currency"]
        + Self.policies.flatMap { policy in
          let name = policy.rawValue
          return ["\(name)_milli", "\(name)_low_milli", "\(name)_high_milli", "\(name)_rule"]
        },
      rows: rows.map { row in
        [
          .text(row.transactionID), .text(row.purchasedAt.text), .text(row.group.productID),
          FactSection.Value(row.group.currency?.code),
        ]
          + row.amounts.flatMap { amount -> [FactSection.Value] in
            let isKnown = amount.paid != nil
            return [
              FactSection.Value(amount.paid?.rawValue),
              FactSection.Value(isKnown ? nil : amount.low.rawValue),
              FactSection.Value(isKnown ? nil : amount.high?.rawValue),
              .text(amount.rule.rawValue),
            ]
          }
      })
  }

  private static let sumColumns =
    policies.map { "\($0.rawValue)_milli" }
    + policies.dropFirst().map { "\($0.rawValue)_difference_milli" }
    + policies.map { "\($0.rawValue)_unresolved_rows" } + ["differing_rows"]

  /// Formats the comparison as text; `withRows` adds the purchases whose amounts differ.
  package func text(withRows: Bool) -> String {
    guard !rows.isEmpty else {
      return "All renewal policies give the same revenue for every month, product and currency "
        + "(\(groups.count) in all). The pipeline uses \(policy.rawValue)."
    }
    let head =
      "Revenue by renewal policy; the pipeline uses \(policy.rawValue). Differences are relative "
      + "to the policy history.\nRows without an amount are listed, but not included in the sums."
    let sections = figures + (withRows ? [rowSection] : [])
    return ([head] + sections.map(\.text)).joined(separator: "\n\n")
  }

  /// Formats the comparison as JSON; `withRows` adds the purchases whose amounts differ.
  package func json(withRows: Bool) -> JSONText {
    .object(
      [.init("renewal_prices", .text(policy.rawValue))] + figures.map(\.json)
        + (withRows ? [rowSection.json] : []))
  }
}

extension PolicyComparison.Sums {
  /// The values of `sumColumns`, in the order of the columns.
  fileprivate var values: [FactSection.Value] {
    let first = booked.first?.rawValue ?? 0
    return booked.map { .number($0.rawValue) }
      + booked.dropFirst().map { .number($0.rawValue - first) }
      + unresolvedRows.map { .number($0) } + [.number(differingRows)]
  }
}
