internal import PurchaseModel

/// What production records say about storefronts, without repetition.
///
/// A record with a storefront gives one sighting for each chain that it holds a row of, excluded
/// purchases' included, and one without a chain where it holds no row.
func storefrontSightings(_ set: SightingSet, groups: SightingGroups, purchases: [Purchase])
  -> [StorefrontSighting]
{
  let isNamed = set.records.map { $0.storefront != nil && !$0.isSandbox }
  guard isNamed.contains(true) else { return [] }

  // Records and chains as pairs of numbers; one record often holds a dozen rows of one chain.
  let chains = ChainNumbers(purchases)
  var pairs: [KeyedIndex] = []
  for group in 0..<groups.count {
    let chain = chains.numbers[group]
    var previous: Int32?
    for member in groups.members(group) {
      let record = set.sightings[Int(groups.order[member])].record
      guard record != previous, isNamed[Int(record)] else { continue }
      previous = record
      pairs.append(KeyedIndex(key: UInt64(record) << 32 | UInt64(chain), index: chain))
    }
  }
  pairs.sort(byKeyBits: 0..<32)
  pairs.sort(byKeyBits: 32..<64)

  var found: [StorefrontSighting] = []
  var next = pairs.startIndex
  for (position, record) in set.records.enumerated() where isNamed[position] {
    guard let storefront = record.storefront else { continue }
    var sighting = StorefrontSighting(
      observedAt: record.snapshotAt, storefront: storefront, customer: record.customer)
    let begin = next
    while next < pairs.count, pairs[next].key >> 32 == UInt64(position) {
      if next == begin || pairs[next].key != pairs[next - 1].key {
        sighting.originalTransactionID = chains.ids[Int(pairs[next].index)]
        found.append(sighting)
      }
      next += 1
    }
    if next == begin { found.append(sighting) }
  }
  found.sort(by: precedes)
  return withoutRepetition(found)
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

/// The original transaction ids of purchases as small numbers.
private struct ChainNumbers {
  /// The ids, by number.
  private(set) var ids: [OriginalTransactionID] = []
  /// For each purchase the number of its id.
  private(set) var numbers: [UInt32]

  init(_ purchases: [Purchase]) {
    numbers = [UInt32](repeating: 0, count: purchases.count)
    var keyed = purchases.indices.map {
      KeyedIndex(
        key: purchases[$0].originalTransactionID.number.rawValue, index: UInt32($0))
    }
    keyed.sort()
    for element in keyed {
      let id = purchases[Int(element.index)].originalTransactionID
      if ids.last != id { ids.append(id) }
      numbers[Int(element.index)] = UInt32(ids.count - 1)
    }
  }
}
