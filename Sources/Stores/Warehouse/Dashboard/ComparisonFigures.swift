package import Amounts
internal import GRDB

/// A summary of the comparison of the facts with Apple's reports.
package struct ComparisonFigures: Hashable, Sendable {
  /// The difference between Apple's reports and the facts for a product, storefront, currency and
  /// cause.
  package struct Place: Hashable, Sendable {
    /// The product id, or Apple's number of the product if the product id is unknown.
    package var product: String
    /// The storefront; empty if unknown.
    package var storefront: String
    /// The currency; `nil` if unknown.
    package var currency: Currency?
    /// The number of units in Apple's reports minus the number in the facts.
    package var units: Int64
    /// The amount in Apple's reports minus the amount in the facts.
    package var difference: Milliunits
  }

  /// A cause of differences, with the largest differences that it explains.
  package struct Cause: Hashable, Sendable {
    /// The cause, as in `audit_reconciliation`.
    package var name: String
    /// The amount in Apple's reports minus the amount in the facts, over all differences with this
    /// cause.
    ///
    /// The unit is a hundredth of a percent of all money in Apple's reports, or of the facts' money
    /// if Apple's reports have no money. `nil` if no amount with this cause can be converted.
    package var share: Int64?
    /// The products and storefronts with the largest differences, the largest first.
    package var places: [Place]
  }

  /// The proportion of the money of both sides that is the same charge at the same price.
  ///
  /// See ``ComparedMoney/Sums/equalShare``.
  package var equalShare: Int64?
  /// The largest possible proportion of the equal money whose price comes from Apple's reports.
  ///
  /// See ``ComparedMoney/Sums/shareFromReports``.
  package var shareFromReports: Int64?
  /// The currency of the amounts from which ``equalShare`` is computed, and the currencies that are
  /// left out.
  ///
  /// `nil` if Apple's reports have no amounts.
  package var scope: ComparedScope?
  /// The first compared day; empty without Apple's reports.
  package var firstDay = ""
  package var lastDay = ""
  package var days: Int64 = 0
  /// The number of days between ``firstDay`` and ``lastDay`` without a report.
  package var missingDays: Int64 = 0
  /// The causes of the differences; the cause with the largest difference is first.
  package var causes: [Cause] = []

  init() {}

  init(_ money: ComparedMoney, on db: Database) throws {
    (equalShare, scope) = (money.total.equalShare, money.scope)
    shareFromReports = money.total.shareFromReports
    if let compared = try ComparedDays(on: db) {
      (firstDay, lastDay, days) = (compared.first, compared.last, compared.count)
      missingDays = compared.missing
    }
    let shares = money.total.differenceShares
    let size = { (cause: String) in shares[cause]?.magnitude ?? 0 }
    causes = Dictionary(grouping: money.largest, by: \.cause).sorted { left, right in
      (size(right.key), left.key) < (size(left.key), right.key)
    }.map { cause, places in
      Cause(
        name: cause, share: shares[cause],
        places: places.map { place in
          Place(
            product: place.product, storefront: place.storefront,
            currency: Currency(place.currency), units: place.units,
            difference: Milliunits(place.milli))
        })
    }
  }
}
