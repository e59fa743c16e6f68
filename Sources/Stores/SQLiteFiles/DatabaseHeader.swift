package import Diagnostics
internal import Glibc
internal import TemporaryFiles

/// The header of a database file: its first 100 bytes, with the identification and the version.
///
/// It is read without SQLite. SQLite may change a file when opening it, and a file of another
/// program must not change.
package enum DatabaseHeader {
  /// Checks that a file is a database of this format with a usable version; throws if it is not.
  ///
  /// - Returns: `false` if the file is missing or empty, otherwise `true`.
  package static func check(path: String, format: DatabaseFormat) throws(RunFailure) -> Bool {
    // An open connection has already validated the file.
    if ConnectedFiles.contain(path, format: format) { return true }
    let descriptor = DatabaseFile.openDescriptor(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw .system(errno, "opening \(path)", isOutput: true)
    }
    defer { DatabaseFile.closeDescriptor(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RunFailure(
        .badConfiguration,
        "\(path): this is not a regular file. Name another file in the pipeline.")
    }
    guard status.st_size > 0 else { return false }
    var header = [UInt8](repeating: 0, count: 100)
    var count = -1
    repeat {
      count = unsafe header.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, 100, 0)
      }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .system(errno, "reading \(path)", isOutput: false) }
    guard count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw foreign(path: path, format: format)
    }
    guard number(header, at: 68) == format.applicationID else {
      throw foreign(path: path, format: format)
    }
    try checkVersion(number(header, at: 60), path: path, format: format)
    return true
  }

  /// Throws for a schema version that this program cannot use, because the version is newer or too
  /// old.
  package static func checkVersion(_ version: Int32, path: String, format: DatabaseFormat)
    throws(RunFailure)
  {
    if version > format.version {
      throw refusal(
        version,
        "A newer version of Paidline wrote this file: use that version, or name another file.",
        path: path, format: format)
    }
    if version < format.firstVersion {
      throw refusal(version, format.advice, path: path, format: format)
    }
  }

  /// The failure for a file of an older version that cannot be migrated, because the file was
  /// opened only for reading.
  package static func outdated(_ version: Int32, path: String, format: DatabaseFormat) -> RunFailure
  {
    refusal(
      version, "Run the pipeline once with this program: the run updates the file.",
      path: path, format: format)
  }

  private static func refusal(
    _ version: Int32, _ remedy: String, path: String, format: DatabaseFormat
  ) -> RunFailure {
    RunFailure(
      .badConfiguration,
      "\(path): the \(format.name) database has schema version \(version), and this program "
        + "knows version \(format.version). \(remedy) Nothing was changed.")
  }

  /// The failure for a file of another program.
  package static func foreign(path: String, format: DatabaseFormat) -> RunFailure {
    RunFailure(
      .badConfiguration,
      "\(path): this is not a \(format.name) database of Paidline. "
        + "Name another file in the pipeline. Nothing was changed.")
  }

  private static func number(_ header: [UInt8], at offset: Int) -> Int32 {
    Int32(truncatingIfNeeded: header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) })
  }
}
