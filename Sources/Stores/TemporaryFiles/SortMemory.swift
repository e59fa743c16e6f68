public import Diagnostics
internal import Synchronization

/// The memory limit for all sorts of a run together, or for the encoded files of an ingest.
///
/// Data beyond the limit are stored in a temporary file.
public final class SortMemory: Sendable {
  private let limit: Int
  private let path: String
  private let held = Mutex(0)
  private let spill = Mutex<TemporaryFile?>(nil)

  /// Creates a memory limit.
  ///
  /// - Parameters:
  ///   - bytes: The largest number of bytes in memory; data beyond this limit are stored in the
  ///     file.
  ///   - path: The path of the temporary file; nothing else may use the path.
  public init(bytes: Int, path: String) {
    limit = bytes
    self.path = path
  }

  /// Reserves a number of bytes; returns `false`, without a reservation, if fewer bytes are left.
  public func take(_ bytes: Int) -> Bool {
    held.withLock { held in
      guard bytes <= limit - held else { return false }
      held += bytes
      return true
    }
  }

  /// Releases a number of bytes that ``take(_:)`` reserved.
  public func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }

  /// The file for data beyond the limit; the first call creates the file.
  ///
  /// - Throws: ``RunFailure`` with status 73, 74 or 77 if the file cannot be created.
  public func file() throws(RunFailure) -> TemporaryFile {
    let file: Result<TemporaryFile, RunFailure> = spill.withLock { spill in
      if let spill { return .success(spill) }
      do throws(RunFailure) {
        let made = try TemporaryFile(path: path)
        spill = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try file.get()
  }

  /// The size of the temporary file in bytes.
  public var spilledBytes: Int64 { spill.withLock { $0 }?.size ?? 0 }

  /// Checks that the disk has stored all bytes written to the temporary file.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the disk refused a page.
  public func requireWritten() throws(RunFailure) {
    try spill.withLock { $0 }?.requireWritten()
  }
}
