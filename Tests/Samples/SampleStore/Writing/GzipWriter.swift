internal import CZlib

/// Compresses bytes into one gzip member.
///
/// The header has neither file name nor time, so that equal input gives equal output.
@safe struct GzipWriter: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private var output: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 18)

  /// Begins a member at zlib's level 6.
  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe paidline_deflate_init(stream, 6)
    precondition(code == Z_OK, "zlib cannot begin a stream: out of memory")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  mutating func append(_ bytes: [UInt8]) { deflate(bytes, flush: Z_NO_FLUSH) }

  /// Ends the member and returns the whole file.
  consuming func finish() -> [UInt8] {
    deflate([], flush: Z_FINISH)
    return output
  }

  private mutating func deflate(_ bytes: [UInt8], flush: Int32) {
    var input = bytes
    let capacity = chunk.count
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.pointee.next_in = source.baseAddress
      unsafe stream.pointee.avail_in = UInt32(source.count)
      var isDone = false
      while !isDone {
        let written = unsafe chunk.withUnsafeMutableBufferPointer { target in
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = UInt32(capacity)
          _ = unsafe CZlib.deflate(stream, flush)
          return unsafe capacity - Int(stream.pointee.avail_out)
        }
        output.append(contentsOf: chunk[..<written])
        isDone = written < capacity
      }
    }
  }
}
