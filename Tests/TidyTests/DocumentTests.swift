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
  #expect(commandNames.count > 15)
  for name in commandNames {
    #expect(page.contains(name), "Docs/commands.md does not mention \(name)")
  }
  // The first column of the table: `| 73, 74 |`.
  let rows = page.matches(of: /\n\| ([0-9, ]+) \|/)
  let listed = rows.flatMap { $0.1.split(separator: ", ").compactMap { Int32($0) } }
  #expect(listed == ExitStatus.allCases.map(\.rawValue))
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

/// The names of the commands in the code: `commandName: "run"`.
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
  let keys = Set(reader.matches(of: /"([a-z_]{2,})"/).map { String($0.1) })
  #expect(keys.count > 20)
  for key in keys.sorted() {
    #expect(text.containsWord(key), "Tests/Scenarios/README.md does not explain '\(key)'")
  }
}

@Test func `every relative link of a document leads somewhere`() throws {
  let pages =
    ["README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"].map { "\($0).md" }
    + ["Benchmarks", "Docs", "Fuzz", "SampleData", "Tests"].flatMap(Repository.pages)
  #expect(pages.count > 30)
  var links = 0
  for page in pages {
    let text = try #require(Repository.text(page), "\(page) is gone")
    for part in text.components(separatedBy: "](").dropFirst() {
      let link = part.prefix { $0 != ")" && $0 != "#" }
      guard !link.isEmpty, !link.contains("://") else { continue }
      links += 1
      let folder = page.split(separator: "/").dropLast().joined(separator: "/")
      #expect(Repository.exists("\(folder)/\(link)"), "\(page): \(link) does not exist")
    }
  }
  #expect(links > 100)
}

@Test func `every page has a place in the site's navigation`() throws {
  let site = try #require(Repository.text("Packaging/site/mkdocs.yml"))
  let pages = ["Benchmarks", "Docs", "Fuzz", "SampleData", "Tests"].flatMap(Repository.pages)
  #expect(pages.count > 30)
  for page in pages {
    #expect(site.contains("- \(page)\n"), "Packaging/site/mkdocs.yml lacks \(page)")
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

/// `Package.resolved` is not kept, so the manifest alone decides what is built.
@Test func `every package, of other packages too, has an exact version in the manifest`() throws {
  let manifest = try #require(Repository.text("Package.swift"))
  #expect(!manifest.contains("from: \"") && !manifest.contains("branch: \""))
  let exact = Set(
    manifest.matches(of: /url: "[^"]+\/([^"\/]+)", exact: "([^"]+)"/)
      .map { "\($0.1.lowercased()) \($0.2)" })
  let notice = try #require(Repository.text("NOTICE"))
  let shipped = notice.matches(of: /\n([a-z][a-z0-9.-]+) {2,}[A-Z]/).map { String($0.1) }
  #expect(shipped.count > 25)
  for package in shipped where package != "swift" {
    #expect(
      exact.contains { $0.hasPrefix(package + " ") }, "Package.swift has no exact \(package)")
  }
  // Written by the build of these tests.
  if let resolved = Repository.text("Package.resolved") {
    let pins = resolved.matches(
      of: /"identity" : "([^"]+)"[^}]+"revision" : "[^"]+",\s+"version" : "([^"]+)"/)
    #expect(pins.count == exact.count)
    for pin in pins { #expect(exact.contains("\(pin.1) \(pin.2)"), "\(pin.1) \(pin.2)") }
  }
}

@Test func `public continuous integration runs the script that every other one runs`() throws {
  let workflow = try #require(Repository.text(".github/workflows/check.yml"))
  #expect(workflow.contains("run: .ci/run\n"))
  #expect(try #require(Repository.text(".ci/run")).contains("make check"))
}

/// `python3 -m` reads modules from the working directory, unless it is isolated.
@Test func `no program is started that reads code from the working directory`() throws {
  for source in Repository.sources {
    let isStarting = source.code.contains { $0.contains("posix_spawn") || $0.contains("Process()") }
    #expect(!isStarting, "\(source.path)")
  }
  let makefile = try #require(Repository.text("Makefile"))
  #expect(!makefile.contains("python3 -m") && makefile.contains("python3 -I -m venv"))
}

/// No test can build an image, so each of its lines is compared with what the package itself says.
@Test func `the container is built from the package itself: folders, commands, libraries`() throws {
  let lines = try #require(Repository.text("Packaging/Containerfile"))
    .replacing("\\\n", with: "").split(separator: "\n")
  let makefile = try #require(Repository.text("Makefile"))

  let copies = lines.filter { $0.hasPrefix("COPY") }
    .map { $0.split(separator: " ").dropFirst().filter { !$0.hasPrefix("--") } }
  let sources = copies.flatMap { $0.dropLast() }.filter { !$0.hasPrefix("/") }
  #expect(sources.count > 8)
  for source in sources { #expect(Repository.exists(String(source)), "\(source)") }
  let manifest = try #require(Repository.text("Package.swift"))
  for folder in Set(manifest.matches(of: /path: "([A-Za-z]+)\//).map(\.1)) {
    #expect(sources.contains(folder), "Package.swift needs \(folder)")
  }

  let commands = lines.joined(separator: "\n").matches(of: /RUN make ([a-z-]+)/).map(\.1)
  #expect(!commands.isEmpty && commands.allSatisfy { makefile.contains("\n\($0): ") })
  let built = try #require(copies.flatMap(\.self).first { $0.hasSuffix("/bin") })
  #expect(built.hasSuffix("/.build/dist/bin") && makefile.contains("DIST := .build/dist\n"))

  let installed = lines.filter { $0.contains("apt-get install") }.map { String($0) }
  try #require(installed.count == 2)
  let needed = try #require(makefile.firstMatch(of: /call apt_install,(zlib1g-dev [^)]+)\)/)).1
  for package in needed.split(separator: " ") { #expect(installed[0].contains(package)) }
  let control = try #require(Repository.text("Packaging/control"))
  let recommended = try #require(control.firstMatch(of: /Recommends: (.+)/)).1
  for package in recommended.split(separator: ", ") { #expect(installed[1].contains(package)) }

  #expect(lines.contains("USER paidline") && lines.contains("ENTRYPOINT [\"paidline\"]"))
  #expect(makefile.contains("PROGRAMS := paidline "))
}
