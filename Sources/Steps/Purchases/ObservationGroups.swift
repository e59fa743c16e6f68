internal import Parallel
internal import PurchaseModel

/// The observations of a set, grouped by purchase; groups of one chain are near each other.
///
/// Purchases of one chain are in the same records. So the merge, which reads the groups in order,
/// finds the records of a chain in the processor's cache.
struct ObservationGroups {
  /// Positions in ``Observations/observations``, sorted by purchase.
  private(set) var order: [UInt32] = []
  /// The start of each group in ``order``; the last element is the length of ``order``.
  private(set) var starts: [UInt32] = [0]
  /// The identity of each group: that of the purchase to which its observations belong.
  private(set) var identities: [PurchaseIdentity] = []

  /// The number of groups, one per purchase.
  var count: Int { identities.count }

  /// The range in ``order`` with the observations of a group.
  func members(_ group: Int) -> Range<Int> { Int(starts[group])..<Int(starts[group + 1]) }

  /// Groups observations by the identity of their purchase.
  ///
  /// The observations are sorted by a key: the upper bits of the chain's id, then those of the
  /// identity's hash. So the groups are nearly in the final order after a radix sort. Several
  /// identities may have equal keys by chance or by an attack. They are sorted separately, so the
  /// time stays within n log n.
  init(_ set: Observations, joins: LineItemJoins) {
    var keyed: [KeyedIndex] = []
    keyed.reserveCapacity(set.observations.count)
    let largest = set.observations.lazy.map(\.originalTransactionID.number.rawValue).max() ?? 0
    let shift = UInt64(max(0, 32 - largest.leadingZeroBitCount))
    for index in set.observations.indices {
      let bits = joins.identity(ofRow: index, in: set).mixedBits
      let chain = set.observations[index].originalTransactionID.number.rawValue >> shift
      keyed.append(KeyedIndex(key: chain << 32 | bits >> 32, index: UInt32(index)))
    }
    keyed.sort()
    order.reserveCapacity(keyed.count)
    starts.reserveCapacity(keyed.count / 2)
    identities.reserveCapacity(keyed.count / 2)
    var start = 0
    while start < keyed.count {
      var end = start + 1
      while end < keyed.count, keyed[end].key == keyed[start].key { end += 1 }
      appendRun(keyed[start..<end], of: set, joins: joins)
      start = end
    }
  }

  private mutating func appendRun(
    _ run: ArraySlice<KeyedIndex>, of set: Observations, joins: LineItemJoins
  ) {
    func identity(_ element: KeyedIndex) -> PurchaseIdentity {
      joins.identity(ofRow: Int(element.index), in: set)
    }
    let first = identity(run[run.startIndex])
    if run.dropFirst().allSatisfy({ identity($0) == first }) {
      order += run.lazy.map(\.index)
      endGroup(as: first)
      return
    }
    let sorted = run.map { (identity: identity($0), index: $0.index) }
      .sorted { PurchaseIdentity.precedes($0.identity, $1.identity) }
    for (position, element) in sorted.enumerated() {
      if position > 0, element.identity != sorted[position - 1].identity {
        endGroup(as: sorted[position - 1].identity)
      }
      order.append(element.index)
    }
    if let last = sorted.last { endGroup(as: last.identity) }
  }

  private mutating func endGroup(as identity: PurchaseIdentity) {
    identities.append(identity)
    starts.append(UInt32(order.count))
  }
}
