public import Foundation

/// The repository whose tests these are, on disk.
public enum Checkout {
  /// The folder that holds `Package.swift`.
  public static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The real receipts and requests beside the repository, which does not hold them; `nil` if they
  /// are missing.
  public static let fixtures: URL? = {
    let fixtures = folder.deletingLastPathComponent().appending(path: "shared/fixtures")
    return FileManager.default.fileExists(atPath: fixtures.path) ? fixtures : nil
  }()
}
