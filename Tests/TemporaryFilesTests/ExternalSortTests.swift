import Diagnostics
import TemporaryFiles
import TestSupport
import Testing

@Suite("External sort")
struct ExternalSortTests {
  /// A record in the form of a test.
  private struct Record: Comparable {
    var key: [UInt8]
    var value: [UInt8]

    static func < (left: Record, right: Record) -> Bool {
      if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
      return left.value.lexicographicallyPrecedes(right.value)
    }
  }

  private func add(_ record: Record, to writer: ExternalSort.Writer) throws {
    try unsafe record.key.withUnsafeBytes { key in
      try unsafe record.value.withUnsafeBytes { value in
        try unsafe writer.add(key: key, value: value)
      }
    }
  }

  @Test(
    "Records come out in byte order, whatever fits into memory and however many wrote them",
    arguments: [0, 40_000, 1 << 30], [1, 3])
  func order(memory: Int, writers count: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let sort = ExternalSort(memory: SortMemory(bytes: memory, path: folder.path("sort")))
    var records: [Record] = []
    let writers = (0..<count).map { _ in sort.writer() }
    for number in 0..<20_000 {
      // Short keys often have the same first eight bytes, and one record is larger than any buffer.
      let letters = UInt8.random(in: 1...3, using: &random)
      let length = Int.random(in: 1...12, using: &random)
      let size = number == 7_000 ? 700_000 : Int.random(in: 0...40, using: &random)
      let record = Record(
        key: (0..<length).map { _ in UInt8.random(in: 0...letters, using: &random) },
        value: (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
      records.append(record)
      let writer = try #require(writers.randomElement(using: &random))
      try add(record, to: writer)
      if number % 3_000 == 0 { try writer.finish() }
    }
    for writer in writers { try writer.finish() }

    records.sort()
    for _ in 1...2 {
      let reader = try sort.reader()
      var read: [Record] = []
      while try reader.next() {
        unsafe read.append(Record(key: Array(reader.key), value: Array(reader.value)))
      }
      #expect(read == records, "seed \(seed)")
    }
    try sort.memory.requireWritten()
    #expect(try folder.names().isEmpty, "the file has no name while it is used")
  }

  @Test("A sort without records returns no record")
  func empty() throws {
    let folder = try TemporaryFolder()
    let sort = ExternalSort(memory: SortMemory(bytes: 0, path: folder.path("sort")))
    let writer = sort.writer()
    try writer.finish()
    let reader = try sort.reader()
    #expect(try !reader.next())
    #expect(try !reader.next())
  }

  @Test("An error about a missing folder names its path")
  func missingFolder() throws {
    let sort = ExternalSort(memory: SortMemory(bytes: 0, path: "/nowhere/at/all"))
    let writer = sort.writer()
    let failure = #expect(throws: RunFailure.self) {
      try add(Record(key: [1], value: []), to: writer)
      try writer.finish()
    }
    #expect(failure?.message.hasPrefix("creating /nowhere/at/all: ") == true)
  }
}
