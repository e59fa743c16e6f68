internal import StateStore
package import Diagnostics
internal import Glibc
package import SystemPackage
internal import TemporaryFiles

/// The status of a file in the file system (`stat`).
package struct PathStatus: Hashable {
  /// The kind of entry in a folder: a file, a folder, a link or another entry.
  enum Kind: Hashable {
    case regular, folder, symbolicLink, other
  }

  let kind: Kind
  /// The size of the file in bytes.
  package let size: Int64
  /// The number of the device; together with `inode`, it identifies the file.
  let device: UInt64
  let inode: UInt64
  /// The permissions of the owner, the group and others: the last nine bits of the mode.
  package let permissions: UInt32
  /// The time of the last change of the content, in nanoseconds since 1970.
  private let modified: Int64
  /// The time of the last change of content or metadata, in nanoseconds since 1970.
  private let changed: Int64

  /// The identity, size and times of the file; at least one of them differs after a change.
  var stamp: FileStamp {
    FileStamp(device: device, inode: inode, bytes: size, modified: modified, changed: changed)
  }

  /// Reads the status of an open file.
  package init(of descriptor: FileDescriptor) throws(Errno) {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  /// Reads the status of the file at a path; follows links.
  package init(at path: String) throws(Errno) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  static func isSymbolicLink(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    return PathStatus(status).kind == .symbolicLink
  }

  /// Returns true if the file at a path is still the file that was opened.
  static func isSame(_ descriptor: FileDescriptor, _ path: String) -> Bool {
    guard let held = try? PathStatus(of: descriptor), let file = try? PathStatus(at: path) else {
      return false
    }
    return held.device == file.device && held.inode == file.inode
  }

  /// Returns true if a path exists.
  package static func exists(_ path: String) -> Bool { (try? PathStatus(at: path)) != nil }

  /// Returns true if a path exists, and false only if it certainly does not exist.
  ///
  /// - Throws: ``RunFailure`` with status 77 or 74 if a folder of the path cannot be read.
  package static func isPresent(_ path: String) throws(RunFailure) -> Bool {
    do {
      _ = try PathStatus(at: path)
      return true
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .system(error, "opening \(path)") }
      return false
    }
  }

  private init(_ status: stat) {
    switch UInt32(status.st_mode) & UInt32(S_IFMT) {
    case UInt32(S_IFREG): kind = .regular
    case UInt32(S_IFDIR): kind = .folder
    case UInt32(S_IFLNK): kind = .symbolicLink
    default: kind = .other
    }
    size = Int64(status.st_size)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    permissions = UInt32(status.st_mode) & 0o777
    (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
  }
}

extension PathStatus {
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension RunFailure {
  /// Creates the failure for a failed system call, with the matching exit status.
  ///
  /// `action` is the attempted action, such as `reading exports/a.gz`. `isOutput` is true for a
  /// file that the program writes.
  package static func system(_ error: Errno, _ action: String, isOutput: Bool = false) -> RunFailure
  {
    .system(error.rawValue, action, isOutput: isOutput)
  }
}
