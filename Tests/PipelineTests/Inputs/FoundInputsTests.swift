internal import CivilTime
internal import Diagnostics
internal import Foundation
internal import PurchaseModel
@testable internal import Pipeline
internal import TestSupport
internal import Testing

struct FoundInputsTests {
  private func find(_ folder: TemporaryFolder, receipts: [String], prices: [String] = [])
    throws(RunFailure) -> FoundInputs
  {
    let definition = try PipelineDefinition.read(
      path: folder.path("pipeline.yaml"),
      text: """
        state: state.db
        warehouse: warehouse.db
        inputs:
          receipts: [\(receipts.map { "\"\($0)\"" }.joined(separator: ", "))]
          prices: [\(prices.map { "\"\($0)\"" }.joined(separator: ", "))]
        """)
    return try FoundInputs.find(definition)
  }

  private func names(_ found: FoundInputs) -> [String] { found.files.map(\.path) }

  @Test func `files come sorted by path, receipts first, each once, with their day`() throws {
    let folder = try TemporaryFolder()
    for name in ["in/r-2021-01-02.gz", "in/r-2021-01-01.gz", "in/r-b.gz", "p/1.gz", "in/.x.gz"] {
      try folder.write(name, "x")
    }
    let found = try find(
      folder, receipts: ["in/r-{date}.gz", "in/*.gz", "in/r-b.gz"], prices: ["p/*.gz"])
    #expect(
      names(found) == [
        "in/r-2021-01-01.gz", "in/r-2021-01-02.gz", "in/r-b.gz", "p/1.gz",
      ])
    #expect(found.files.map(\.kind.rawValue) == ["receipts", "receipts", "receipts", "prices"])
    #expect(found.files[3].size == 1)
    #expect(found.refusals.isEmpty)
  }

  @Test func `a day tells even where a later pattern matches the file without one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/r-2021-01-02.gz", "x")
    let found = try find(folder, receipts: ["in/r-{date}.gz", "in/*.gz"])
    #expect(found.files.map(\.exportDay?.text) == ["2021-01-02"])
  }

  @Test func `a folder can be a wildcard too`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/2021-03-04/r.gz", "x")
    try folder.write("in/other/r.gz", "x")
    let found = try find(folder, receipts: ["in/{date}/r.gz"])
    #expect(names(found) == ["in/2021-03-04/r.gz"])
    #expect(found.files[0].exportDay?.text == "2021-03-04")
  }

  @Test func `a day may be divided among folders, with more folders below`() throws {
    let folder = try TemporaryFolder()
    for name in ["2021/03/04/05/a.gz", "2021/03/04/b.gz", "2021/02/30/c.gz", "2021/03/05/x/y/d.gz"]
    {
      try folder.write("in/" + name, "x")
    }
    let found = try find(folder, receipts: ["in/{yyyy}/{mm}/{dd}/**/*.gz"])
    #expect(
      names(found) == [
        "in/2021/03/04/05/a.gz", "in/2021/03/04/b.gz", "in/2021/03/05/x/y/d.gz",
      ])
    #expect(found.files.map(\.exportDay?.text) == ["2021-03-04", "2021-03-04", "2021-03-05"])
    #expect(found.refusals.isEmpty)
  }

  @Test func `any number of folders does not follow links, which may form a circle`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/x/a.gz", "x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/x/again"), withDestinationPath: "..")
    let found = try find(folder, receipts: ["in/**"])
    #expect(names(found) == ["in/x/a.gz"])
  }

  @Test(arguments: ["in/*.gz", "nothing/*.gz", "in/r-{date}.gz", "in/missing.gz"])
  func `a pattern that matches nothing is an input missing`(_ pattern: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("in/other.txt", "x")
    let failure = #expect(throws: RunFailure.self) { try find(folder, receipts: [pattern]) }
    #expect(failure?.status == .inputMissing)
    #expect(failure?.message.contains("\"\(pattern)\"") == true)
  }

  @Test func `links that stay inside are followed, and links that leave are refused by name`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("in/real/a.gz", "x")
    try folder.write("secret.gz", "x")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path("in/inside.gz"), withDestinationPath: "real/a.gz")
    try manager.createSymbolicLink(
      atPath: folder.path("in/outside.gz"), withDestinationPath: "../secret.gz")
    try manager.createSymbolicLink(
      atPath: folder.path("in/loop.gz"), withDestinationPath: "loop.gz")
    let found = try find(folder, receipts: ["in/*.gz"])
    #expect(names(found) == ["in/inside.gz"])
    #expect(found.files[0].resolvedPath == folder.path("in/real/a.gz"))
    #expect(
      found.refusals.map(\.text) == [
        "in/loop.gz: a symbolic link that cannot be resolved",
        "in/outside.gz: a symbolic link to a place outside in",
      ])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a name that is no regular file is refused and never opened`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.gz", "x")
    try FileManager.default.createDirectory(
      atPath: folder.path("in/folder.gz"), withIntermediateDirectories: false)
    #expect(unsafe mkfifo(folder.path("in/pipe.gz"), 0o600) == 0)
    let found = try find(folder, receipts: ["in/*.gz"])
    #expect(names(found) == ["in/a.gz"])
    #expect(
      found.refusals.map(\.text) == [
        "in/folder.gz: it is a folder; write a pattern for the files in it, such as "
          + "in/folder.gz/*.gz",
        "in/pipe.gz: it is not a regular file",
      ])
  }

  @Test func `a name that could forge a line is refused and shown without it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.gz", "x")
    try folder.write("in/b\nerror: all is lost.gz", "x")
    let found = try find(folder, receipts: ["in/*.gz"])
    #expect(names(found) == ["in/a.gz"])
    #expect(
      found.refusals.map(\.text) == [
        "in/b\\u{a}error: all is lost.gz: the name holds control characters or is not UTF-8"
      ])
  }
}
