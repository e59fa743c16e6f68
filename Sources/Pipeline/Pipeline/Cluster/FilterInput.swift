internal import Diagnostics
internal import SystemPackage

/// The rows that a filter reads from its standard input or from a file.
///
/// The first line is `#paidline-rows` with a version. At the end, a line `#end` for each tag has
/// the number of rows with that tag. The outputs of several tasks may be concatenated and sorted.
/// Then each tag has several lines `#end`, whose numbers are added up.
///
/// In sorted input, equal rows are read once; they occur if one export has two names.
struct FilterInput {
  /// The version of the line format.
  static let version = "1"

  private let name: String
  private let descriptor: FileDescriptor
  private let tags: Set<String>
  private let isSorted: Bool
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var number = 0
  private var previous: [UInt8] = []
  private var expectedCounts: [String: Int] = [:]
  private var counted: [String: Int] = [:]

  /// Opens standard input.
  ///
  /// - Parameters:
  ///   - isSorted: Whether the rows must be in the order of their bytes.
  /// - Returns: The input, before its first row.
  static func standard(_ tags: Set<String>, isSorted: Bool = true) -> FilterInput {
    FilterInput(.standardInput, name: "standard input", tags: tags, isSorted: isSorted)
  }

  /// Reads the rows of side files, keyed by their tags.
  ///
  /// A tag without rows has an empty list if a file announces it with a line `#end`.
  static func rows(ofFiles paths: [String], _ tags: Set<String>) throws(RunFailure)
    -> [String: [FilterRow]]
  {
    var rows: [String: [FilterRow]] = [:]
    for path in paths {
      let descriptor: FileDescriptor
      do {
        descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      } catch {
        throw .system(error as? Errno ?? .ioError, "opening \(path)")
      }
      defer { try? descriptor.close() }
      var input = FilterInput(descriptor, name: path, tags: tags, isSorted: false)
      for row in try input.rest() { rows[row.tag, default: []].append(row) }
      for tag in input.expectedCounts.keys where rows[tag] == nil { rows[tag] = [] }
    }
    return rows
  }

  /// Reads all rows of a ``FilterOutput`` that was kept in memory; they may be in any order.
  static func rows(of bytes: [UInt8], name: String, _ tags: Set<String>) throws(RunFailure)
    -> [FilterRow]
  {
    var input = FilterInput(.standardInput, name: name, tags: tags, isSorted: false)
    (input.buffer, input.isAtEnd) = (bytes, true)
    return try input.rest()
  }

  private mutating func rest() throws(RunFailure) -> [FilterRow] {
    var rows: [FilterRow] = []
    while let row = try next() { rows.append(row) }
    return rows
  }

  private init(_ descriptor: FileDescriptor, name: String, tags: Set<String>, isSorted: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.tags = tags
    self.isSorted = isSorted
  }

  /// Reads the next row; `nil` after the last row.
  ///
  /// - Throws: ``RunFailure`` with status 70 for rows that are out of order, of another tag or
  ///   version, or missing.
  mutating func next() throws(RunFailure) -> FilterRow? {
    while let line = try readLine() {
      number += 1
      if line.first == UInt8(ascii: "#") {
        try note(FilterRow(line, place: place))
        continue
      }
      let row = FilterRow(line, place: place)
      guard tags.contains(row.tag) else {
        throw failure(
          "expected rows \(tags.sorted().joined(separator: ", ")); found \(OneLine.text(row.tag))")
      }
      counted[row.tag, default: 0] += 1
      guard isSorted else { return row }
      if line == previous { continue }
      guard previous.lexicographicallyPrecedes(line) else {
        throw failure(
          "expected rows in byte order, but this row sorts before the row above it; sort the rows with "
            + "LC_ALL=C sort")
      }
      previous = line
      return row
    }
    try requireAll()
    return nil
  }

  private var place: String { "\(OneLine.text(name)):\(number)" }

  private func failure(_ message: String) -> RunFailure {
    RunFailure(.invariantBroken, "\(place): \(message)")
  }

  /// Checks the version in a line `#paidline-rows`, or records the number of rows in a line `#end`.
  private mutating func note(_ line: FilterRow) throws(RunFailure) {
    var line = line
    switch line.tag {
    case "#paidline-rows":
      let version = try line.word()
      guard version == Self.version else {
        throw failure(
          "rows of version \(OneLine.text(version)); this program reads version \(Self.version)")
      }
    case "#end":
      let tag = try line.word()
      expectedCounts[tag, default: 0] += Int(try line.number())
    default: throw failure("expected #paidline-rows or #end; found \(OneLine.text(line.tag))")
    }
  }

  /// Throws a failure if, for any tag, the number of rows differs from the sum in the lines `#end`.
  ///
  /// An input without any line is complete.
  private func requireAll() throws(RunFailure) {
    guard number > 0 else { return }
    for tag in tags.sorted()
    where expectedCounts[tag] ?? (counted[tag] == nil ? 0 : -1) != counted[tag] ?? 0 {
      let expected =
        expectedCounts[tag].map { "\($0) rows" } ?? "a line #end for the rows"
      throw failure(
        "the input is incomplete: expected \(expected) \(tag); found \(counted[tag] ?? 0). Did the "
          + "program before this filter end early?")
    }
  }

  /// Reads the next line without its line feed; `nil` at the end of the input.
  private mutating func readLine() throws(RunFailure) -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      guard !isAtEnd else {
        guard start < buffer.count else { return nil }
        throw failure("the last line has no line feed, so it was cut off")
      }
      buffer.removeSubrange(..<start)
      start = 0
      searched = buffer.count
      try StopSignal.check()
      try fill()
    }
  }

  private mutating func fill() throws(RunFailure) {
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    do {
      let count = try unsafe chunk.withUnsafeMutableBytes { bytes in
        try unsafe descriptor.read(into: bytes)
      }
      isAtEnd = count == 0
      buffer += chunk[..<count]
    } catch {
      throw .system(error as? Errno ?? .ioError, "reading \(name)")
    }
  }

  /// Reads standard input to its end, and ignores it.
  ///
  /// Otherwise, if a filter failed before the end of its input, the program that writes the input
  /// would fail with a broken pipe.
  static func drain() {
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while let count = try? unsafe chunk.withUnsafeMutableBytes({ bytes in
      try unsafe FileDescriptor.standardInput.read(into: bytes)
    }), count > 0, StopSignal.received == nil {}
  }
}
