internal import PurchaseModel

/// The storefronts in production records, chain by chain.
///
/// A record with a storefront gives one sighting for each chain of its rows, excluded purchases
/// included.
func storefrontSightings(_ set: SightingSet, groups: SightingGroups, purchases: [Purchase])
  -> [StorefrontSighting]
{
  guard set.records.contains(where: { $0.storefront != nil && !$0.isSandbox }) else { return [] }
  // A record often holds a dozen rows of one chain, and these are neighbours among the groups.
  var newest = [OriginalTransactionID?](repeating: nil, count: set.records.count)
  var found: [StorefrontSighting] = []
  for group in 0..<groups.count {
    let chain = purchases[group].originalTransactionID
    for member in groups.members(group) {
      let number = Int(set.sightings[Int(groups.order[member])].record)
      let record = set.records[number]
      guard let storefront = record.storefront, !record.isSandbox, newest[number] != chain else {
        continue
      }
      newest[number] = chain
      found.append(
        StorefrontSighting(
          observedAt: record.snapshotAt, storefront: storefront, customer: record.customer,
          originalTransactionID: chain))
    }
  }
  return found
}

/// The storefronts in production records without any row, if the set holds all records.
func loneStorefronts(of set: SightingSet) -> [StorefrontSighting] {
  var hasRow = [Bool](repeating: false, count: set.records.count)
  for sighting in set.sightings { hasRow[Int(sighting.record)] = true }
  return set.records.indices.compactMap { number in
    let record = set.records[number]
    guard !hasRow[number], !record.isSandbox, let storefront = record.storefront else { return nil }
    return StorefrontSighting(
      observedAt: record.snapshotAt, storefront: storefront, customer: record.customer,
      originalTransactionID: nil)
  }
}

/// Storefront sightings that come in any order, by customer, chain, time and storefront, each once.
func inOrder(_ all: [StorefrontSighting]) -> [StorefrontSighting] {
  let sorted = all.sorted(by: precedes)
  var distinct: [StorefrontSighting] = []
  distinct.reserveCapacity(sorted.count)
  for sighting in sorted where distinct.last != sighting { distinct.append(sighting) }
  return distinct
}

private func precedes(_ left: StorefrontSighting, _ right: StorefrontSighting) -> Bool {
  if left.customer != right.customer {
    guard let first = left.customer, let second = right.customer else {
      return left.customer == nil
    }
    return first < second
  }
  if left.originalTransactionID != right.originalTransactionID {
    guard let first = left.originalTransactionID, let second = right.originalTransactionID else {
      return left.originalTransactionID == nil
    }
    return first < second
  }
  return (left.observedAt, left.storefront) < (right.observedAt, right.storefront)
}
