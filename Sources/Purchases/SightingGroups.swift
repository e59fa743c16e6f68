internal import PurchaseModel

/// The sightings of a set, those of one purchase side by side.
struct SightingGroups {
  /// Positions in ``SightingSet/sightings``, by purchase.
  private(set) var order: [UInt32] = []
  /// Where each purchase begins in ``order``; one more at the end.
  private(set) var starts: [UInt32] = [0]

  /// How many purchases there are.
  var count: Int { starts.count - 1 }

  /// The part of ``order`` that belongs to a purchase.
  func members(_ group: Int) -> Range<Int> { Int(starts[group])..<Int(starts[group + 1]) }

  /// Groups by identity: a radix sort of 33 mixed bits, then a look at each run.
  ///
  /// Different identities that share the bits, by chance or by malice, are told apart by a sort of
  /// their run, so the time stays within n log n.
  init(_ set: SightingSet, joins: LineItemJoins) {
    var keyed: [KeyedIndex] = []
    keyed.reserveCapacity(set.sightings.count)
    for index in set.sightings.indices {
      let identity = joins.identity(of: set.sightings[index], in: set)
      keyed.append(KeyedIndex(key: identity.mixedBits, index: UInt32(index)))
    }
    keyed.sort(byKeyBits: 31..<64)
    order.reserveCapacity(keyed.count)
    starts.reserveCapacity(keyed.count / 2)
    var start = 0
    while start < keyed.count {
      var end = start + 1
      while end < keyed.count, keyed[end].key >> 31 == keyed[start].key >> 31 { end += 1 }
      appendRun(keyed[start..<end], of: set, joins: joins)
      start = end
    }
  }

  private mutating func appendRun(
    _ run: ArraySlice<KeyedIndex>, of set: SightingSet, joins: LineItemJoins
  ) {
    func identity(_ element: KeyedIndex) -> PurchaseIdentity {
      joins.identity(of: set.sightings[Int(element.index)], in: set)
    }
    let first = identity(run[run.startIndex])
    if run.dropFirst().allSatisfy({ identity($0) == first }) {
      order += run.lazy.map(\.index)
      starts.append(UInt32(order.count))
      return
    }
    let sorted = run.map { (identity: identity($0), index: $0.index) }
      .sorted { PurchaseIdentity.precedes($0.identity, $1.identity) }
    for (position, element) in sorted.enumerated() {
      if position > 0, element.identity != sorted[position - 1].identity {
        starts.append(UInt32(order.count))
      }
      order.append(element.index)
    }
    starts.append(UInt32(order.count))
  }
}
