internal import CZlib
public import Diagnostics

/// Compresses text into one gzip member, part by part.
///
/// The header contains neither file name nor time, so that equal text gives equal bytes.
@safe public struct GzipDeflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Begins a gzip member, with zlib's compression level 6.
  public init() throws(RunFailure) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe paidline_deflate_init(stream, 6) == Z_OK else {
      unsafe stream.deallocate()
      throw RunFailure(.inputOutput, "out of memory: give the run more memory")
    }
  }

  /// Compresses a whole text into one gzip member.
  public static func member(of text: [UInt8]) throws(RunFailure) -> [UInt8] {
    var deflater = try GzipDeflater()
    return deflater.append(text) + deflater.finish()
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses the next part of the text.
  ///
  /// - Parameter text: The part; it follows the text of earlier calls.
  /// - Returns: The compressed bytes that are ready; often empty.
  public mutating func append(_ text: [UInt8]) -> [UInt8] { deflate(text, flush: Z_NO_FLUSH) }

  /// Ends the gzip member after the last part of the text.
  ///
  /// - Returns: The last compressed bytes.
  public mutating func finish() -> [UInt8] { deflate([], flush: Z_FINISH) }

  private mutating func deflate(_ text: [UInt8], flush: Int32) -> [UInt8] {
    var input = text
    var output: [UInt8] = []
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
    return output
  }
}
