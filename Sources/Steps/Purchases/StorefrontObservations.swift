internal import PurchaseModel

/// Returns the storefronts in production records, with the chains of each record.
///
/// A record with a storefront results in one observation per chain of the record. Chains whose
/// purchases are excluded from revenue are included.
func storefrontObservations(_ set: Observations, groups: ObservationGroups, purchases: [Purchase])
  -> [StorefrontObservation]
{
  guard set.records.contains(where: { $0.storefront != nil && !$0.isSandbox }) else { return [] }
  // A record often has a dozen rows of one chain, in neighboring groups.
  var newest = [OriginalTransactionID?](repeating: nil, count: set.records.count)
  var found: [StorefrontObservation] = []
  for group in 0..<groups.count {
    let chain = purchases[group].originalTransactionID
    for member in groups.members(group) {
      let number = Int(set.observations[Int(groups.order[member])].record)
      let record = set.records[number]
      guard let storefront = record.storefront, !record.isSandbox, newest[number] != chain else {
        continue
      }
      newest[number] = chain
      // A service's row states the storefront of its purchase, in whatever state it is.
      let row = set.observations[Int(groups.order[member])]
      found.append(
        StorefrontObservation(
          observedAt: row.service == nil ? record.snapshotAt : row.purchasedAt,
          storefront: storefront, customer: record.customer,
          originalTransactionID: chain))
    }
  }
  return found
}
