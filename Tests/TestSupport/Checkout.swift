public import Foundation

/// The repository whose tests these are, on disk.
public enum Checkout {
  /// The folder that holds `Package.swift`.
  public static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The real receipts and requests beside the repository; `nil` where they are not at hand, as
  /// they are no part of it.
  public static let fixtures: URL? = {
    let fixtures = folder.deletingLastPathComponent().appending(path: "shared/fixtures")
    return FileManager.default.fileExists(atPath: fixtures.path) ? fixtures : nil
  }()
}
