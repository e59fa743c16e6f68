public import Diagnostics
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A private file that has no name once it is open, so that nothing is left of it however the
/// process ends.
///
/// Only who is killed between opening and unlinking leaves a name, of an empty file; the next one
/// removes it. The pipeline's lock sees to it that nobody else uses the name.
public final class SpillFile: Sendable {
  /// The name it had.
  public let path: String
  /// The open file, to read and to write; closed with the last reference to this object.
  public let descriptor: Int32
  private let end = Mutex<Int64>(0)

  /// Creates the file.
  ///
  /// - Throws: ``RunFailure`` with 73, 74 or 77 where the system refuses it.
  public init(path: String) throws(RunFailure) {
    _ = unsafe unlink(path)
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw FilePublication.failure(errno, path: path, doing: "created")
    }
    guard unsafe unlink(path) == 0 else {
      let code = errno
      _ = close(descriptor)
      throw FilePublication.failure(code, path: path, doing: "removed")
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { _ = close(descriptor) }

  /// Writes bytes at the end, and returns where they stand.
  func append(_ bytes: [UInt8]) throws(RunFailure) -> Int64 {
    let start = end.withLock { end in
      defer { end += Int64(bytes.count) }
      return end
    }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written,
          off_t(start) + off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw FilePublication.failure(count < 0 ? errno : EIO, path: path, doing: "written")
      }
      written += count
    }
    return start
  }

  /// Reads bytes that were written.
  func read(_ count: Int, at start: Int64) throws(RunFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let received = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
          off_t(start) + off_t(filled))
      }
      if received < 0, errno == EINTR { continue }
      guard received > 0 else {
        throw FilePublication.failure(received < 0 ? errno : EIO, path: path, doing: "read")
      }
      filled += received
    }
    return bytes
  }

  /// Makes sure that everything written was what was read.
  ///
  /// A page that the disk refused, and that is not in memory any more, comes back without what was
  /// written; only a sync tells.
  func requireWritten() throws(RunFailure) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else {
        throw FilePublication.failure(errno, path: path, doing: "written")
      }
    }
  }
}
