internal import Parallel
internal import PurchaseModel

/// What production records say about storefronts, without repetition.
///
/// A record with a storefront gives one sighting for each chain that it holds a row of, excluded
/// purchases' included, and one without a chain where it holds no row; the latter only with
/// `hasLoneRecords`, as the rows of a record may be in another share.
func storefrontSightings(
  _ set: SightingSet, groups: SightingGroups, purchases: [Purchase], hasLoneRecords: Bool
) -> [StorefrontSighting] {
  let isNamed = set.records.map { $0.storefront != nil && !$0.isSandbox }
  guard isNamed.contains(true) else { return [] }

  // A record often holds a dozen rows of one chain, and these are neighbours among the groups.
  var newest = [OriginalTransactionID?](repeating: nil, count: set.records.count)
  var found: [StorefrontSighting] = []
  func add(_ record: Int, chain: OriginalTransactionID?) {
    guard let storefront = set.records[record].storefront else { return }
    found.append(
      StorefrontSighting(
        observedAt: set.records[record].snapshotAt, storefront: storefront,
        customer: set.records[record].customer, originalTransactionID: chain))
  }
  for group in 0..<groups.count {
    let chain = purchases[group].originalTransactionID
    for member in groups.members(group) {
      let record = Int(set.sightings[Int(groups.order[member])].record)
      guard isNamed[record], newest[record] != chain else { continue }
      newest[record] = chain
      add(record, chain: chain)
    }
  }
  if hasLoneRecords {
    for record in set.records.indices where isNamed[record] && newest[record] == nil {
      add(record, chain: nil)
    }
  }
  found.sort(by: precedes)
  return withoutRepetition(found)
}

/// Storefront sightings that come in any order, in order and each once; the symbols of all customers
/// are below `symbolCount`.
func inOrder(_ parts: [[StorefrontSighting]], symbolCount: Int) -> [StorefrontSighting] {
  let all = parts.flatMap(\.self)
  var keyed = all.indices.map {
    KeyedIndex(
      key: all[$0].customer.map { UInt64($0.symbol.rawValue) + 1 } ?? 0, index: UInt32($0))
  }
  let bits = UInt64(symbolCount + 1)
  keyed.sort(byKeyBits: 0..<64 - bits.leadingZeroBitCount)
  var sorted = keyed.map { all[Int($0.index)] }
  var start = 0
  while start < sorted.count {
    var end = start + 1
    while end < sorted.count, sorted[end].customer == sorted[start].customer { end += 1 }
    if end - start > 1 { sorted[start..<end].sort(by: precedes) }
    start = end
  }
  return withoutRepetition(sorted)
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

private func withoutRepetition(_ sorted: [StorefrontSighting]) -> [StorefrontSighting] {
  var distinct: [StorefrontSighting] = []
  distinct.reserveCapacity(sorted.count)
  for sighting in sorted where distinct.last != sighting { distinct.append(sighting) }
  return distinct
}
