import Diagnostics
import Foundation
import TemporaryFiles
import TestSupport
import Testing

/// A file appears when it is complete.
struct NewFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }

  @Test func `until it is published there is only a draft beside the old file`() throws {
    try folder.write("a.csv", "old")
    let file = try NewFile(folder.path("a.csv"), .table)
    try file.write(Array("new ".utf8))
    try file.write(Array("text".utf8))
    #expect(try folder.names() == [".a.csv.draft", "a.csv"])
    #expect(try folder.bytes("a.csv") == Array("old".utf8))
    try file.publish()
    #expect(try folder.names() == ["a.csv"])
    #expect(try folder.bytes("a.csv") == Array("new text".utf8))
  }

  @Test func `an unpublished draft is removed, and so is one that a killed run left`() throws {
    try folder.write(".a.csv.draft", "left behind, and longer than the new text")
    do {
      let file = try NewFile(folder.path("a.csv"), .table)
      try file.write([1])
      try file.finish()
    }
    #expect(try folder.names() == [])
    try folder.write(".b.gz.draft", "left behind")
    try NewFile.removeDraft(of: folder.path("b.gz"))
    try NewFile.removeDraft(of: folder.path("b.gz"))
    #expect(try folder.names() == [])
  }

  @Test(arguments: [(NewFile.Kind.page, 0o644), (.list, 0o600), (.export, 0o600)])
  func `everyone may read a page, and only the owner a list or an export`(
    kind: NewFile.Kind, mode expected: Int
  ) throws {
    try NewFile(folder.path("a"), kind).publish()
    #expect(try mode("a") == expected)
  }

  @Test func `it takes the place of a file only`() throws {
    try folder.write("a/inside", "x")
    let failure = #expect(throws: RunFailure.self) { try NewFile(folder.path("a"), .page) }
    #expect(failure?.status == .cannotCreate)
    #expect(failure?.message.contains("is not a regular file") == true)
    let nowhere = #expect(throws: RunFailure.self) {
      try NewFile(folder.path("none/a"), .page)
    }
    #expect(nowhere?.status == .cannotCreate)
    #expect(nowhere?.message.contains("create the folder, or correct the path") == true)
    #expect(try folder.names() == ["a"])
  }

  @Test func `a draft lies in the folder of its file`() {
    #expect(NewFile.draft(of: "in/a.gz") == "in/.a.gz.draft")
    #expect(NewFile.draft(of: "a.gz") == ".a.gz.draft")
    #expect(NewFile.draft(of: "/a.gz") == "/.a.gz.draft")
    #expect(NewFile.folder(of: "in/a.gz") == "in")
    #expect(NewFile.folder(of: "a.gz") == ".")
    #expect(NewFile.folder(of: "/a.gz") == "/")
  }
}
