package import Diagnostics
internal import Glibc

/// The limit on open files of this process.
///
/// The limit is checked first, because a library would end the process without a message if the
/// limit is too low.
package enum OpenFileLimit {
  /// The number of files that every command needs to have open.
  ///
  /// They are the standard streams, the exports, the files of the runtime, and the files of two
  /// databases. Each database has three files, and several connections open them.
  static let required: rlim_t = 64
  /// The limit to request if the system allows more files.
  ///
  /// It suffices for many threads, each with an open file and a database connection.
  static let desired: rlim_t = 2048

  /// Raises the soft limit to ``desired``, or as far as the system allows.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the limit is below ``required``.
  package static func raise() throws(RunFailure) {
    var limit = rlimit()
    guard unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < desired else { return }
    let found = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, desired)
    if limit.rlim_cur > found, unsafe setrlimit(kind, &limit) == 0 { return try check(limit) }
    limit.rlim_cur = found
    try check(limit)
  }

  private static func check(_ limit: rlimit) throws(RunFailure) {
    guard limit.rlim_cur < required else { return }
    throw RunFailure(
      .inputOutput,
      "only \(limit.rlim_cur) files may be open at once, and \(required) are needed; allow more "
        + "with ulimit -n, or with LimitNOFILE= where systemd starts the run")
  }

  private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
