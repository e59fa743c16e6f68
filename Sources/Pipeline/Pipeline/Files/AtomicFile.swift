package import Diagnostics
internal import Glibc
internal import SystemPackage

/// Replaces a file atomically: another process reads either the old or the new content.
package enum AtomicFile {
  /// Replaces the text of a file, unless the file already has this text.
  ///
  /// If the path is a symbolic link, the file behind it is replaced, not the link.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether only the owner may read the file; otherwise everyone may.
  /// - Returns: True if the file was written.
  /// - Throws: ``RunFailure`` with status 73, 74 or 77; then the old file is unchanged.
  package static func write(_ text: String, to path: String, isPrivate: Bool = false)
    throws(RunFailure)
    -> Bool
  {
    let kind = isPrivate ? "list" : "page"
    let path = RealPath.of(path) ?? path
    let bytes = Array(text.utf8)
    if let status = try? PathStatus(at: path) {
      guard status.kind == .regular else {
        throw RunFailure(
          .cannotCreate, "\(OneLine.text(path)) is not a regular file; name another path")
      }
      if status.size == Int64(bytes.count),
        let old = try? TextFile.bytes(path, what: "the file", limit: bytes.count), old == bytes
      {
        return false
      }
    }
    let folder = FilePaths.folder(of: path)
    try OutputFolder.create(folder)
    let draft = FilePaths.join(folder, ".\(FilePaths.name(of: path)).draft")
    do throws(Errno) {
      try write(bytes, draft: FilePath(draft), mode: isPrivate ? 0o600 : 0o644)
    } catch {
      _ = unsafe unlink(draft)
      throw .system(error, "writing \(path)", isOutput: true)
    }
    do throws(RunFailure) {
      try CommitBoundary.fileNamed.pass(.before, in: kind)
      guard unsafe rename(draft, path) == 0 else {
        throw .system(Errno(rawValue: errno), "writing \(path)", isOutput: true)
      }
    } catch {
      _ = unsafe unlink(draft)
      throw error
    }
    try CommitBoundary.fileNamed.pass(.after, in: kind)
    sync(folder: folder)
    return true
  }

  /// Writes the bytes to a draft file and syncs it to the disk.
  private static func write(_ bytes: [UInt8], draft: FilePath, mode: mode_t) throws(Errno) {
    _ = unsafe unlink(draft.string)
    do {
      let descriptor = try FileDescriptor.open(
        draft, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: [.ownerReadWrite])
      try descriptor.closeAfter {
        _ = try descriptor.writeAll(bytes)
        guard fchmod(descriptor.rawValue, mode) == 0, fsync(descriptor.rawValue) == 0 else {
          throw Errno(rawValue: errno)
        }
      }
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Syncs a folder, so that a renamed file in it survives a power failure; ignores errors.
  private static func sync(folder: String) {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(folder), .readOnly, options: [.closeOnExec])
    else { return }
    fsync(descriptor.rawValue)
    try? descriptor.close()
  }
}
