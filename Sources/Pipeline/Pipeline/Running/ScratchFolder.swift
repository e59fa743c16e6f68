package import Diagnostics
internal import Glibc
internal import SystemPackage

/// A private folder for work that leaves nothing behind.
///
/// It is removed when the work ends, also by a signal; the leftover of a killed process is removed
/// when the next one begins.
package final class ScratchFolder: Sendable {
  private static let prefix = ".paidline.scratch."

  /// The path of the folder.
  package let path: String
  private let cutOff: StopSignal.CutOffWork

  /// Makes a folder that only its owner can enter.
  ///
  /// - Parameter parent: the folder around it; with room for the work's files.
  /// - Throws: ``RunFailure`` with status 73 or 77 if it cannot be made.
  package init(in parent: String) throws(RunFailure) {
    try Self.removeLeftovers(in: parent)
    path = FilePaths.join(parent, Self.prefix + String(getpid()))
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw .system(Errno(rawValue: errno), "creating the folder \(path)", isOutput: true)
    }
    let folder = path
    cutOff = StopSignal.beforeCutOff { _ in Self.remove(folder) }
  }

  /// Removes the folder with its content.
  package func remove() {
    Self.remove(path)
    cutOff.cancel()
  }

  /// Removes the folders of processes that are gone.
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
