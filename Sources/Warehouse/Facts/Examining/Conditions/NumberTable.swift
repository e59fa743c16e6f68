/// Whole numbers in a table with open addressing.
///
/// Keys of ours are spread evenly over all positive numbers: where they are, the table is in their
/// order, so that looking up keys in order does not jump about.
@safe
struct NumberTable: ~Copyable {
  /// The longest run of taken places that the order of the numbers may cost.
  private static let longestRun = 64

  private let slots: UnsafeMutableBufferPointer<Int64>
  private let shift: Int
  private let factor: UInt64
  private let hasVacancy: Bool  // whether the number that marks a vacant place is among them

  private static let vacant = Int64.min

  init(_ numbers: [Int64]) {
    var bits = 4
    while 1 << bits < 2 * numbers.count { bits += 1 }
    unsafe slots = .allocate(capacity: 1 << bits)
    hasVacancy = numbers.contains(Self.vacant)
    if unsafe Self.fill(slots, numbers, factor: 1, shift: 63 - bits, longestRun: Self.longestRun) {
      (factor, shift) = (1, 63 - bits)
      return
    }
    (factor, shift) = (0x9E37_79B9_7F4A_7C15, 64 - bits)
    _ = unsafe Self.fill(slots, numbers, factor: factor, shift: shift, longestRun: .max)
  }

  deinit {
    unsafe slots.deallocate()
  }

  private static func fill(
    _ slots: UnsafeMutableBufferPointer<Int64>, _ numbers: [Int64], factor: UInt64, shift: Int,
    longestRun: Int
  ) -> Bool {
    unsafe slots.initialize(repeating: vacant)
    let mask = slots.count - 1
    for number in numbers where number != vacant {
      var slot = place(number, factor, shift) & mask
      var run = 0
      while unsafe slots[slot] != vacant, unsafe slots[slot] != number {
        slot = (slot + 1) & mask
        run += 1
        if run > longestRun { return false }
      }
      unsafe slots[slot] = number
    }
    return true
  }

  @inline(__always)
  private static func place(_ number: Int64, _ factor: UInt64, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* factor) >> UInt64(shift))
  }

  @inline(__always)
  func contains(_ number: Int64) -> Bool {
    if number == Self.vacant { return hasVacancy }
    let mask = unsafe slots.count - 1
    var slot = Self.place(number, factor, shift) & mask
    while true {
      let stored = unsafe slots[slot]
      if stored == number { return true }
      if stored == Self.vacant { return false }
      slot = (slot + 1) & mask
    }
  }
}
