package import Diagnostics
internal import Glibc
internal import SystemPackage

/// A file that is written under a temporary name, and renamed after it is complete.
package final class DraftFile {
  private let path: String
  private let draft: String
  private let descriptor: FileDescriptor
  private var isOpen = true
  private var isPublished = false

  /// Begins a draft; the folder must exist.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether only the owner may read the file; otherwise everyone may.
  /// - Throws: ``RunFailure`` with status 73, 74 or 77.
  package init(_ path: String, isPrivate: Bool = false) throws(RunFailure) {
    self.path = path
    draft = FilePaths.join(FilePaths.folder(of: path), ".\(FilePaths.name(of: path)).draft")
    if let status = try? PathStatus(at: path), status.kind != .regular {
      throw RunFailure(
        .cannotCreate,
        "\(OneLine.text(path)) exists and is not a regular file; move it away, or name another "
          + "path")
    }
    do {
      _ = unsafe unlink(draft)
      descriptor = try FileDescriptor.open(
        FilePath(draft), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: isPrivate ? [.ownerReadWrite] : [.ownerReadWrite, .groupRead, .otherRead])
    } catch let error as Errno {
      throw .system(error, "creating \(path)", isOutput: true)
    } catch {
      throw RunFailure(.cannotCreate, "creating \(OneLine.text(path)): \(error)")
    }
  }

  deinit {
    if isOpen { try? descriptor.close() }
    if !isPublished { _ = unsafe unlink(draft) }
  }

  package func write(_ bytes: [UInt8]) throws(RunFailure) {
    do {
      _ = try descriptor.writeAll(bytes)
    } catch let error as Errno {
      throw .system(error, "writing \(path)", isOutput: true)
    } catch {
      throw RunFailure(.inputOutput, "writing \(OneLine.text(path)): \(error)")
    }
  }

  /// Syncs the written bytes to the disk and closes the draft.
  package func finish() throws(RunFailure) {
    guard fsync(descriptor.rawValue) == 0 else {
      throw .system(Errno(rawValue: errno), "writing \(path)", isOutput: true)
    }
    isOpen = false
    do {
      try descriptor.close()
    } catch {
      throw RunFailure(.inputOutput, "writing \(OneLine.text(path)): \(error)")
    }
  }

  /// Renames the finished draft to its final name.
  package func publish() throws(RunFailure) {
    try CommitBoundary.fileNamed.pass(.before, in: "table")
    guard unsafe rename(draft, path) == 0 else {
      throw .system(Errno(rawValue: errno), "writing \(path)", isOutput: true)
    }
    isPublished = true
    try CommitBoundary.fileNamed.pass(.after, in: "table")
  }
}
