package import Diagnostics
internal import SystemPackage
internal import TemporaryFiles

/// Reads small files at once: settings, catalogues, keys.
package enum TextFile {
  /// Reads a regular file of at most `limit` bytes; `what` is its name in messages.
  package static func bytes(_ path: String, what: String, limit: Int) throws(RunFailure) -> [UInt8]
  {
    do {
      let descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
      defer { try? descriptor.close() }
      let status = try PathStatus(of: descriptor)
      guard status.kind == .regular else {
        throw RunFailure(
          .badConfiguration,
          "\(OneLine.text(path)): \(what) is not a regular file; name a regular file")
      }
      guard status.size <= Int64(limit) else {
        throw RunFailure(
          .badConfiguration,
          "\(OneLine.text(path)): \(what) is larger than \(limit) bytes; is this the right file?")
      }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try unsafe buffer.withUnsafeMutableBytes { buffer in
          try unsafe descriptor.read(into: buffer)
        }
        if count == 0 { return bytes }
        bytes.append(contentsOf: buffer[..<count])
        guard bytes.count <= limit else {
          throw RunFailure(
            .badConfiguration,
            "\(OneLine.text(path)): \(what) grows while it is read; run again when no program "
              + "writes to it")
        }
      }
    } catch let failure as RunFailure {
      throw failure
    } catch let error as Errno {
      throw .system(error, "reading \(what) \(path)")
    } catch {
      throw RunFailure(.inputOutput, "reading \(what) \(OneLine.text(path)): \(error)")
    }
  }

  /// Reads the text of a regular file.
  ///
  /// The text must be UTF-8; a byte order mark is removed.
  package static func read(_ path: String, what: String, limit: Int) throws(RunFailure) -> String {
    let bytes = try bytes(path, what: what, limit: limit)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      throw RunFailure(
        .badConfiguration, "\(OneLine.text(path)): \(what) is not UTF-8 text; save it as UTF-8")
    }
    return text
  }

  /// Replaces the text of a file, unless the file already has this text.
  ///
  /// Another process reads either the old or the new text. If the path is a symbolic link, the file
  /// behind it is replaced, not the link.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether only the owner may read the file; otherwise everyone may.
  ///   - mode: The permissions of the file; `nil` for those that `isPrivate` means.
  /// - Returns: True if the file was written.
  /// - Throws: ``RunFailure`` with status 73, 74 or 77; then the old file is unchanged.
  package static func write(
    _ text: String, to path: String, isPrivate: Bool = false, mode: UInt32? = nil
  ) throws(RunFailure) -> Bool {
    let path = RealPath.of(path) ?? path
    let new = Array(text.utf8)
    if let status = try? PathStatus(at: path), status.kind == .regular,
      status.size == Int64(new.count), mode.map({ $0 == status.permissions }) ?? true,
      let old = try? bytes(path, what: "the file", limit: new.count), old == new
    {
      return false
    }
    try OutputFolder.create(FilePaths.folder(of: path))
    let file = try NewFile(path, isPrivate ? .list : .page, mode: mode)
    try file.write(new)
    try file.publish()
    return true
  }
}
