package import Diagnostics
internal import Glibc
internal import SystemPackage

/// Files with a secret; only their owner may have permission to read them.
package enum PrivateFile {
  /// Reads the bytes of a file with a secret.
  ///
  /// - Returns: The bytes.
  /// - Throws: ``RunFailure`` with status 66 for a missing file, and 77 for a file that others may
  ///   read.
  package static func bytes(_ path: String, what: String) throws(RunFailure) -> [UInt8] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw .system(Errno(rawValue: errno), "reading \(what) \(path)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw RunFailure(
        .noPermission,
        "\(OneLine.text(path)): users other than the owner may read \(what); run chmod 600 on this "
          + "file")
    }
    return try TextFile.bytes(path, what: what, limit: 4096)
  }
}
