internal import Foundation

/// A folder for one test; it is removed when the last reference to it is released.
public final class TemporaryFolder: Sendable {
  /// The folder's path, without symbolic links.
  public let path: String

  /// Creates an empty folder in the system's folder for temporary files.
  public init() throws {
    path = try LeftFolders.make()
  }

  deinit { LeftFolders.remove(path) }

  /// The path of a file or folder below this folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a text file, and creates the folders above it.
  public func write(_ name: String, _ text: String) throws {
    try write(name, bytes: Array(text.utf8))
  }

  /// Writes a file of bytes, and creates the folders above it.
  ///
  /// Only the owner may read keys and state.db, which is what a run expects.
  public func write(_ name: String, bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    guard name.hasSuffix(".key") || name.hasSuffix("state.db") else { return }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
  }

  /// Reads a file.
  public func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Whether a file or folder with a name exists.
  public func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  /// The names in the folder, sorted.
  public func names(_ folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }
}
