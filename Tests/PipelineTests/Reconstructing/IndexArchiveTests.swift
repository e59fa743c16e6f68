internal import Diagnostics
internal import Foundation
@testable internal import Pipeline
internal import SystemPackage
internal import TestSupport
internal import Testing

/// Rows that are written as they come, into the file of the index.
struct IndexArchiveTests {
  private struct Row: BitwiseCopyable, Equatable {
    var number: Int64
    var isEven: Bool
  }

  private func rows(_ count: Int) -> [Row] {
    (0..<Int64(count)).map { Row(number: $0, isEven: $0 % 2 == 0) }
  }

  private func write(_ count: Int, to path: String) throws {
    let file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    var writer = IndexWriter(file)
    try writer.put(count, rows: { row in rows(count).forEach(row) })
    writer.put("the end")
    try file.close()
    #expect(!writer.hasFailed)
  }

  /// The rows and the text after them; `nil` if the file is damaged.
  private func read(_ path: String) throws -> (rows: [Row], end: String)? {
    let file = try FileDescriptor.open(FilePath(path), .readOnly)
    defer { try? file.close() }
    var reader = IndexReader(file, bytes: Int(try file.seek(offset: 0, from: .end)))
    try file.seek(offset: 0, from: .start)
    let found: (rows: [Row], end: String) = (reader.rows(), reader.text())
    return reader.isComplete ? found : nil
  }

  // Rows go into the file 8,192 at a time.
  @Test(arguments: [0, 1, 8191, 8192, 8193, 20_000])
  func `rows are read as they were written, however many`(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index")
    try write(count, to: path)
    let found = try #require(try read(path))
    #expect(found.rows == rows(count))
    #expect(found.end == "the end")
  }

  @Test func `a changed byte or a missing end gives nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index")
    try write(9000, to: path)
    let sound = try Data(contentsOf: URL(filePath: path))
    for place in stride(from: 0, to: sound.count, by: sound.count / 41) {
      var damaged = sound
      damaged[place] ^= 1
      try damaged.write(to: URL(filePath: path))
      // The bytes between the members of a row say nothing, and are checked all the same.
      #expect(try read(path) == nil, "byte \(place)")
    }
    for length in stride(from: 0, to: sound.count, by: sound.count / 17) {
      try sound.prefix(length).write(to: URL(filePath: path))
      #expect(try read(path) == nil, "\(length) bytes")
    }
  }
}
