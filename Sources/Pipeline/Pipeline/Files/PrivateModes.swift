internal import Diagnostics
internal import Glibc
internal import Logging
internal import SystemPackage

/// The permissions of files that name customers, or that hold the key to their names.
///
/// A copy of state.db that was restored with `cp`, or a key that was written with `head`, often may
/// be read by everyone. A run takes this permission away, and says so.
enum PrivateModes {
  /// Removes the permissions that a pipeline's private files must not have.
  ///
  /// - Throws: ``RunFailure`` with status 77 if the permissions of a file cannot be changed.
  static func putRight(_ definition: PipelineDefinition, log: Logger) throws(RunFailure) {
    let state = RealPath.of(definition.statePath) ?? definition.statePath
    for suffix in ["", "-wal", "-shm", ".removals"] {
      try remove(0o077, of: state + suffix, as: definition.statePath + suffix, log: log)
    }
    if let key = definition.customerKeyPath { try remove(0o007, of: key, as: key, log: log) }
  }

  /// Removes permissions of a file, if it exists and has one of them.
  private static func remove(
    _ forbidden: UInt32, of path: String, as name: String, log: Logger
  ) throws(RunFailure) {
    guard let status = try? PathStatus(at: path), status.permissions & forbidden != 0 else {
      return
    }
    let name = OneLine.text(name)
    guard unsafe chmod(path, mode_t(status.permissions & ~forbidden)) == 0 else {
      throw RunFailure(
        .noPermission,
        "\(name): other users may read this file, which must stay private, and its permissions "
          + "cannot be changed; run chmod o-rwx,g-rwx on it as its owner")
    }
    log.warning(
      """
      other users could read \(name), which must stay private; its mode is now \
      \(String(status.permissions & ~forbidden, radix: 8))
      """,
      metadata: ["event": "mode_changed", "file": "\(name)"])
  }
}
