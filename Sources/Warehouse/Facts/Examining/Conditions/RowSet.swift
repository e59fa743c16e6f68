/// Some of the rows of a batch, a bit each.
struct RowSet: Hashable {
  /// How many rows a batch has at most.
  static let largest = 64

  private var bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  /// None of the rows.
  static let none = RowSet(bits: 0)

  /// All rows.
  static let all = RowSet(bits: .max)

  /// So many rows from the first on.
  init(first count: Int) {
    bits = count < Self.largest ? 1 << UInt64(count) - 1 : .max
  }

  /// The rows of which something is true.
  @inline(__always)
  init(where isMember: (Int) -> Bool) {
    bits = 0
    for row in 0..<Self.largest { bits |= (isMember(row) ? 1 : 0) &<< UInt64(row) }
  }

  /// Whether there is no row.
  var isEmpty: Bool { bits == 0 }

  /// How many rows there are.
  var count: Int { bits.nonzeroBitCount }

  /// Adds a row.
  @inline(__always)
  mutating func insert(_ row: Int) { bits |= 1 &<< UInt64(row) }

  /// The rows one after another.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }

  /// The rows in both.
  static func & (left: RowSet, right: RowSet) -> RowSet { RowSet(bits: left.bits & right.bits) }

  /// The rows in either.
  static func | (left: RowSet, right: RowSet) -> RowSet { RowSet(bits: left.bits | right.bits) }

  /// The rows of the first that are not in the second.
  static func - (left: RowSet, right: RowSet) -> RowSet { RowSet(bits: left.bits & ~right.bits) }
}

/// Of which rows a condition is true and of which it is not, by SQL's logic of three values: of all
/// others it is not known.
struct Truth {
  var yes = RowSet.none
  var no = RowSet.none

  /// Whether both hold.
  static func & (left: Truth, right: Truth) -> Truth {
    Truth(yes: left.yes & right.yes, no: left.no | right.no)
  }

  /// Whether one of them holds.
  static func | (left: Truth, right: Truth) -> Truth {
    Truth(yes: left.yes | right.yes, no: left.no & right.no)
  }

  /// Whether it does not hold.
  var negated: Truth { Truth(yes: no, no: yes) }
}
