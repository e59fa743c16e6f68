/// The values of one column, for being looked up: whole numbers or texts, and whether one is NULL.
///
/// Filled once by one thread, then read by many. Texts that are numbers in decimal, as nearly all
/// ids are, are kept as such.
@safe
final class ValueSet: @unchecked Sendable {
  private var numbers = NumberTable([])
  private var decimals = NumberTable([])
  private var texts = TextTable()
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
            unsafe texts.insert(text)
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
    return unsafe texts.contains(text)
  }

  /// The number that a text writes in decimal, without sign and leading zeros; `nil` for others.
  @inline(__always)
  private static func decimal(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard (1...18).contains(text.count), unsafe text[0] != UInt8(ascii: "0") else { return nil }
    var value: Int64 = 0
    var place = 0
    while place + 8 <= text.count {
      let word = unsafe text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard let digits = eightDigits(UInt64(littleEndian: word)) else { return nil }
      value = value &* 100_000_000 &+ digits
      place += 8
    }
    while place < text.count {
      let digit = unsafe text[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
      place += 1
    }
    return value
  }

  /// The number that eight bytes write in decimal, by three multiplications instead of eight: first
  /// of pairs of digits, then of pairs of those, then of the two halves.
  @inline(__always)
  private static func eightDigits(_ text: UInt64) -> Int64? {
    let above = text &+ 0x4646_4646_4646_4646
    let below = text &- 0x3030_3030_3030_3030
    guard (above | below) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = below &* 10 &+ below &>> 8
    let low = pairs & 0x0000_00FF_0000_00FF
    let high = pairs &>> 16 & 0x0000_00FF_0000_00FF
    return Int64(
      (low &* 0x000F_4240_0000_0064 &+ high &* 0x0000_2710_0000_0001) &>> 32 & 0xFFFF_FFFF)
  }
}
