public import Diagnostics
internal import Glibc

extension RunFailure {
  /// Creates the failure for a failed system call, with the matching exit status and a remedy.
  ///
  /// `action` is the attempted action, such as `reading exports/a.gz`. `isOutput` is true for a
  /// file that the program writes.
  ///
  /// Example: `ENOSPC` while `var/state.db` is written: status 74, "writing var/state.db: No space
  /// left on device; free some space and run again".
  public static func system(_ code: Int32, _ action: String, isOutput: Bool) -> RunFailure {
    let (status, remedy): (ExitStatus, String) =
      switch code {
      case ENOENT, ENOTDIR:
        isOutput
          ? (.cannotCreate, "; create the folder, or correct the path")
          : (.inputMissing, "; correct the path, or restore the file")
      case EACCES, EPERM: (.noPermission, "; grant the permission and run again")
      case EROFS: (.cannotCreate, "; choose a folder in which this program may write")
      case EISDIR, ELOOP, EEXIST, ENAMETOOLONG:
        isOutput
          ? (.cannotCreate, "; correct the path, or move away what is there")
          : (.inputOutput, "")
      case ENOSPC, EDQUOT, EFBIG: (.inputOutput, "; free some space and run again")
      case EMFILE, ENFILE:
        (.inputOutput, "; allow more open files with ulimit -n, or use fewer --jobs")
      case EIO: (.inputOutput, "; check the disk, then run again")
      default: (.inputOutput, "")
      }
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return RunFailure(status, "\(OneLine.text(action)): \(reason)\(remedy)")
  }
}
