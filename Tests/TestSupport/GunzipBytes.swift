internal import CZlib

/// The content of concatenated gzip members; empty if one of them is incomplete.
public func gunzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = unsafe z_stream()
  guard unsafe paidline_inflate_init(&stream) == Z_OK else { return [] }
  defer { unsafe inflateEnd(&stream) }
  var input = bytes
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 18)
  let room = chunk.count
  var code = Z_OK
  unsafe input.withUnsafeMutableBufferPointer { source in
    unsafe stream.next_in = source.baseAddress
    unsafe stream.avail_in = UInt32(source.count)
    while code == Z_OK {
      let written = unsafe chunk.withUnsafeMutableBufferPointer { target in
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(room)
        code = unsafe inflate(&stream, Z_NO_FLUSH)
        return unsafe room - Int(stream.avail_out)
      }
      text.append(contentsOf: chunk[..<written])
      if code == Z_STREAM_END, unsafe stream.avail_in > 0 { code = unsafe inflateReset(&stream) }
    }
  }
  return code == Z_STREAM_END ? text : []
}
