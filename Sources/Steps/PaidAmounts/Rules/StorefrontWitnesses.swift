internal import CivilTime
internal import PriceLearning
internal import PurchaseModel

extension PriceEvidence {
  /// Whether the household's moments leave no doubt about the storefront of a report.
  ///
  /// One of two conditions must hold:
  ///
  /// 1. Each moment that names a storefront names one with the row's currency and price list.
  /// 2. The storefront changes only once over time, to or from such a storefront. The nearest
  ///    moments before and after the purchase both name such a storefront, and at least two days
  ///    within 90 days do too. The moment of the report itself does not count.
  ///
  /// Example: reports from Poland, the United States, Poland → false. Two accounts seem to use one
  /// phone, and the report may be that of the other account.
  ///
  /// Where the currency contradicts the household's storefronts, which are then left out, a row
  /// without any storefront has no such moments.
  func hasCertainStorefront(_ position: ReportPosition, _ row: PricingContext) -> Bool {
    guard let household = row.household else { return true }
    if row.storefront == nil, misplaced.contains(household) { return false }
    let all = moments.naming(household)
    let fits = all.map { $0.storefront.map { isOfRow($0, row) } ?? true }
    if fits.allSatisfy(\.self) { return true }
    guard zip(fits, fits.dropFirst()).count(where: { $0 != $1 }) == 1 else { return false }
    return isWitnessed(
      row, reportedAt: report(position).reportedAt, zip(all, fits).map { ($0, $1) })
  }

  /// Returns true if a storefront has the currency and the price list of a row.
  private func isOfRow(_ storefront: Storefront, _ row: PricingContext) -> Bool {
    if storefront == row.storefront { return true }
    guard prices.currencies.currency(of: storefront, at: row.time) == row.currency else {
      return false
    }
    guard let market = row.market else { return true }
    return prices.lists(of: market, for: storefront) == row.lists
  }

  /// Returns true if the moments around a purchase show the row's storefront.
  ///
  /// Leaves out the moment of the report and the moment of the purchase. `isFitting` is true for a
  /// moment in the row's storefront.
  private func isWitnessed(
    _ row: PricingContext, reportedAt: Instant,
    _ moments: [(moment: HouseholdMoments.Moment, isFitting: Bool)]
  ) -> Bool {
    let others = moments.filter {
      !$0.moment.contains(reportedAt) && !$0.moment.contains(row.time)
    }
    let before = others.last { $0.moment.through < row.time.milliseconds }
    let after = others.first { $0.moment.from > row.time.milliseconds }
    guard before?.isFitting == true, after?.isFitting == true else { return false }
    let reach = Milliseconds.days(90).rawValue
    let days = Set(
      others.lazy.filter {
        $0.isFitting && abs($0.moment.from - row.time.milliseconds) <= reach
      }.map { Instant(milliseconds: $0.moment.from).day })
    return days.subtracting([row.time.day]).count >= 2
  }
}
