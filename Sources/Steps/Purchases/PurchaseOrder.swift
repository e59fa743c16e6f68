internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// The order of a purchase history: revenue rows by chain and time, then excluded purchases by key.
struct PurchaseOrder {
  /// For each position in the history, the purchase's number before sorting.
  private(set) var numbers: [UInt32] = []
  /// For each number before sorting, the purchase's position in the history.
  private(set) var positions: [UInt32] = []
  /// The number of purchases that are revenue rows.
  private(set) var revenueCount = 0

  init(_ purchases: [Purchase]) {
    // Purchases of one chain are usually neighbors already, so only runs of neighbors are sorted.
    var runs: [KeyedIndex] = []
    var excluded: [KeyedIndex] = []
    for index in purchases.indices {
      guard purchases[index].exclusion == nil else {
        excluded.append(
          KeyedIndex(key: UInt64(bitPattern: purchases[index].key.rawValue), index: UInt32(index)))
        continue
      }
      let chain = purchases[index].originalTransactionID.number.rawValue
      let continues =
        index > 0 && purchases[index - 1].exclusion == nil && runs.last?.key == chain
      if !continues { runs.append(KeyedIndex(key: chain, index: UInt32(index))) }
    }
    revenueCount = purchases.count - excluded.count
    runs.sort()
    excluded.sort()
    numbers.reserveCapacity(purchases.count)
    var start = 0
    while start < runs.count {
      var end = start + 1
      while end < runs.count, runs[end].key == runs[start].key { end += 1 }
      appendChain(runs[start..<end], of: purchases)
      start = end
    }
    numbers += excluded.lazy.map(\.index)
    positions = [UInt32](repeating: 0, count: purchases.count)
    for (position, number) in numbers.enumerated() { positions[Int(number)] = UInt32(position) }
  }

  /// Appends the purchases of a chain, which are in one or more runs of consecutive purchases.
  ///
  /// `runs` contains the first purchase of each run.
  private mutating func appendChain(_ runs: ArraySlice<KeyedIndex>, of purchases: [Purchase]) {
    var rows: [Row] = []
    for run in runs {
      var index = Int(run.index)
      repeat {
        rows.append(Row(purchases[index], number: UInt32(index)))
        index += 1
      } while index < purchases.count && purchases[index].exclusion == nil
        && purchases[index].originalTransactionID.number.rawValue == run.key
    }
    rows.sort(by: Row.precedes)
    numbers += rows.lazy.map(\.number)
  }

  /// Sorts the purchases in place; each purchase is moved only once.
  func arrange(_ purchases: inout [Purchase]) {
    var isPlaced = [Bool](repeating: false, count: numbers.count)
    for first in numbers.indices where !isPlaced[first] {
      let held = purchases[first]
      var position = first
      while true {
        isPlaced[position] = true
        let source = Int(numbers[position])
        if source == first { break }
        purchases[position] = purchases[source]
        position = source
      }
      purchases[position] = held
    }
  }

  private struct Row {
    var purchasedAt: Instant
    var expiresAt: Instant?
    var key: PurchaseKey
    var number: UInt32

    init(_ purchase: Purchase, number: UInt32) {
      purchasedAt = purchase.purchasedAt
      expiresAt = purchase.expiresAt
      key = purchase.key
      self.number = number
    }

    static func precedes(_ left: Row, _ right: Row) -> Bool {
      if left.purchasedAt != right.purchasedAt { return left.purchasedAt < right.purchasedAt }
      if left.expiresAt != right.expiresAt {
        guard let first = left.expiresAt, let second = right.expiresAt else {
          return left.expiresAt == nil
        }
        return first < second
      }
      return left.key < right.key
    }
  }
}

/// Builds the chains of a history with sorted purchases, without their renewal states.
///
/// The app of a chain comes from the newest record that has an app and a row of the chain. If
/// several records are equally new, the largest bundle id is used. Customers are added when
/// households are formed.
func chains(of book: PurchaseHistory, order: PurchaseOrder, parties: [PurchaseParties]) -> [Chain] {
  var chains: [Chain] = []
  var start = 0
  while start < book.revenueCount {
    let id = book.purchases[start].originalTransactionID
    var beganAt = book.purchases[start].purchasedAt
    var lastSeenAt = Instant.distantPast
    var bundle = Newest<BundleID>()
    var hasOriginal = false
    var end = start
    while end < book.revenueCount, book.purchases[end].originalTransactionID == id {
      let named = parties[Int(order.numbers[end])]
      lastSeenAt = max(lastSeenAt, named.lastSeenAt)
      if book.purchases[end].isSubscription, let original = named.originalPurchasedAt {
        beganAt = min(beganAt, original)
        hasOriginal = true
      }
      bundle.include(book.purchases[end].bundle, recency: named.bundleAge)
      end += 1
    }
    chains.append(
      Chain(
        originalTransactionID: id, rows: start..<end, renewalStates: 0..<0,
        customer: nil, household: nil, lastSeenAt: lastSeenAt, beganAt: beganAt,
        bundle: bundle.value,
        lacksBeginning: !hasOriginal && (book.purchases[start].service.map { !$0.isFirst } ?? false)
      ))
    start = end
  }
  return chains
}
