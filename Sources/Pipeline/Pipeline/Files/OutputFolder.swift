package import Diagnostics
internal import Glibc
internal import SystemPackage

/// Creates folders for the files that a run writes.
package enum OutputFolder {
  /// Creates a folder and its missing parents, readable by owner and group.
  package static func create(_ path: String) throws(RunFailure) {
    if PathStatus.exists(path) { return }
    let parent = FilePaths.folder(of: path)
    if parent != path { try create(parent) }
    guard unsafe mkdir(path, 0o750) == 0 || errno == EEXIST else {
      throw .system(Errno(rawValue: errno), "creating the folder \(path)", isOutput: true)
    }
  }
}
