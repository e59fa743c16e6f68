/// The values of one column, for being looked up: whole numbers or texts, and whether one is NULL.
///
/// Filled once by one thread, then read by many. Texts that are numbers in decimal, as nearly all
/// ids are, are kept as such.
@safe
final class ValueSet: @unchecked Sendable {
  private var numbers = NumberTable([])
  private var decimals = NumberTable([])
  private var texts: Set<[UInt8]> = []
  /// Whether NULL is among the values.
  private(set) var hasNull = false
  /// Whether there are whole numbers.
  private(set) var hasNumbers = false
  /// Whether there are texts.
  private(set) var hasTexts = false
  /// Whether there is nothing, not even NULL.
  var isEmpty: Bool { !hasNumbers && !hasTexts && !hasNull }

  /// Takes the first column of all rows of a statement.
  ///
  /// - Throws: ``UnknownCondition`` for what is no number, no text and not NULL.
  func fill(from statement: RawStatement) throws {
    var numbers: [Int64] = []
    var decimals: [Int64] = []
    while try statement.next() {
      if statement.isInteger(0) {
        numbers.append(statement.int64(0))
      } else if statement.isText(0) {
        hasTexts = true
        unsafe statement.withBytes(0) { text in
          if let decimal = unsafe Self.decimal(text) {
            decimals.append(decimal)
          } else {
            unsafe texts.insert(Array(text))
          }
        }
      } else if statement.isNull(0) {
        hasNull = true
      } else {
        throw UnknownCondition(what: "a value that is no number and no text")
      }
    }
    hasNumbers = !numbers.isEmpty
    self.numbers = NumberTable(numbers)
    self.decimals = NumberTable(decimals)
  }

  /// Whether a number is among the values.
  @inline(__always)
  func contains(_ number: Int64) -> Bool { numbers.contains(number) }

  /// Whether a text is among the values.
  @inline(__always)
  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    if let decimal = unsafe Self.decimal(text) { return decimals.contains(decimal) }
    return unsafe !texts.isEmpty && texts.contains(Array(text))
  }

  /// The number that a text writes in decimal, without sign and leading zeros; `nil` for others.
  @inline(__always)
  private static func decimal(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard (1...18).contains(text.count), unsafe text[0] != UInt8(ascii: "0") else { return nil }
    var value: Int64 = 0
    for place in 0..<text.count {
      let digit = unsafe text[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return value
  }
}

/// Whole numbers in a table with open addressing.
///
/// Keys of ours are spread evenly over all positive numbers: where they are, the table is in their
/// order, so that looking up keys in order does not jump about.
@safe
private struct NumberTable: ~Copyable {
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
