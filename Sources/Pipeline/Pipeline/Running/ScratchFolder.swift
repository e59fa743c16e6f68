package import Diagnostics
internal import Glibc
internal import SystemPackage

/// A private folder for temporary work.
///
/// It is removed when the work ends, even after a signal. If the process is killed, the next
/// process that creates a scratch folder removes it.
package final class ScratchFolder: Sendable {
  private static let prefix = ".paidline.scratch."

  /// The path, which ends in the process id: `/tmp/.paidline.scratch.4711`.
  package let path: String
  private let exitHandler: StopSignal.ExitHandler

  /// Creates a folder that only its owner can enter.
  ///
  /// - Parameter parent: The folder in which the new folder is created; its file system needs space
  ///   for the work.
  /// - Throws: ``RunFailure`` with status 73 or 77 if it cannot be created.
  package init(in parent: String) throws(RunFailure) {
    try Self.removeLeftovers(in: parent)
    path = FilePaths.join(parent, Self.prefix + String(getpid()))
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw .system(Errno(rawValue: errno), "creating the folder \(path)", isOutput: true)
    }
    let folder = path
    exitHandler = StopSignal.onExit { _ in Self.remove(folder) }
  }

  /// Removes the folder and its content.
  package func remove() {
    Self.remove(path)
    exitHandler.cancel()
  }

  /// Removes the scratch folders of processes that no longer exist.
  static func removeLeftovers(in parent: String) throws(RunFailure) {
    for name in try FolderListing.names(in: parent) where name.hasPrefix(prefix) {
      guard let owner = Int32(name.dropFirst(prefix.count)), owner > 0 else { continue }
      guard owner == getpid() || (kill(owner, 0) != 0 && errno == ESRCH) else { continue }
      remove(FilePaths.join(parent, name))
    }
  }

  private static func remove(_ folder: String) {
    for name in (try? FolderListing.names(in: folder)) ?? [] {
      let path = FilePaths.join(folder, name)
      if unsafe unlink(path) != 0, errno == EISDIR { remove(path) }
    }
    _ = unsafe rmdir(folder)
  }
}
