internal import CZlib

/// The numbers of bytes that one decompression step consumed and produced.
struct InflatedStep {
  var consumed: Int
  var produced: Int
}

/// Decompresses the members of a gzip file, one after another, with zlib.
///
/// A file may have several members, and zeros after the last member. Any other byte after a member
/// is refused. A member with a wrong CRC-32 or length is refused too.
///
/// The CRC-32 of the text is computed here: with a processor's carry-less multiplication this is
/// several times faster than in zlib. zlib's own check is on only for the member's header.
@safe final class GzipInflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var isInsideMember = true
  private var isInsideHeader = true
  private var isFirstMember = true
  private var gap = MemberGap()
  private var trailer = MemberTrailer()

  /// Creates an inflater; `nil` if there is too little memory.
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

  /// Whether the file may end after the bytes read so far: after a complete member, or after the
  /// zeros that follow the member.
  var isAtEnd: Bool { !isInsideMember }

  /// Decompresses until the input is used up or the output is full.
  ///
  /// `offset` is the offset of the input in the file, in bytes. The offset in a refusal is computed
  /// from this offset and the position of the fault.
  func step(
    input: UnsafeBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>, offset: Int64
  ) throws(ExportRefusal) -> InflatedStep {
    var skipped = 0
    if !isInsideMember {
      skipped = unsafe try gap.skip(input, offset: offset)
      guard skipped < input.count else { return InflatedStep(consumed: skipped, produced: 0) }
      beginMember()
    }
    let available = input.count - skipped
    guard let first = input.baseAddress else { return InflatedStep(consumed: skipped, produced: 0) }
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: first + skipped)
    unsafe stream.pointee.avail_in = UInt32(available)
    unsafe stream.pointee.next_out = output.baseAddress
    unsafe stream.pointee.avail_out = UInt32(output.count)
    // With Z_BLOCK, zlib stops after the header.
    let result = unsafe inflate(stream, isInsideHeader ? Z_BLOCK : Z_NO_FLUSH)
    let consumed = unsafe skipped + available - Int(stream.pointee.avail_in)
    let produced = unsafe output.count - Int(stream.pointee.avail_out)
    unsafe trailer.note(
      input: UnsafeBufferPointer(rebasing: input[skipped..<consumed]),
      output: UnsafeBufferPointer(rebasing: output[..<produced]))
    switch result {
    case Z_STREAM_END:
      isInsideMember = false
      try trailer.check(endingAt: offset + Int64(consumed))
    case Z_OK, Z_BUF_ERROR:
      if isInsideHeader { leaveHeader() }
    default: throw refusal(at: offset + Int64(consumed))
    }
    return InflatedStep(consumed: consumed, produced: produced)
  }

  private func beginMember() {
    unsafe inflateReset(stream)
    unsafe inflateValidate(stream, 1)
    isInsideMember = true
    isInsideHeader = true
    isFirstMember = false
    trailer = MemberTrailer()
  }

  /// Turns off zlib's checksum if the member's header has been read.
  private func leaveHeader() {
    let isAtBlock = unsafe stream.pointee.data_type & 128 != 0
    guard isAtBlock else { return }
    unsafe inflateValidate(stream, 0)
    isInsideHeader = false
  }

  private func refusal(at offset: Int64) -> ExportRefusal {
    let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? ""
    switch message {
    case "incorrect header check" where !isFirstMember: return .trailingGarbage(offset: offset)
    default: return .damaged(offset: offset)
    }
  }
}

/// The trailer of a gzip member (CRC-32 and length), with the values computed from the text.
private struct MemberTrailer {
  /// The last eight bytes of the member's input so far, as a little-endian number.
  private var lastBytes: UInt64 = 0
  private var checksum: UInt32 = 0
  private var length: UInt32 = 0

  /// Updates the trailer from a step's compressed input, and the CRC-32 and length from its output.
  mutating func note(input: UnsafeBufferPointer<UInt8>, output: UnsafeBufferPointer<UInt8>) {
    for index in max(0, input.count - 8)..<input.count {
      unsafe lastBytes = lastBytes >> 8 | UInt64(input[index]) << 56
    }
    guard output.count > 0 else { return }
    unsafe checksum = paidline_crc32(checksum, output.baseAddress, output.count)
    length &+= UInt32(truncatingIfNeeded: output.count)
  }

  /// Compares the trailer with the computed CRC-32 and length; throws if they differ.
  func check(endingAt end: Int64) throws(ExportRefusal) {
    guard UInt32(truncatingIfNeeded: lastBytes) == checksum else {
      throw .badChecksum(offset: end - 4)
    }
    guard UInt32(truncatingIfNeeded: lastBytes >> 32) == length else {
      throw .badLength(offset: end)
    }
  }
}
