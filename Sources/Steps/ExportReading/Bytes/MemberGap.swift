/// The bytes after a gzip member: the next member, or zeros up to the end of the file.
///
/// Tapes and block devices fill their last block with zeros.
struct MemberGap {
  private var hasZeros = false

  /// Skips the zeros at the beginning of the input.
  ///
  /// - Parameters:
  ///   - input: The bytes after a member, or after zeros that an earlier call skipped.
  ///   - offset: The offset of the input in the file, in bytes.
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
