internal import CivilTime
internal import PurchaseModel

/// The order of the purchase book: revenue rows by chain and time, then what is excluded by key.
struct PurchaseOrder {
  /// For each position in the book the purchase's old number.
  private(set) var numbers: [UInt32] = []
  /// For each old number the position in the book.
  private(set) var positions: [UInt32] = []
  /// How many purchases are revenue rows.
  private(set) var revenueCount = 0

  init(_ purchases: [Purchase]) {
    var revenue: [KeyedIndex] = []
    var excluded: [KeyedIndex] = []
    revenue.reserveCapacity(purchases.count)
    for index in purchases.indices {
      let purchase = purchases[index]
      if purchase.exclusion == nil {
        revenue.append(
          KeyedIndex(
            key: purchase.originalTransactionID.number.rawValue, index: UInt32(index)))
      } else {
        excluded.append(
          KeyedIndex(key: UInt64(bitPattern: purchase.key.rawValue), index: UInt32(index)))
      }
    }
    revenue.sort()
    excluded.sort()
    revenueCount = revenue.count
    numbers.reserveCapacity(purchases.count)
    var start = 0
    while start < revenue.count {
      var end = start + 1
      while end < revenue.count, revenue[end].key == revenue[start].key { end += 1 }
      appendChain(revenue[start..<end], of: purchases)
      start = end
    }
    numbers += excluded.lazy.map(\.index)
    positions = [UInt32](repeating: 0, count: purchases.count)
    for (position, number) in numbers.enumerated() { positions[Int(number)] = UInt32(position) }
  }

  private mutating func appendChain(_ run: ArraySlice<KeyedIndex>, of purchases: [Purchase]) {
    guard run.count > 1 else {
      numbers += run.lazy.map(\.index)
      return
    }
    let rows = run.map { element in
      let purchase = purchases[Int(element.index)]
      return Row(
        purchasedAt: purchase.purchasedAt, expiresAt: purchase.expiresAt, key: purchase.key,
        number: element.index)
    }
    numbers += rows.sorted(by: Row.precedes).lazy.map(\.number)
  }

  /// The purchases in this order; the given array is emptied as it goes, to save memory.
  func arranged(_ purchases: inout [Purchase]) -> [Purchase] {
    let old = purchases
    purchases = []
    return numbers.map { old[Int($0)] }
  }

  private struct Row {
    var purchasedAt: Instant
    var expiresAt: Instant?
    var key: PurchaseKey
    var number: UInt32

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

/// The chains of a book whose purchases are in order, without their renewal states.
///
/// The customer and the app are those of the newest record that names one and holds a row of the
/// chain; of equally new ones the larger text.
func chains(of book: PurchaseBook, order: PurchaseOrder, parties: [PurchaseParties]) -> [Chain] {
  var chains: [Chain] = []
  var start = 0
  while start < book.revenueCount {
    let id = book.purchases[start].originalTransactionID
    var customer = Newest<CustomerID>()
    var bundle = Newest<BundleID>()
    var hasBundleConflict = false
    var end = start
    while end < book.revenueCount, book.purchases[end].originalTransactionID == id {
      let named = parties[Int(order.numbers[end])]
      customer.see(named.customer, age: named.customerAge)
      if let known = bundle.value, let next = book.purchases[end].bundle, known != next {
        hasBundleConflict = true
      }
      bundle.see(book.purchases[end].bundle, age: named.bundleAge)
      if named.hasBundleConflict { hasBundleConflict = true }
      end += 1
    }
    chains.append(
      Chain(
        originalTransactionID: id, rows: start..<end, renewalStates: 0..<0,
        customer: customer.value, bundle: bundle.value, hasBundleConflict: hasBundleConflict))
    start = end
  }
  return chains
}
