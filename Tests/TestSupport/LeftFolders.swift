internal import Foundation
internal import Synchronization

/// Folders that no test removes.
///
/// A folder that several tests share is removed when the process ends; the folder of a killed
/// process is removed when a later process begins.
enum LeftFolders {
  private static let prefix = "paidline-tests-"
  private static let made = Mutex<Set<String>>([])
  /// The time in seconds for which a folder is kept if its process is not visible: the process may
  /// run in another container.
  private static let patience: TimeInterval = 3600

  private static let sweptOnce: Void = {
    for url in folders() where isLeft(url) { try? FileManager.default.removeItem(at: url) }
    atexit { LeftFolders.removeAll() }
  }()

  private static var place: URL {
    FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
  }

  /// Creates an empty folder that is removed when this process ends.
  static func make() throws -> String {
    _ = sweptOnce
    let url = place.appendingPathComponent("\(prefix)\(getpid())-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    made.withLock { _ = $0.insert(url.path) }
    return url.path
  }

  /// Removes a folder with its content.
  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    made.withLock { _ = $0.remove(path) }
  }

  private static func removeAll() {
    for path in made.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func folders() -> [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: place, includingPropertiesForKeys: [.contentModificationDateKey])
    return (found ?? []).filter { $0.lastPathComponent.hasPrefix(prefix) }
  }

  private static func isLeft(_ url: URL) -> Bool {
    let owner = url.lastPathComponent.dropFirst(prefix.count).prefix { $0 != "-" }
    guard let process = Int32(owner), process > 0, kill(process, 0) != 0, errno == ESRCH,
      let changed = try? url.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
    else { return false }
    return Date.now.timeIntervalSince(changed) > patience
  }
}
