internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The scenarios as real files through the real programs; the facts are read from the warehouse.
@Test(arguments: LongTests.some(of: StoryFile.stories, oneIn: 8))
func `a story's facts are published`(_ file: StoryFile) throws {
  let differences = try publishedDifferences(of: file.load())
  #expect(differences.isEmpty, "\(file.id)\n\(differences.joined(separator: "\n"))")
}

@Test(arguments: LongTests.some(of: StoryFile.canaries, oneIn: 3))
func `a canary fails in the warehouse too`(_ file: StoryFile) throws {
  let story = try file.load()
  let messages = story.failsWith.filter { message in
    !PublishedFacts.missing.contains { message.hasPrefix($0.rawValue + " ") }
  }
  #expect(try publishedDifferences(of: story) == messages)
}

/// Runs a scenario with files, programs and a warehouse, and compares the facts that the warehouse
/// has.
private func publishedDifferences(of whole: Story) throws -> [String] {
  let story = whole.without(PublishedFacts.missing, PublishedFacts.missingFields)
  let folder = try TemporaryFolder()
  let export = try StoryExport(story, to: folder)
  let options = story.asOf.map { ["--as-of", $0] } ?? []
  try run("paidline", ["run", "pipeline.yaml"] + options, in: folder)
  let published = PublishedFacts(
    reportNames: export.reportNames,
    warehouse: try DatabaseQueue(path: folder.path("warehouse.db")))
  return try differences(of: story, facts: published.facts)
}

extension Story {
  /// The scenario without the expectations that a warehouse does not contain.
  func without(_ sections: Set<StorySection>, _ fields: Set<String>) -> Story {
    var story = self
    for section in sections { story.expectations[section] = nil }
    story.expectations = story.expectations.mapValues { facts in
      facts.map { fact in
        StoryFact(
          identity: fact.identity, fields: fact.fields.filter { !fields.contains($0.key) })
      }
    }
    return story
  }
}

/// Runs a program in the folder of the tests' executables; it must succeed without output.
private func run(_ program: String, _ arguments: [String], in folder: TemporaryFolder) throws {
  let test = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  let process = Process()
  process.executableURL = test.deletingLastPathComponent().appending(path: program)
  process.arguments = arguments
  process.currentDirectoryURL = URL(filePath: folder.path)
  process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  let messages = folder.path("messages")
  _ = FileManager.default.createFile(atPath: messages, contents: nil)
  process.standardError = try FileHandle(forWritingTo: URL(filePath: messages))
  try process.run()
  process.waitUntilExit()
  let text = try String(contentsOfFile: messages, encoding: .utf8)
  try #require(process.terminationStatus == 0, "\(program) ended with \(text)")
}
