/// Decompresses the members of a gzip file, one after another.
///
/// A file may have several members, and zeros after the last member. Any other byte after a member
/// is refused. A member with a wrong CRC-32 or length is refused too.
protocol MemberInflater: AnyObject {
  /// Whether the file may end after the bytes read so far: after a complete member, or after the
  /// zeros that follow the member.
  var isAtEnd: Bool { get }

  /// Decompresses until the input is used up or the output is full.
  ///
  /// `offset` is the offset of the input in the file, in bytes. The offset in a refusal is computed
  /// from this offset and the position of the fault.
  func step(
    input: UnsafeBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>, offset: Int64
  ) throws(ExportRefusal) -> InflatedStep
}

/// The numbers of bytes that one decompression step consumed and produced.
struct InflatedStep {
  var consumed: Int
  var produced: Int
}

/// The library that decompresses.
enum Inflation {
  /// Use zlib; its refusal of a file is final.
  case zlib
  /// Use ISA-L if this program was built with it, else zlib.
  case fastest

  /// Creates an inflater; `nil` if there is too little memory.
  func inflater() -> (any MemberInflater)? {
    #if ISAL
      if case .fastest = self { return IsalInflater() }
    #endif
    return GzipInflater()
  }

  /// Returns true if zlib must read the file too before this refusal is final.
  func isToBeConfirmed(_ refusal: ExportRefusal) -> Bool {
    #if ISAL
      guard case .fastest = self else { return false }
      switch refusal {
      case .empty, .notGzip, .brokenArray: return false
      default: return true
      }
    #else
      return false
    #endif
  }
}
