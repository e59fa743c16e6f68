internal import Foundation
internal import Testing

/// The number of times that each habit may occur in the sources, one per line: `153 tell`.
///
/// The numbers may only become smaller; `make english` writes the current ones.
private let limitsPath = "Tests/english-limits.txt"

@Suite struct EnglishTests {
  private static let sources = Repository.sources.map { Prose($0) }

  private static func limits() throws -> [String: Int] {
    let lines = try #require(Repository.text(limitsPath)).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? Int(parts[0]).map { (String(parts[1]), $0) } : nil
      })
  }

  @Test func `no habit of words that strangers stumble over occurs more often than before`() throws
  {
    let limits = try Self.limits()
    var lines: [String] = []
    for habit in EnglishHabit.all {
      let count = Self.sources.reduce(0) { $0 + habit.count($1) }
      let limit = limits[habit.name] ?? 0
      lines.append("\(min(count, limit)) \(habit.name)")
      #expect(
        count <= limit,
        """
        comments and messages in Sources: "\(habit.name)" \(count) times, at most \(limit) are \
        allowed; instead: \(habit.instead)
        """)
    }
    if ProcessInfo.processInfo.environment["PAIDLINE_LOWER_LIMITS"] == "1" {
      try (lines.joined(separator: "\n") + "\n").write(
        to: Repository.root.appending(path: limitsPath), atomically: true, encoding: .utf8)
    }
  }

  @Test func `each habit is found where it occurs`() {
    let comment = "//" + "/"
    let prose = Prose(
      SourceFile(
        path: "Sources/Basics/Amounts/Example.swift",
        text: """
          \(comment) Whether the rows are told to the household, and no more: as pages do.
          func write(
            to file: Int) {
            fail("what the report of 3 rows a page says, once more, counts alone")
          }
          \(comment) The news.
          func tell()
          \(comment) Counts from 0.
          var index: Int
          \(comment) By chain: prices that it hands
          \(comment) on, the same.
          var prices: [Int: Int] = [:]
          \(comment) Describes a price.
          init()
          \(comment) Whether it is free.
          var isFree: Bool { true }
          let sql = "SELECT SHARE FROM NIGHT ALONE"
          """))
    let found = EnglishHabit.all.filter { $0.count(prose) > 0 }.map { ($0.name, $0.count(prose)) }
    let expected = [
      ("tell", 1), ("say", 1), ("hand on", 1), ("counts", 1), ("alone", 1), ("anew", 1),
      ("and no", 1), ("a for per", 1), ("open end", 2), ("by key", 1), ("whether", 1),
      ("noun on an action", 1), ("three words", 2), ("describes", 1), ("news", 1),
    ]
    #expect(found.map(\.0) == expected.map(\.0))
    #expect(found.map(\.1) == expected.map(\.1))
  }
}
