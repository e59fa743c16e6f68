internal import CZlib

/// One gzip member with the bytes, as `gzip -6` writes it.
public func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
  var stream = unsafe z_stream()
  var packed = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 1024)
  let room = packed.count
  var input = bytes
  guard unsafe paidline_deflate_init(&stream, level) == Z_OK else { return [] }
  defer { unsafe deflateEnd(&stream) }
  unsafe input.withUnsafeMutableBufferPointer { source in
    unsafe packed.withUnsafeMutableBufferPointer { target in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(source.count)
      unsafe stream.next_out = target.baseAddress
      unsafe stream.avail_out = UInt32(room)
      let result = unsafe deflate(&stream, Z_FINISH)
      precondition(result == Z_STREAM_END, "the room suffices for any bytes")
    }
  }
  return Array(packed[..<(room - Int(unsafe stream.avail_out))])
}

/// One gzip member with a text.
public func gzip(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }

/// The CRC-32 of bytes that follow other bytes with the given CRC-32, as in gzip files.
public func checksum(_ bytes: [UInt8], after checksum: UInt32 = 0) -> UInt32 {
  unsafe bytes.withUnsafeBufferPointer { buffer in
    guard let first = buffer.baseAddress, buffer.count > 0 else { return checksum }
    return unsafe paidline_crc32(checksum, first, buffer.count)
  }
}
