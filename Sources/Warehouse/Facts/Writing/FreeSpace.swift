internal import Diagnostics
internal import Glibc

/// The disk a publication needs, checked before it begins.
enum FreeSpace {
  /// A generous estimate of the bytes that a run writes.
  ///
  /// Rows take a third more with their indexes. Replacing needs it twice: in the write-ahead log and
  /// in the file.
  static func needed(for content: WarehouseContent, replacing: Bool) -> Int64 {
    let bytes =
      Int64(content.facts.totals.bytes) * 3 / 2 + Int64(content.rejects.count) * 150 + (4 << 20)
    return replacing ? 2 * bytes : bytes
  }

  /// Whether a folder's file system is out of inodes, so that no file can be made there.
  static func takesNoFile(at path: String) -> Bool {
    var status = statvfs()
    guard unsafe statvfs(folder(of: path), &status) == 0 else { return false }
    // A file system that counts no inodes has none of them.
    return status.f_files > 0 && status.f_favail == 0
  }

  /// Makes sure that a folder's file system has so many bytes to spare.
  static func require(_ needed: Int64, at path: String) throws(RunFailure) {
    let folder = folder(of: path)
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else {
      throw FilePublication.failure(errno, path: folder, doing: "examined")
    }
    let (free, overflow) = Int64(status.f_bavail)
      .multipliedReportingOverflow(by: Int64(status.f_frsize))
    guard !overflow, free < needed else { return }
    throw RunFailure(
      .inputOutput,
      "\(path): publishing needs about \(needed) bytes, and the disk has \(free) free. "
        + "Free some space and run again; nothing was changed.")
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
