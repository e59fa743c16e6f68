internal import CivilTime
package import Diagnostics
internal import Glibc
internal import SystemPackage

/// The lock on a state directory; only the process that holds it may write.
///
/// The system releases the lock when this process ends for any reason, so a lock is never stale.
package struct StateLock: ~Copyable {
  private let path: String
  private let descriptor: FileDescriptor

  /// The path of the lock file for a state database.
  static func path(besides statePath: String) -> String {
    FilePaths.join(FilePaths.folder(of: statePath), ".paidline.lock")
  }

  /// Returns true if a process holds the lock, or if the lock file exists but cannot be opened.
  ///
  /// The check holds the lock for a moment, in shared mode. A run that starts at that moment waits
  /// until the check is done.
  package static func isHeld(statePath: String) -> Bool {
    let path = path(besides: statePath)
    guard
      let file = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .noFollow])
    else { return PathStatus.exists(path) }
    defer { try? file.close() }
    return flock(file.rawValue, LOCK_SH | LOCK_NB) != 0
  }

  /// Acquires the lock; creates a missing directory.
  ///
  /// - Parameters:
  ///   - waitSeconds: The time to wait for another run, in seconds.
  /// - Throws: ``RunFailure`` with status 75 if another run still holds the lock.
  package init(statePath: String, waitSeconds: Int) throws(RunFailure) {
    let path = Self.path(besides: statePath)
    try OutputFolder.create(FilePaths.folder(of: path))
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        FilePath(path), .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: [.ownerReadWrite, .groupRead])
    } catch let error as Errno {
      throw Self.failure(error, path)
    } catch {
      throw RunFailure(.cannotCreate, "opening the lock file \(path): \(error)")
    }
    let start = SystemClock.steadyMilliseconds
    while true {
      if flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 { break }
      let error = Errno(rawValue: errno)
      guard error == .wouldBlock || error == .interrupted else {
        try? descriptor.close()
        throw .system(error, "locking \(path)", isOutput: true)
      }
      let owner = LockOwner.read(descriptor)
      // The process of a killed run may still exist for a moment.
      let patience = max(Int64(waitSeconds) * 1000, owner?.isAlive == true ? 0 : 2000)
      do throws(RunFailure) {
        try StopSignal.check()
      } catch {
        try? descriptor.close()
        throw error
      }
      guard SystemClock.steadyMilliseconds - start < patience else {
        try? descriptor.close()
        throw RunFailure(
          .tryAgain,
          "another run holds \(OneLine.text(path))\(owner.map { ": \($0.text)" } ?? ""); "
            + "wait for it with --wait SECONDS, or try again later")
      }
      SystemClock.sleep(milliseconds: 50)
    }
    self.path = path
    self.descriptor = descriptor
    LockOwner(processID: getpid(), start: SystemClock.now).write(to: descriptor)
  }

  /// Creates the failure for a lock that cannot be opened.
  ///
  /// The message has the system's error, or states that the path is not a regular file.
  private static func failure(_ error: Errno, _ path: String) -> RunFailure {
    let found: String? =
      if PathStatus.isSymbolicLink(path) {
        "a symbolic link"
      } else {
        switch try? PathStatus(at: path).kind {
        case .folder: "a folder"
        case .other: "a device, socket or pipe"
        case .regular, .symbolicLink, nil: nil
        }
      }
    guard let found else {
      return .system(error, "opening the lock file \(path)", isOutput: true)
    }
    return RunFailure(
      .cannotCreate,
      "\(OneLine.text(path)) is \(found), but the lock of the runs must be a regular file; "
        + "move it away and run again")
  }

  /// Checks that the lock file is still the file that was locked.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the lock file was removed or replaced.
  func check() throws(RunFailure) {
    guard PathStatus.isSame(descriptor, path) else {
      throw RunFailure(
        .inputOutput,
        "the lock \(OneLine.text(path)) was removed or replaced while the run held it; run "
          + "again, and leave this file where it is")
    }
  }

  deinit { try? descriptor.close() }
}

/// The owner of a lock, as written in the lock file.
struct LockOwner: Hashable {
  /// The id of the process that holds the lock.
  let processID: Int32
  /// The time at which the process acquired the lock.
  let start: Instant

  /// The owner as text for messages.
  var text: String { "process \(processID), started \(start.text)" }

  /// Whether the process exists and is not a zombie.
  var isAlive: Bool {
    guard kill(processID, 0) == 0 || errno == EPERM else { return false }
    let path = "/proc/\(processID)/stat"
    guard let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly) else {
      return true
    }
    defer { try? descriptor.close() }
    let text = descriptor.leadingText(512)
    // The state follows the name. The name is in parentheses and may contain any character.
    guard let name = text.lastIndex(of: ")") else { return true }
    return !text[name...].hasPrefix(") Z")
  }

  /// Reads the owner from an open lock file; `nil` if the file has no valid owner.
  static func read(_ descriptor: FileDescriptor) -> LockOwner? {
    let words = descriptor.leadingText(128).split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count == 2, let processID = Int32(words[0]), processID > 0,
      let start = Instant(text: String(words[1]))
    else { return nil }
    return LockOwner(processID: processID, start: start)
  }

  /// Writes the owner to its lock file.
  ///
  /// Errors are ignored, because the owner is used only in messages.
  func write(to descriptor: FileDescriptor) {
    let line = "\(processID) \(start.text)\n"
    _ = ftruncate(descriptor.rawValue, 0)
    _ = try? descriptor.writeAll(toAbsoluteOffset: 0, line.utf8)
  }
}

extension FileDescriptor {
  /// Reads the text at the start of a small file; empty if it cannot be read.
  fileprivate func leadingText(_ limit: Int) -> String {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      (try? unsafe read(fromAbsoluteOffset: 0, into: bytes)) ?? 0
    }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
