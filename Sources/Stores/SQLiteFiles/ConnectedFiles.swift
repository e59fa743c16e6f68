internal import Glibc
internal import Synchronization

/// The files that this process has open through SQLite.
///
/// When a process closes any descriptor of a file, POSIX releases all locks of the process on that
/// file, including SQLite's. Another process could then remove the write-ahead log of a running
/// writer. So a descriptor that the program opened itself stays open until the last SQLite
/// connection to its file is closed.
enum ConnectedFiles {
  /// The identity of a file, independent of its name: device and inode.
  struct Identity: Hashable {
    fileprivate var device: UInt64
    fileprivate var number: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
    }
  }

  private struct Entry {
    var format: String
    var connections = 0
    var waiting: [Int32] = []
  }

  private static let entries = Mutex<[Identity: Entry]>([:])

  /// The registration of one SQLite connection, from before its opening until after its closing.
  final class Connection: Sendable {
    private let identity: Mutex<Identity?>

    /// Registers a connection to the file at a path, before SQLite opens the file.
    init(_ path: String, format: DatabaseFormat) {
      var status = stat()
      let found = unsafe stat(path, &status) == 0 ? Identity(status) : nil
      identity = Mutex(found)
      guard let found else { return }
      entries.withLock { $0[found, default: Entry(format: format.name)].connections += 1 }
    }

    deinit { end() }

    /// Unregisters the connection.
    ///
    /// When the last connection to a file ends, closes the descriptors that were kept open for it.
    /// An earlier close would have released SQLite's locks on the file.
    func end() {
      let found = identity.withLock { identity in
        defer { identity = nil }
        return identity
      }
      if let found { ConnectedFiles.disconnect(found) }
    }
  }

  private static func disconnect(_ identity: Identity) {
    entries.withLock { entries in
      guard var entry = entries[identity] else { return }
      entry.connections -= 1
      if entry.connections > 0 {
        entries[identity] = entry
      } else {
        for descriptor in entry.waiting { _ = Glibc.close(descriptor) }
        entries[identity] = nil
      }
    }
  }

  /// Returns true if this process has the file open as a database of this format.
  ///
  /// The format of the file was checked before the connection was opened.
  static func contain(_ path: String, format: DatabaseFormat) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    let identity = Identity(status)
    return entries.withLock { $0[identity]?.format == format.name }
  }

  /// Closes a descriptor of a file, or postpones this while SQLite has the file open.
  ///
  /// A postponed descriptor is closed after the last SQLite connection to its file.
  static func close(_ descriptor: Int32) {
    var status = stat()
    let identity = unsafe fstat(descriptor, &status) == 0 ? Identity(status) : nil
    let waits = entries.withLock { entries in
      guard let identity, entries[identity] != nil else { return false }
      entries[identity]?.waiting.append(descriptor)
      return true
    }
    if !waits { _ = Glibc.close(descriptor) }
  }
}
