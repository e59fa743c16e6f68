internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The distinct rows and renewal states of one chain in one file, in order of first occurrence.
///
/// Rows are found by an open-addressing hash table. One instance is used for all chains, one after
/// another.
struct RowGroups {
  /// The distinct rows; in each, `record` is 0 and `rank` is `inApp`, so that only content differs.
  var rows: [TransactionObservation] = []
  /// The distinct renewal states; in each, `record` is 0, so that only content differs.
  var renewals: [RenewalObservation] = []
  private var slots: [Int32] = []  // position + 1; 0 is free
  private var mask = 0
  /// The position after the row that was found or added last; usually the next row is at this
  /// position.
  private var next = 0
  private var renewalPositions: [RenewalObservation: Int32] = [:]

  /// Clears everything and reserves capacity for a number of items.
  mutating func reset(capacity: Int) {
    rows.removeAll(keepingCapacity: true)
    next = 0
    renewals.removeAll(keepingCapacity: true)
    if !renewalPositions.isEmpty { renewalPositions.removeAll(keepingCapacity: true) }
    var size = 8
    while size < capacity * 2 { size *= 2 }
    mask = size - 1
    if slots.count < size {
      slots = [Int32](repeating: 0, count: size)
    } else {
      for index in 0..<size { slots[index] = 0 }
    }
  }

  /// Finds the position of a row among the distinct rows; adds the row if it is new.
  mutating func position(of observation: TransactionObservation) -> Int32 {
    var row = observation
    row.record = 0
    row.rank = .inApp
    // A snapshot usually repeats the rows of the previous snapshot, in the same order.
    if next < rows.count, rows[next] == row {
      next += 1
      return Int32(next - 1)
    }
    var slot = Int(truncatingIfNeeded: Self.hash(row)) & mask
    while slots[slot] != 0 {
      let position = slots[slot] - 1
      if rows[Int(position)] == row {
        next = Int(position) + 1
        return position
      }
      slot = (slot + 1) & mask
    }
    rows.append(row)
    slots[slot] = Int32(rows.count)
    next = rows.count
    return Int32(rows.count - 1)
  }

  /// Finds the position of a renewal state among the distinct states; adds the state if it is new.
  mutating func position(of observation: RenewalObservation) -> Int32 {
    var renewal = observation
    renewal.record = 0
    if let last = renewals.last, last == renewal { return Int32(renewals.count - 1) }
    if renewals.isEmpty {
      renewals.append(renewal)
      return 0
    }
    if renewalPositions.isEmpty, let first = renewals.first { renewalPositions[first] = 0 }
    if let position = renewalPositions[renewal] { return position }
    let position = Int32(renewals.count)
    renewals.append(renewal)
    renewalPositions[renewal] = position
    return position
  }

  private static func hash(_ row: TransactionObservation) -> UInt64 {
    var hash = Mixer()
    hash.add(row.transactionID.number.rawValue)
    hash.add(row.originalTransactionID.number.rawValue)
    hash.add(row.lineItemID?.number.rawValue ?? 1)
    hash.add(UInt64(bitPattern: row.purchasedAt.milliseconds))
    hash.add(UInt64(bitPattern: row.originalPurchasedAt?.milliseconds ?? 1))
    hash.add(UInt64(bitPattern: row.expiresAt?.milliseconds ?? 1))
    hash.add(UInt64(bitPattern: row.cancelledAt?.milliseconds ?? 1))
    hash.add(row.productID.symbol, row.cancellationReason)
    hash.add(row.promotionalOfferID?.symbol, row.offerCodeRefName?.symbol)
    hash.add(row.subscriptionGroupID?.symbol, nil)
    hash.add(UInt64(truncatingIfNeeded: row.quantity))
    hash.add(
      small(row.isTrialPeriod) << 4 | small(row.isInIntroOfferPeriod) << 2
        | small(row.isUpgraded))
    if case .unrecognized(let symbol) = row.ownership { hash.add(symbol, nil) }
    if let signed = row.signed {
      hash.add(UInt64(bitPattern: signed.price?.amount.rawValue ?? -1))
      hash.add(
        UInt64(signed.price?.currency.rawValue ?? 0) << 32 | UInt64(signed.refund?.share ?? 0))
      hash.add(signed.itemRefunds, signed.bundle)
    }
    if let terms = row.service {
      hash.add(UInt64(bitPattern: terms.charged?.amount.rawValue ?? -1))
      hash.add(UInt64(bitPattern: terms.booked?.rawValue ?? -1))
    }
    return wellMixed(hash.value)
  }

  private static func small(_ flag: Bool?) -> UInt64 {
    flag.map { $0 ? 2 : 1 } ?? 0
  }

  private struct Mixer {
    var value: UInt64 = 0x6a09_e667_f3bc_c908

    @inline(__always)
    mutating func add(_ word: UInt64) {
      value = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
      value ^= value >> 32
    }

    @inline(__always)
    mutating func add(_ left: Symbol?, _ right: Symbol?) {
      add(UInt64(left?.rawValue ?? .max) << 32 | UInt64(right?.rawValue ?? .max))
    }
  }
}
