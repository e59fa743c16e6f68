internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The currencies in the reports of each household, sorted by time.
///
/// They determine the currency of a row without a storefront.
struct HouseholdCurrencies: Sendable {
  private struct Entry: Sendable, Timed {
    var owner: Int
    var time: Int64
    var doubt: Int64
    var report: ReportPosition
    var currency: Currency
  }

  private let byHousehold: Grouping<Entry>

  /// Collects the reports whose currency is usable.
  ///
  /// Leaves out currency mismatches, reports with a contested storefront or of another store, and
  /// currencies that never existed.
  init(_ batch: HouseholdBatch, reportVerdicts: [ReportVerdict]) {
    var entries: [Entry] = []
    for (position, own) in batch.reports.enumerated() {
      let verdict = reportVerdicts[position].verdict
      guard let household = own.household, verdict != .currencyMismatch,
        verdict != .contestedPlace, !own.isOfOtherStore, own.report.currency.isKnown
      else { continue }
      entries.append(
        Entry(
          owner: Int(household.rawValue), time: own.time.milliseconds,
          doubt: doubt(
            madeAt: own.report.reportedAt, placedAt: own.time, isBelieved: verdict.isBelieved),
          report: ReportPosition(position), currency: own.report.currency))
    }
    byHousehold = Grouping(
      entries, count: batch.households, by: { $0.owner },
      orderedBy: { ($0.time, $0.doubt, $0.report) < ($1.time, $1.doubt, $1.report) })
  }

  /// Returns true if a report's household also reported another currency, within 60 days of a
  /// moment.
  func isContradicted(_ report: ReportPosition, at time: Instant, household: HouseholdNumber)
    -> Bool
  {
    let entries = byHousehold.items[byHousehold[Int(household.rawValue)]]
    guard let own = entries.first(where: { $0.report == report }) else { return false }
    return entries.contains { entry in
      entry.currency != own.currency
        && abs(entry.time - time.milliseconds) <= Milliseconds.days(60).rawValue
    }
  }

  /// The currency of the household's report nearest to a moment.
  ///
  /// Of two equally near reports, prefers the earlier. Of several reports at one time, prefers the
  /// lowest rank of ``doubt(madeAt:placedAt:isBelieved:)``.
  func nearest(to time: Instant, household: HouseholdNumber) -> Currency? {
    byHousehold.nearest(to: time.milliseconds, in: byHousehold[Int(household.rawValue)]).map {
      byHousehold.items[$0].currency
    }
  }
}
