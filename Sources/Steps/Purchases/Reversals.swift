internal import CivilTime

/// The refund or upgrade of a row; `nil` if there is none.
///
/// `rows` are the rows of the chain, sorted by purchase time; `position` is the index of the row.
func reversal(ofRow position: Int, in rows: ArraySlice<Purchase>) -> Reversal? {
  let row = rows[position]
  if row.isUpgraded {
    if let successor = successor(ofRow: position, in: rows) {
      return Reversal(kind: .upgrade, at: rows[successor].purchasedAt)
    }
    if row.cancelledAt == nil { return Reversal(kind: .upgrade, at: row.endsAt) }
  }
  return row.cancelledAt.map { Reversal(kind: .refund, at: $0) }
}

/// The position of the row that replaced an upgraded row; `nil` if the chain has no such row.
///
/// Usually the next row replaced the upgraded row. But Apple charges a renewal up to 24 hours
/// before its period begins, and the purchase time is the beginning of the period. Example: the
/// renewal of June 1 was charged on May 31, and the customer upgraded on the same day. Then the row
/// of the better plan begins on May 31, before the upgraded row.
private func successor(ofRow position: Int, in rows: ArraySlice<Purchase>) -> Int? {
  if let earlier = earlierSuccessor(ofRow: position, in: rows) { return earlier }
  return rows.index(after: position) < rows.endIndex ? position + 1 : nil
}

/// The position of an earlier row that replaced a renewal charged in advance; `nil` if none exists.
///
/// The earlier row meets these conditions:
///
/// - It has another product than the renewal.
/// - It began within the 24 hours before the renewal.
/// - It had not ended when the renewal began.
///
/// In addition, either the renewal was cancelled before its purchase time, or a third row, before
/// the earlier row, ends at the purchase time of the renewal.
private func earlierSuccessor(ofRow position: Int, in rows: ArraySlice<Purchase>) -> Int? {
  let row = rows[position]
  let isCancelledAhead = row.cancelledAt.map { $0 < row.purchasedAt } ?? false
  let earliest = row.purchasedAt.advanced(by: .hours(-24))
  var index = position
  var candidate: Int?
  while index > rows.startIndex, position - index < mostRowsLookedAt {
    index -= 1
    let other = rows[index]
    if candidate == nil, other.purchasedAt < row.purchasedAt, other.productID != row.productID,
      other.endsAt > row.purchasedAt, other.purchasedAt >= earliest
    {
      candidate = index
      if isCancelledAhead { return index }
    }
    if candidate != nil, index != candidate, other.endsAt == row.purchasedAt { return candidate }
  }
  return nil
}

/// The largest number of rows before a renewal that are searched for the row that replaced it.
///
/// No customer has so many rows within 24 hours.
private let mostRowsLookedAt = 32
