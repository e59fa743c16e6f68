internal import Diagnostics
internal import Glibc
internal import SystemPackage

/// Copies standard input to a file, so that it can be read twice.
enum Spool {
  /// Copies standard input into an unlinked file in a folder, and returns the open file.
  static func standardInput(in folder: String) throws(RunFailure) -> FileDescriptor {
    let path = FilePaths.join(folder, ".paidline.stdin.\(getpid())")
    do {
      let spool = try FileDescriptor.open(
        FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite])
      _ = unsafe unlink(path)
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
          try unsafe FileDescriptor.standardInput.read(into: bytes)
        }
        if count == 0 { return spool }
        _ = try spool.writeAll(buffer[..<count])
      }
    } catch {
      throw .system(error as? Errno ?? .ioError, "copying standard input to \(path)")
    }
  }
}
