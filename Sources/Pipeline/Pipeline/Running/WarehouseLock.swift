internal import Diagnostics
internal import Glibc
internal import SystemPackage
package import Warehouse

/// The lock on a warehouse, to which pipelines in different folders may publish.
///
/// Without the lock, two first publications would remove each other's unfinished file. Two later
/// runs would overwrite each other's result.
///
/// The warehouse file itself is locked, so that no lock file remains. Before the first publication
/// there is no warehouse file, so the unfinished file is locked instead.
///
/// The system releases the lock when its owner ends. Readers are not affected, because the lock is
/// independent of SQLite's locks.
package struct WarehouseLock: ~Copyable {
  private let descriptor: FileDescriptor
  private let warehouse: WarehouseDatabase
  private let exitHandler: StopSignal.ExitHandler

  /// Acquires the lock, and removes the unfinished warehouse of a killed run.
  ///
  /// - Parameters:
  ///   - path: The path of the warehouse; its folder exists.
  ///   - waitSeconds: The time to wait for another run, in seconds.
  /// - Throws: ``RunFailure`` with status 75 if another run still holds the lock.
  init(path: String, waitSeconds: Int) throws(RunFailure) {
    warehouse = WarehouseDatabase(path: path)
    let start = SystemClock.steadyMilliseconds
    while true {
      switch try Self.attempt(warehouse) {
      case .taken(let descriptor):
        self.descriptor = descriptor
        let warehouse = warehouse
        exitHandler = StopSignal.onExit { _ in try? warehouse.removeUnfinished() }
        return
      case .changed: try StopSignal.check()
      case .held(let file, let owner):
        try StopSignal.check()
        guard SystemClock.steadyMilliseconds - start < Int64(waitSeconds) * 1000 else {
          throw RunFailure(
            .tryAgain,
            "another run publishes to \(OneLine.text(path)) and has locked "
              + "\(OneLine.text(file))\(owner.map { ": process \($0)" } ?? ""); wait with "
              + "--wait SECONDS; if two pipelines have this warehouse by mistake, give each its own"
          )
        }
        SystemClock.sleep(milliseconds: 50)
      }
    }
  }

  deinit {
    exitHandler.cancel()
    // Nothing was published. So the unfinished file is removed while this process still holds its
    // lock.
    if PathStatus.isSame(descriptor, warehouse.unfinishedPath) { try? warehouse.removeUnfinished() }
    try? descriptor.close()
  }

  /// The size in bytes of the unfinished warehouse that a killed run left; `nil` if there is none.
  ///
  /// The result is also `nil` while the run that writes the file is still running. The check holds
  /// the lock for a moment, in shared mode.
  package static func bytesLeftBehind(_ warehouse: WarehouseDatabase) -> Int64? {
    guard
      let left = try? FileDescriptor.open(
        FilePath(warehouse.unfinishedPath), .readOnly,
        options: [.closeOnExec, .noFollow, .nonBlocking])
    else { return nil }
    defer { try? left.close() }
    guard flock(left.rawValue, LOCK_SH | LOCK_NB) == 0 else { return nil }
    return try? PathStatus(of: left).size
  }

  private enum Attempt {
    case taken(FileDescriptor)
    case held(file: String, owner: Int32?)
    /// Another run created or removed the file during the attempt.
    case changed
  }

  private static func attempt(_ warehouse: WarehouseDatabase) throws(RunFailure) -> Attempt {
    let unfinished = warehouse.unfinishedPath
    if let found = try open(warehouse.path, [.nonBlocking]) {
      let attempt = lock(found, warehouse.path)
      guard case .taken = attempt else { return attempt }
      // A locked unfinished file belongs to a run that began before the warehouse was moved here.
      if case .held(let file, let owner) = try removeLeftovers(of: warehouse) {
        try? found.close()
        return .held(file: file, owner: owner)
      }
      return attempt
    }
    if case .held(let file, let owner) = try removeLeftovers(of: warehouse) {
      return .held(file: file, owner: owner)
    }
    guard let made = try open(unfinished, [.create, .exclusiveCreate, .noFollow]) else {
      return .changed
    }
    let attempt = lock(made, unfinished)
    if case .taken = attempt, PathStatus.exists(warehouse.path) {
      try warehouse.removeUnfinished()
      try? made.close()
      return .changed
    }
    return attempt
  }

  /// Removes the unfinished warehouse of a run that has ended.
  ///
  /// Returns `.held` if the run that wrote the file is still running, else `.changed`.
  private static func removeLeftovers(of warehouse: WarehouseDatabase) throws(RunFailure) -> Attempt
  {
    let path = warehouse.unfinishedPath
    if PathStatus.isSymbolicLink(path) {
      try warehouse.removeUnfinished()
    } else if let left = try open(path, [.noFollow, .nonBlocking]) {
      defer { try? left.close() }
      let attempt = lock(left, path, closing: false)
      guard case .taken = attempt else { return attempt }
      try warehouse.removeUnfinished()
    }
    return .changed
  }

  private static func lock(_ descriptor: FileDescriptor, _ path: String, closing: Bool = true)
    -> Attempt
  {
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      let owner = LockTable.holder(of: descriptor)
      if closing { try? descriptor.close() }
      return .held(file: path, owner: owner)
    }
    guard PathStatus.isSame(descriptor, path) else {
      if closing { try? descriptor.close() }
      return .changed
    }
    return .taken(descriptor)
  }

  /// Opens a file; `nil` if it is missing.
  ///
  /// With `.exclusiveCreate` it creates the file, and returns `nil` if the file already exists.
  private static func open(_ path: String, _ options: FileDescriptor.OpenOptions)
    throws(RunFailure) -> FileDescriptor?
  {
    do {
      return try FileDescriptor.open(
        FilePath(path), .readOnly, options: options.union(.closeOnExec),
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch let error as Errno {
      if error == .noSuchFileOrDirectory && !options.contains(.create) { return nil }
      if error == .fileExists { return nil }
      throw .system(error, "opening \(path)", isOutput: true)
    } catch {
      throw RunFailure(.cannotCreate, "opening \(path): \(error)")
    }
  }
}

/// Finds lock owners in the system's list of locks, `/proc/locks`.
enum LockTable {
  /// Finds the process that holds the lock on an open file; `nil` for a lock that is not listed.
  static func holder(of descriptor: FileDescriptor) -> Int32? {
    guard let status = try? PathStatus(of: descriptor),
      let table = try? TextFile.read("/proc/locks", what: "the list of locks", limit: 1 << 22)
    else { return nil }
    return holder(ofFile: status.inode, in: table)
  }

  /// Finds the holder in lines such as `1: FLOCK  ADVISORY  WRITE 812 00:1a:49024 0 EOF`.
  static func holder(ofFile number: UInt64, in table: String) -> Int32? {
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE",
        words[5].hasSuffix(":\(number)")
      else { continue }
      return Int32(words[4])
    }
    return nil
  }
}
