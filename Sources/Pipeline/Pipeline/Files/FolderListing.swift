internal import Diagnostics
internal import Glibc
internal import SystemPackage

/// Lists the names in a folder.
enum FolderListing {
  /// Returns the names in byte order, without `.` and `..`; empty if the folder does not exist.
  static func names(in folder: String) throws(RunFailure) -> [String] {
    guard let stream = unsafe opendir(folder) else {
      let error = Errno(rawValue: errno)
      if error == .noSuchFileOrDirectory || error == .notDirectory { return [] }
      throw .system(error, "listing \(folder)")
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .system(Errno(rawValue: errno), "listing \(folder)") }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// Resolves symbolic links in paths.
enum RealPath {
  /// The absolute path after following all links; `nil` if it cannot be resolved.
  static func of(_ path: String) -> String? { try? following(path) }

  /// Returns the absolute path after following all links.
  static func following(_ path: String) throws(Errno) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw Errno(rawValue: errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
