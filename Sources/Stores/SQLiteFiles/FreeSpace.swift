package import Diagnostics
internal import Glibc
internal import TemporaryFiles

/// Checks that the disk has enough space, before work begins.
package enum FreeSpace {
  /// Returns true if no file can be created next to `path`: the file system has no free inode.
  package static func takesNoFile(at path: String) -> Bool {
    var status = statvfs()
    guard unsafe statvfs(NewFile.folder(of: path), &status) == 0 else { return false }
    // A file system without inodes reports 0 free of 0. So 0 free inodes mean a full file system
    // only if the total is above 0.
    return status.f_files > 0 && status.f_favail == 0
  }

  /// Throws if the file system of the folder that contains `path` has fewer free bytes than needed.
  package static func require(_ needed: Int64, at path: String) throws(RunFailure) {
    let folder = NewFile.folder(of: path)
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else {
      throw .system(errno, "examining \(folder)", isOutput: true)
    }
    let (free, overflow) = Int64(status.f_bavail)
      .multipliedReportingOverflow(by: Int64(status.f_frsize))
    guard !overflow, free < needed else { return }
    throw RunFailure(
      .inputOutput,
      "\(path): this step needs about \(needed) bytes of disk space, but only \(free) are free. "
        + "Free some space and run again.")
  }
}
