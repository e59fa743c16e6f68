internal import Glibc

/// Searches in the bytes of a text, as fast as memory can be read.
extension JSONCursor {
  /// The position of the first occurrence of a byte in a part of the text; `nil` if there is none.
  @inline(__always) func position(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let base = unsafe wholeText.baseAddress,
      let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return unsafe UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// Returns true if a sequence of bytes occurs in a part of the text.
  ///
  /// - Precondition: The sequence is not empty.
  func contains(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    var left = range
    while let start = position(of: bytes[0], in: left), start + bytes.count <= range.upperBound {
      if bytes.indices.allSatisfy({ byte(at: start + $0) == bytes[$0] }) { return true }
      left = start + 1..<range.upperBound
    }
    return false
  }
}
