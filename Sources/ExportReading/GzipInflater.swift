internal import CZlib

/// Inflates the members of a gzip file with zlib, which checks each member's CRC-32 and length.
@safe final class GzipInflater: MemberInflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var isInsideMember = true
  private var isFirstMember = true
  private var gap = MemberGap()

  /// Makes an inflater; `nil` where there is no memory for it.
  init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe paidline_inflate_init(stream) == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  var isAtEnd: Bool { !isInsideMember }

  func step(
    input: UnsafeBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>, offset: Int64
  ) throws(ExportRefusal) -> InflatedStep {
    var skipped = 0
    if !isInsideMember {
      skipped = unsafe try gap.skip(input, offset: offset)
      guard skipped < input.count else { return InflatedStep(consumed: skipped, produced: 0) }
      unsafe inflateReset(stream)
      isInsideMember = true
      isFirstMember = false
    }
    let available = input.count - skipped
    guard let first = input.baseAddress else { return InflatedStep(consumed: skipped, produced: 0) }
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: first + skipped)
    unsafe stream.pointee.avail_in = UInt32(available)
    unsafe stream.pointee.next_out = output.baseAddress
    unsafe stream.pointee.avail_out = UInt32(output.count)
    let result = unsafe inflate(stream, Z_NO_FLUSH)
    let consumed = unsafe skipped + available - Int(stream.pointee.avail_in)
    let produced = unsafe output.count - Int(stream.pointee.avail_out)
    switch result {
    case Z_STREAM_END: isInsideMember = false
    case Z_OK, Z_BUF_ERROR: break
    default: throw refusal(at: offset + Int64(consumed))
    }
    return InflatedStep(consumed: consumed, produced: produced)
  }

  private func refusal(at offset: Int64) -> ExportRefusal {
    let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? ""
    switch message {
    case "incorrect header check" where !isFirstMember: return .trailingGarbage(offset: offset)
    case "incorrect data check": return .badChecksum(offset: offset)
    case "incorrect length check": return .badLength(offset: offset)
    default: return .damaged(offset: offset)
    }
  }
}
