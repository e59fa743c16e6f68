public import Diagnostics
internal import Glibc
internal import Synchronization

/// A private file without a name, so that its content disappears when the process ends.
///
/// The file is unlinked right after opening. If a process is killed between these two steps, an
/// empty file remains, and the next process removes the file. The pipeline's lock prevents two
/// processes from using the path at the same time.
public final class TemporaryFile: Sendable {
  /// The path at which the file was created; the file no longer has a name.
  public let path: String
  private let descriptor: Int32
  private let end = Mutex<Int64>(0)

  /// Creates the file.
  ///
  /// - Throws: ``RunFailure`` with status 73, 74 or 77 if the file cannot be created.
  public init(path: String) throws(RunFailure) {
    _ = unsafe unlink(path)
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(errno, "creating \(path)", isOutput: true) }
    guard unsafe unlink(path) == 0 else {
      let code = errno
      _ = close(descriptor)
      throw .system(code, "removing \(path)", isOutput: true)
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { _ = close(descriptor) }

  /// Writes bytes at the end, and returns their offset.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the disk is full.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(RunFailure) -> Int64 {
    let start = end.withLock { end in
      defer { end += Int64(bytes.count) }
      return end
    }
    var written = 0
    while written < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = unsafe pwrite(
        descriptor, rest.baseAddress, rest.count, off_t(start) + off_t(written))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .system(count < 0 ? errno : EIO, "writing \(path)", isOutput: true)
      }
      written += count
    }
    return start
  }

  /// Writes bytes at the end, and returns their offset.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the disk is full.
  public func append(_ bytes: [UInt8]) throws(RunFailure) -> Int64 {
    let start = unsafe bytes.withUnsafeBytes { buffer in
      Result { () throws(RunFailure) in try unsafe append(buffer) }
    }
    return try start.get()
  }

  /// Reads `count` bytes from the offset `start`; they must have been written before.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the disk cannot return the bytes.
  public func read(_ count: Int, at start: Int64) throws(RunFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(RunFailure) in try unsafe read(into: buffer, at: start) }
    }
    try result.get()
    return bytes
  }

  /// Fills a buffer with the bytes from the offset `start`; they must have been written before.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the disk cannot return the bytes.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at start: Int64) throws(RunFailure) {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = unsafe pread(
        descriptor, rest.baseAddress, rest.count, off_t(start) + off_t(filled))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .system(count < 0 ? errno : EIO, "reading \(path)", isOutput: false)
      }
      filled += count
    }
  }

  /// The number of bytes that were appended so far.
  public var size: Int64 { end.withLock { $0 } }

  /// Checks that the disk has stored all written bytes.
  ///
  /// If the disk refused a page, a read may return the page's old content; only a sync reports the
  /// refusal.
  public func requireWritten() throws(RunFailure) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw .system(errno, "writing \(path)", isOutput: true) }
    }
  }
}
