internal import PurchaseModel

/// The number of items of each kind in a set, before a record is read.
struct StagingMark {
  let records: Int
  let observations: Int
  let renewals: Int
  let reports: Int
  let offers: Int

  init(set: Observations) {
    records = set.records.count
    observations = set.observations.count
    renewals = set.renewals.count
    reports = set.reports.count
    offers = set.offers.count
  }

  /// Removes the items that were added to the set after this mark.
  func restore(_ set: inout Observations) {
    set.records.removeSubrange(records...)
    set.observations.removeSubrange(observations...)
    set.renewals.removeSubrange(renewals...)
    set.reports.removeSubrange(reports...)
    set.offers.removeSubrange(offers...)
  }
}
