internal import Foundation
internal import TestSupport
internal import Testing

/// A file with a scenario in `Tests/Scenarios`.
struct StoryFile: Sendable, CustomTestStringConvertible {
  /// The path below `Tests/Scenarios` without its extension.
  var id: String
  var url: URL

  var testDescription: String { id }

  func load() throws -> Story {
    try Story(id: id, yaml: String(contentsOf: url, encoding: .utf8))
  }

  /// The name of the file's folder.
  var topic: String { id.split(separator: "/").first.map { String($0) } ?? "" }

  static let stories = all.filter { $0.topic != "canaries" }
  static let canaries = all.filter { $0.topic == "canaries" }

  private static let all: [StoryFile] = {
    let root = Checkout.folder.appending(path: "Tests/Scenarios")
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".yaml") }.sorted().map { path in
      StoryFile(id: String(path.dropLast(5)), url: root.appending(path: path))
    }
  }()
}
