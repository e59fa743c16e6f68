public import Diagnostics
internal import Glibc

extension RunFailure {
  /// Converts an error of the operating system to a failure with a remedy for the operator.
  ///
  /// Example: `ENOSPC` while `var/state.db` is written: status 74, "var/state.db: cannot be
  /// written: No space left on device. Free some space or check the disk, and run again."
  public static func system(_ code: Int32, path: String, doing: String) -> RunFailure {
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    let message = "\(path): cannot be \(doing): \(reason)."
    return switch code {
    case EACCES, EPERM:
      RunFailure(.noPermission, "\(message) Check the permissions of the file and its folder.")
    case EMFILE, ENFILE:
      RunFailure(
        .inputOutput, "\(message) Allow more open files with ulimit -n, or use fewer --jobs.")
    case ENOSPC, EDQUOT, EFBIG, EIO:
      RunFailure(.inputOutput, "\(message) Free some space or check the disk, and run again.")
    default:
      RunFailure(.cannotCreate, "\(message) Check that the path is correct and its folder exists.")
    }
  }
}
