internal import Glibc
internal import Synchronization

/// The files that this process has open through SQLite.
///
/// POSIX takes all locks of a process on a file away when it closes any descriptor of that file,
/// also one that SQLite knows nothing of. A writer without its locks looks gone: the next reader
/// that closes then removes the write-ahead log from under it. So a descriptor of ours stays open
/// until the last connection to its file is closed.
enum ConnectedFiles {
  /// The identity of a file, whatever its name: device and inode.
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

  /// A connection, from before it is opened to after it is closed.
  final class Connection: Sendable {
    private let identity: Mutex<Identity?>

    /// Notes that the file at a path is about to be opened.
    init(_ path: String, format: DatabaseFormat) {
      var status = stat()
      let found = unsafe stat(path, &status) == 0 ? Identity(status) : nil
      identity = Mutex(found)
      guard let found else { return }
      entries.withLock { $0[found, default: Entry(format: format.name)].connections += 1 }
    }

    deinit { end() }

    /// Notes that it is closed; with the last one go the descriptors that waited for it.
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

  /// Whether this process has the file open as a database of this format, and knows it therefore.
  static func contain(_ path: String, format: DatabaseFormat) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    let identity = Identity(status)
    return entries.withLock { $0[identity]?.format == format.name }
  }

  /// Closes a descriptor, or lets it wait for the last connection to its file.
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
