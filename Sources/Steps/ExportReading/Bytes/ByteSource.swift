internal import Crypto
internal import Glibc
internal import PurchaseModel

/// The raw bytes of an input, hashed and counted while they are read.
struct ByteSource {
  private enum Origin {
    case descriptor(Int32)
    case memory([UInt8])
  }

  private let origin: Origin
  private var hash = SHA256()
  private let progress: @Sendable (Int) -> Void
  private let isCancelled: @Sendable () -> Bool
  /// The size of the input in bytes when it was opened; `nil` for an input without a size, such as
  /// a pipe.
  let size: Int?
  /// The number of bytes read.
  private(set) var count: Int64 = 0

  init(
    descriptor: Int32, progress: @escaping @Sendable (Int) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    origin = .descriptor(descriptor)
    var status = stat()
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(status.st_size) : nil
    self.progress = progress
    self.isCancelled = isCancelled
  }

  init(bytes: [UInt8]) {
    origin = .memory(bytes)
    size = bytes.count
    progress = { _ in }
    isCancelled = { false }
  }

  /// Reads the next bytes into the buffer; returns the number of bytes, 0 at the end of the input.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    guard !isCancelled() else { throw .cancelled }
    let received: Int
    switch origin {
    case .descriptor(let descriptor):
      received = unsafe try Self.read(descriptor, into: buffer)
    case .memory(let bytes):
      let start = Int(count)
      received = min(buffer.count, bytes.count - start)
      for index in 0..<received { unsafe buffer[index] = bytes[start + index] }
    }
    unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<received]))
    count += Int64(received)
    progress(received)
    return received
  }

  /// Reads the remaining bytes, so that the hash includes them.
  mutating func drain() throws(ExportError) {
    let size = 1 << 16
    var bytes = [UInt8](repeating: 0, count: size)
    while true {
      let received = unsafe try bytes.withUnsafeMutableBufferPointer {
        buffer throws(ExportError) in
        unsafe try read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if received == 0 { return }
    }
  }

  /// The SHA-256 of the bytes read so far, in lower-case hex.
  var sha256: String { Hexadecimal.text(hash.finalize()) }

  private static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(ExportError) -> Int {
    while true {
      let received = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if received >= 0 { return received }
      guard errno == EINTR else { throw .unreadable(errno: errno) }
    }
  }
}
