public import Diagnostics
internal import Synchronization

/// What all sorts of a run together may hold in memory, and the file for the rest.
public final class SortMemory: Sendable {
  private let limit: Int
  private let path: String
  private let held = Mutex(0)
  private let spill = Mutex<TemporaryFile?>(nil)

  /// Describes the memory.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes of finished chunks may be held.
  ///   - path: Where the file is made once they are full; nothing else uses the name.
  public init(bytes: Int, path: String) {
    limit = bytes
    self.path = path
  }

  /// Takes room for a chunk; `false` where there is none.
  func take(_ bytes: Int) -> Bool {
    held.withLock { held in
      guard bytes <= limit - held else { return false }
      held += bytes
      return true
    }
  }

  /// Gives room back.
  func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }

  /// The file for what has no room.
  func file() throws(RunFailure) -> TemporaryFile {
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

  /// How many bytes the temporary file holds.
  public var spilledBytes: Int64 { spill.withLock { $0 }?.size ?? 0 }

  /// Makes sure that what was read back is what was written.
  ///
  /// - Throws: ``RunFailure`` with 74 where the disk refused a page.
  public func requireWritten() throws(RunFailure) {
    try spill.withLock { $0 }?.requireWritten()
  }
}
