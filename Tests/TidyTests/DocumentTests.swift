internal import Diagnostics
internal import Foundation
internal import Testing

@Test func `every reject reason has a paragraph`() throws {
  let text = try #require(Repository.text("Docs/rejects.md"))
  for reason in RejectReason.allCases {
    #expect(
      text.contains("\n### `\(reason.rawValue)`\n"), "Docs/rejects.md lacks \(reason.rawValue)")
  }
  let headings = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
  #expect(headings.count == RejectReason.allCases.count, "a paragraph for a reason that is gone")
}

@Test func `the page of commands mentions every command and every exit status`() throws {
  let page = try #require(Repository.text("Docs/commands.md"))
  for name in commandNames {
    #expect(page.contains(name), "Docs/commands.md does not mention \(name)")
  }
  for status in ExitStatus.allCases {
    #expect(
      page.containsWord("\(status.rawValue)"), "Docs/commands.md lacks \(status.rawValue)")
  }
}

@Test func `the README is short, and leads to every page that is no decision`() throws {
  let readme = try #require(Repository.text("README.md"))
  #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  let pages = try FileManager.default.subpathsOfDirectory(
    atPath: Repository.root.appending(path: "Docs").path
  ).filter { $0.hasSuffix(".md") && !$0.hasPrefix("decisions/") }
  #expect(pages.count > 10)
  for page in pages { #expect(readme.contains("(Docs/\(page))"), "README.md lacks Docs/\(page)") }
}

/// What the commands call themselves: `commandName: "run"`.
private var commandNames: [String] {
  Repository.sources.flatMap { file in
    file.lines.compactMap { line in
      let parts = line.split(separator: "\"")
      guard parts.count > 1, parts[0].hasSuffix("commandName: ") else { return nil }
      return String(parts[1])
    }
  }
}

@Test func `the language of the stories is explained`() throws {
  let text = try #require(Repository.text("Tests/Scenarios/README.md"))
  let reader = try #require(Repository.text("Tests/ScenarioTests/StoryReader.swift"))
  for piece in reader.split(separator: "\"").enumerated().filter({ $0.offset % 2 == 1 }) {
    let key = String(piece.element)
    let isKey = !key.isEmpty && key.allSatisfy { $0.isLowercase || $0 == "_" }
    guard isKey, key.count > 1 else { continue }
    #expect(text.contains(key), "Tests/Scenarios/README.md does not explain '\(key)'")
  }
}

@Test func `every relative link of a document leads somewhere`() throws {
  for path in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
    guard let text = Repository.text(path) else { continue }
    for part in text.components(separatedBy: "](").dropFirst() {
      let link = part.prefix { $0 != ")" && $0 != "#" }
      guard !link.isEmpty, !link.contains("://") else { continue }
      let isThere = Repository.exists(String(link))
      #expect(isThere, "\(path): \(link) does not exist")
    }
  }
}

@Test func `every page has a place in the site's navigation`() throws {
  let site = try #require(Repository.text("Packaging/site/mkdocs.yml"))
  let pages = try FileManager.default.subpathsOfDirectory(
    atPath: Repository.root.appending(path: "Docs").path
  ).filter { $0.hasSuffix(".md") }
  #expect(pages.count > 20)
  for page in pages {
    #expect(site.contains("- Docs/\(page)\n"), "Packaging/site/mkdocs.yml lacks Docs/\(page)")
  }
}

@Test func `every package that is built in has its licence in NOTICE`() throws {
  let notice = try #require(Repository.text("NOTICE"))
  let manifest = try #require(Repository.text("Package.swift"))
  let packages = manifest.matches(of: /url: "[^"]+\/([^"\/]+)"/).map { $0.1.lowercased() }
  #expect(packages.count > 10)
  for package in packages where package != "flyingfox" {
    #expect(notice.contains("\n\(package)  "), "NOTICE lacks \(package)")
  }
}
