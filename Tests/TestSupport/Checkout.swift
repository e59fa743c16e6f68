public import Foundation

/// The repository on disk to which these tests belong.
public enum Checkout {
  /// The folder with `Package.swift`.
  public static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The real receipts and requests next to the repository, which does not contain them; `nil` if
  /// they are missing.
  public static let fixtures: URL? = {
    let fixtures = folder.deletingLastPathComponent().appending(path: "shared/fixtures")
    return FileManager.default.fileExists(atPath: fixtures.path) ? fixtures : nil
  }()
}
