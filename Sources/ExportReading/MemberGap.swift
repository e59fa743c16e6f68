/// What stands between the members of a gzip file: nothing; and zeros behind the last one, with
/// which tapes and block devices fill up what they hold.
struct MemberGap {
  private var hasZeros = false

  /// Passes over zeros, to where the next member begins or the input ends.
  ///
  /// - Parameters:
  ///   - input: What comes behind a member, or behind zeros that were passed over before.
  ///   - offset: Where the input begins in the file; a byte offset.
  /// - Returns: The number of zeros.
  /// - Throws: ``ExportRefusal/trailingGarbage(offset:)`` for what is neither zeros nor a member,
  ///   and for a member behind zeros.
  mutating func skip(_ input: UnsafeBufferPointer<UInt8>, offset: Int64) throws(ExportRefusal)
    -> Int
  {
    var zeros = 0
    while zeros < input.count, unsafe input[zeros] == 0 { zeros += 1 }
    if zeros > 0 { hasZeros = true }
    guard zeros < input.count else { return zeros }
    guard !hasZeros, unsafe input[zeros] == 0x1F else {
      throw .trailingGarbage(offset: offset + Int64(zeros))
    }
    return zeros
  }
}
