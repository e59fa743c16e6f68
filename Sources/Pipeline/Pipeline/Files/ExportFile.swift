package import Diagnostics
internal import ExportReading
internal import Glibc
internal import SystemPackage

/// A gzip export, which is visible to readers only after it is complete.
///
/// The export is written in its final folder, under a name that no input pattern matches. The
/// complete file is synced and renamed; then the folder is synced. If a run is killed, the next run
/// overwrites its unfinished export.
package struct ExportFile: ~Copyable {
  private let path: String
  private let draft: String
  private let descriptor: FileDescriptor
  private var deflater: GzipDeflater
  private var isFinished = false

  /// Begins an export; creates its folder if it is missing.
  ///
  /// Only the owner of the file may read the export, because it contains customer ids.
  package static func begin(_ path: String) throws(RunFailure) -> ExportFile {
    let folder = FilePaths.folder(of: path)
    try OutputFolder.create(folder)
    let draft = draft(of: path)
    let deflater = try GzipDeflater()
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        FilePath(draft), .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
        permissions: [.ownerReadWrite])
    } catch {
      throw failure(error, path)
    }
    return ExportFile(path: path, draft: draft, descriptor: descriptor, deflater: deflater)
  }

  private init(
    path: String, draft: String, descriptor: FileDescriptor, deflater: consuming GzipDeflater
  ) {
    self.path = path
    self.draft = draft
    self.descriptor = descriptor
    self.deflater = deflater
  }

  deinit {
    if !isFinished {
      try? descriptor.close()
      _ = unsafe unlink(draft)
    }
  }

  package mutating func append(_ line: [UInt8]) throws(RunFailure) {
    try write(deflater.append(line))
  }

  /// Completes the export and renames it to its final name.
  package mutating func publish() throws(RunFailure) {
    try write(deflater.finish())
    guard fsync(descriptor.rawValue) == 0 else { throw Self.failure(Errno(rawValue: errno), path) }
    try CommitBoundary.fileNamed.pass(.before, in: "export")
    guard unsafe rename(draft, path) == 0 else { throw Self.failure(Errno(rawValue: errno), path) }
    isFinished = true
    try CommitBoundary.fileNamed.pass(.after, in: "export")
    try? descriptor.close()
    try Self.syncFolder(FilePaths.folder(of: path))
  }

  /// Removes the unfinished export of a killed run.
  static func removeDraft(of path: String) throws(RunFailure) {
    let draft = draft(of: path)
    guard unsafe unlink(draft) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw failure(Errno(rawValue: errno), draft)
  }

  private static func draft(of path: String) -> String {
    FilePaths.join(FilePaths.folder(of: path), ".\(FilePaths.name(of: path)).part")
  }

  private func write(_ bytes: [UInt8]) throws(RunFailure) {
    guard !bytes.isEmpty else { return }
    do {
      _ = try descriptor.writeAll(bytes)
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func syncFolder(_ folder: String) throws(RunFailure) {
    do {
      let descriptor = try FileDescriptor.open(FilePath(folder), .readOnly, options: [.closeOnExec])
      defer { try? descriptor.close() }
      guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      throw failure(error, folder)
    }
  }

  private static func failure(_ error: any Error, _ path: String) -> RunFailure {
    .system(error as? Errno ?? .ioError, "writing the export \(path)", isOutput: true)
  }
}
