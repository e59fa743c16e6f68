public import Diagnostics
public import Glibc

/// A file that other programs see only when it is complete.
///
/// It is written as a draft in its final folder, under a name that no input pattern matches.
/// ``publish()`` syncs the draft, renames it and syncs the folder, so a file with its final name is
/// whole even after a power failure. A draft that is not published is removed.
public final class NewFile {
  /// The readers of the file; also its name in tests that stop the program at a ``CommitBoundary``.
  public enum Kind: String, Sendable {
    /// A page that everyone may read, whatever the umask; its readers include web servers.
    case page
    /// A table that everyone may read whom the umask allows.
    case table
    /// A list that only the owner may read.
    case list
    /// An export that only the owner may read, because it contains customer ids.
    case export
    /// The published database.
    case warehouse

    fileprivate var mode: mode_t { self == .list || self == .export ? 0o600 : 0o644 }
  }

  /// The path of the complete file.
  public let path: String
  private let kind: Kind
  private let draft: String
  private var descriptor: Int32
  /// The number of written bytes.
  private var length: Int64 = 0

  /// Begins a file; its folder must exist.
  ///
  /// - Throws: ``RunFailure`` with status 73, 74 or 77.
  ///
  /// - Parameter mode: The permissions of the file, whatever the umask; `nil` for those of its
  /// kind.
  public init(_ path: String, _ kind: Kind, mode: mode_t? = nil) throws(RunFailure) {
    (self.path, self.kind, draft) = (path, kind, Self.draft(of: path))
    try Self.requirePlace(path)
    _ = unsafe unlink(draft)
    descriptor = try Self.open(draft, kind, for: path)
    guard let fixed = mode ?? (kind == .page ? kind.mode : nil) else { return }
    guard fchmod(descriptor, fixed) == 0 else { throw failure(errno) }
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if !isPublished { _ = unsafe unlink(draft) }
  }

  private var isPublished = false

  /// Appends bytes; after an error, the next call writes at the same place.
  public func write(_ bytes: [UInt8]) throws(RunFailure) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe pwrite(
          descriptor, rest.baseAddress, rest.count, off_t(length) + off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(count < 0 ? errno : EIO) }
      written += count
    }
    length += Int64(bytes.count)
  }

  /// Syncs the written bytes to the disk.
  public func sync() throws(RunFailure) { try Self.sync(descriptor, path) }

  /// Syncs the written bytes and closes the draft, so that many files can be published together.
  public func finish() throws(RunFailure) {
    guard descriptor >= 0 else { return }
    try sync()
    defer { descriptor = -1 }
    guard close(descriptor) == 0 else { throw failure(errno) }
  }

  /// Finishes the draft, renames it to its final name, and syncs the folder.
  public func publish() throws(RunFailure) {
    try finish()
    try Self.rename(draft, to: path, kind) { isPublished = true }
  }

  /// Publishes a draft that was written by other means: syncs it, renames it, and syncs the folder.
  public static func publish(_ draft: String, as path: String, _ kind: Kind) throws(RunFailure) {
    try syncFile(draft)
    try rename(draft, to: path, kind) {}
  }

  /// The path of the draft of a file: `in/.a.gz.draft` for `in/a.gz`.
  public static func draft(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return ".\(path).draft" }
    return "\(path[...slash]).\(path[path.index(after: slash)...]).draft"
  }

  /// Removes the draft that a killed run left.
  public static func removeDraft(of path: String) throws(RunFailure) {
    let draft = draft(of: path)
    guard unsafe unlink(draft) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw .system(errno, "removing \(draft)", isOutput: true)
  }

  /// The folder of a file: `in` for `in/a.gz`, `.` for `a.gz`.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: - System calls

  private static func rename(
    _ draft: String, to path: String, _ kind: Kind, whenRenamed body: () -> Void
  ) throws(RunFailure) {
    try CommitBoundary.fileNamed.pass(.before, in: kind.rawValue)
    guard unsafe Glibc.rename(draft, path) == 0 else {
      throw .system(errno, "writing \(path)", isOutput: true)
    }
    body()
    try CommitBoundary.fileNamed.pass(.after, in: kind.rawValue)
    try syncFile(folder(of: path))
  }

  private static func requirePlace(_ path: String) throws(RunFailure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw RunFailure(
      .cannotCreate,
      "\(OneLine.text(path)) exists and is not a regular file; move it away, or name another path")
  }

  private static func open(_ draft: String, _ kind: Kind, for path: String)
    throws(RunFailure) -> Int32
  {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor: Int32 = -1
    repeat {
      descriptor = unsafe Glibc.open(draft, flags, kind.mode)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw .system(errno, "writing \(path)", isOutput: true) }
    return descriptor
  }

  private static func syncFile(_ path: String) throws(RunFailure) {
    var descriptor: Int32 = -1
    repeat {
      descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw .system(errno, "syncing \(path)", isOutput: true) }
    defer { _ = close(descriptor) }
    try sync(descriptor, path)
  }

  private static func sync(_ descriptor: Int32, _ path: String) throws(RunFailure) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw .system(errno, "syncing \(path)", isOutput: true) }
    }
  }

  private func failure(_ code: Int32) -> RunFailure {
    .system(code, "writing \(path)", isOutput: true)
  }
}
