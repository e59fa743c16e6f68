internal import Testing

/// Modules that are used without a dependency in the manifest.
private let system: Set<String> = [
  "Foundation", "Testing", "Synchronization", "Glibc", "Dispatch",
]

@Test func `a target imports only what its manifest entry names`() throws {
  let manifest = Manifest(try #require(Repository.text("Package.swift")))
  for file in Repository.sources + Repository.tests {
    let target = try #require(manifest.target(of: file), "\(file.path): no such target")
    for module in file.imports where !system.contains(module) {
      let isOwn = module == target.name
      #expect(
        isOwn || target.imports.contains(module),
        "\(file.path): imports \(module), which Package.swift does not list for \(target.name)")
    }
  }
}

@Test func `a target names no dependency that none of its files imports`() throws {
  let manifest = Manifest(try #require(Repository.text("Package.swift")))
  let files = Repository.sources + Repository.tests
  for target in manifest.targets.values where target.kind == "library" {
    let imported = Set(files.filter { $0.path.hasPrefix(target.folder + "/") }.flatMap(\.imports))
    for module in target.imports.sorted() {
      #expect(imported.contains(module), "\(target.name) lists \(module) and never imports it")
    }
  }
}

@Test func `a target imports no target of a later floor`() throws {
  let manifest = Manifest(try #require(Repository.text("Package.swift")))
  let floors = ["Basics", "Model", "Steps", "Stores", "Pipeline"]
  func floor(_ target: Manifest.Target) -> Int? {
    let folders = target.folder.split(separator: "/")
    guard folders.first == "Sources", folders.count > 1 else { return nil }
    return floors.firstIndex(of: String(folders[1]))
  }
  let libraries = manifest.targets.values
    .filter { $0.kind == "library" && !$0.folder.hasPrefix("Tests/") }
  for target in libraries {
    let own = try #require(floor(target), "\(target.name) is on no floor: \(target.folder)")
    for name in target.imports.sorted() {
      guard let other = manifest.targets[name].flatMap(floor) else { continue }
      #expect(other <= own, "\(target.name) imports \(name) of the floor \(floors[other])")
    }
  }
  #expect(libraries.count > 20)
}

@Test func `a room of the floor Pipeline imports only those before it`() throws {
  let manifest = Manifest(try #require(Repository.text("Package.swift")))
  let rooms = ["Pipeline", "Publishing", "AppStoreClient", "Answers", "AppleService", "Commands"]
  let floor = manifest.targets.values.filter { $0.folder.hasPrefix("Sources/Pipeline/") }
  #expect(Set(floor.map(\.name)) == Set(rooms))
  for (place, room) in rooms.enumerated() {
    let later = Set(rooms[(place + 1)...])
    let imports = try #require(manifest.targets[room]).imports
    #expect(imports.isDisjoint(with: later), "\(room) imports \(imports.intersection(later))")
  }
}

@Test func `only the commands that ask Apple have a connection to the network`() throws {
  let manifest = Manifest(try #require(Repository.text("Package.swift")))
  for module in ["AppleService", "AsyncHTTPClient"] {
    let users = manifest.targets.values.filter { $0.imports.contains(module) }.map(\.name)
    let allowed: Set = ["AppleService", "paidline-fetch", "paidline-validate"]
    #expect(!users.isEmpty && allowed.isSuperset(of: users), "\(module): \(users)")
  }
}

@Test func `the manifest is read as it is written`() {
  let manifest = Manifest(
    """
    let yams = Target.Dependency.product(name: "Yams", package: "Yams")
    func library(_ name: String) -> Target { .target(name: name) }
        library("A"),
        library(
          "B",
          ["A", yams],
          resources: [.embedInCode("Schema")]),
        .target(
          name: "Support", dependencies: ["A"], path: "Tests/Support",
          swiftSettings: strict),
        tests("BTests", ["B"]),
    """)
  #expect(manifest.targets["A"]?.imports == [])
  #expect(manifest.targets["B"]?.imports == ["A", "Yams"])
  #expect(manifest.targets["Support"]?.imports == ["A"])
  #expect(manifest.targets["BTests"]?.imports == ["B"])
  let folders = ["A", "B", "Support", "BTests"].map { manifest.targets[$0]?.folder }
  #expect(folders == ["Sources/A", "Sources/B", "Tests/Support", "Tests/BTests"])
  let file = SourceFile(path: "Tests/Support/Letters/Vowels.swift", text: "")
  #expect(manifest.target(of: file)?.name == "Support")
}
