internal import CivilTime
package import ExportReading

/// A pattern for the paths of input files.
///
/// `*` and `?` match within the name of a file or folder. `{date}` matches a day, and may occur at
/// most once.
package struct InputPattern: Hashable, Sendable {
  /// The pattern as written in the pipeline file.
  let text: String
  /// Whether the pattern is `-`, standard input.
  package var isStandardInput: Bool { text == "-" }
  /// Whether the pattern contains `{date}`.
  var hasDate: Bool { components.contains { $0.dateCount > 0 } }
  /// The folder in which the search begins: the path before the first name with a wildcard.
  package let folder: String
  /// The patterns of the names below ``folder``; the last is for the file name.
  package let components: [NamePattern]
  /// The field mapping of the pattern's entry; `nil` to use the mapping of the whole pipeline.
  package var fieldMapping: FieldMapping?

  /// The pattern as a path: absolute, or relative to the working directory; `-` for standard input.
  package var path: String {
    isStandardInput ? text : FilePaths.join(folder, components.map(\.text).joined(separator: "/"))
  }

  /// Returns true if the pattern matches the path of a ``FoundInput``.
  package func holds(_ path: String) -> Bool {
    isStandardInput ? path == "-" : holds(path, below: folder)
  }

  /// Returns true if the pattern matches a path without symbolic links.
  func holds(resolved path: String) -> Bool {
    !isStandardInput && (RealPath.of(folder).map { holds(path, below: $0) } ?? false)
  }

  private func holds(_ path: String, below folder: String) -> Bool {
    let prefix = folder == "/" ? "/" : folder == "." ? "" : folder + "/"
    guard path.hasPrefix(prefix) else { return false }
    let names = path.dropFirst(prefix.count).split(separator: "/").map(String.init)
    return names.count == components.count
      && zip(components, names).allSatisfy { $0.match($1) != nil }
  }

  /// Reads a pattern; a relative path refers to `folder`.
  ///
  /// Returns `nil` for the root folder, for a text with a NUL byte, and if `{date}` occurs twice.
  init?(_ text: String, folder: String) {
    self.text = text
    if text == "-" {
      self.folder = ""
      components = []
      return
    }
    let path = FilePaths.resolve(text, in: folder)
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let patterns = names.map(NamePattern.init)
    guard let last = names.last, !last.isEmpty, !text.contains("\0") else { return nil }
    guard patterns.map(\.dateCount).reduce(0, +) <= 1 else { return nil }
    let literal = patterns.dropLast().prefix { !$0.hasWildcard }.count
    let start = names[..<literal].joined(separator: "/")
    self.folder = start.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : start
    components = Array(patterns[literal...])
  }
}

/// A pattern for the name of one file or folder, without slashes.
package struct NamePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case byte(UInt8)
    case anyByte
    case anyBytes
    case date
  }

  /// The pattern as written.
  let text: String
  private let parts: [Part]

  init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var rest = Substring(text).utf8[...]
    while let byte = rest.first {
      if rest.starts(with: "{date}".utf8) {
        parts.append(.date)
        rest = rest.dropFirst(6)
        continue
      }
      switch byte {
      case UInt8(ascii: "*"): if parts.last != .anyBytes { parts.append(.anyBytes) }
      case UInt8(ascii: "?"): parts.append(.anyByte)
      default: parts.append(.byte(byte))
      }
      rest = rest.dropFirst()
    }
    self.parts = parts
  }

  /// The number of times that `{date}` occurs in the pattern.
  var dateCount: Int { parts.count { $0 == .date } }

  /// Whether the pattern can match several names.
  var hasWildcard: Bool {
    parts.contains {
      switch $0 {
      case .byte: false
      default: true
      }
    }
  }

  /// The result of matching a name with a pattern.
  package struct Match: Hashable {
    /// The day at `{date}`; `nil` if the pattern has no `{date}`.
    var day: CivilDay?
  }

  /// Matches a file name and reads its day at `{date}`; returns `nil` if the name does not match.
  ///
  /// A name that begins with a dot matches only a pattern that begins with a dot.
  package func match(_ name: String) -> Match? {
    let bytes = Array(name.utf8)
    if bytes.first == UInt8(ascii: "."), parts.first != .byte(UInt8(ascii: ".")) { return nil }
    var day: CivilDay?
    guard matches(bytes, day: &day) else { return nil }
    return Match(day: day)
  }

  /// Returns true if a name matches, and sets the day at `{date}`.
  ///
  /// After a mismatch, the search continues only from the last `*`. So the time is at most
  /// proportional to the length of the name times the length of the pattern.
  private func matches(_ name: [UInt8], day: inout CivilDay?) -> Bool {
    var part = 0
    var index = 0
    var star: (part: Int, index: Int)?
    while index < name.count || part < parts.count {
      if part < parts.count {
        switch parts[part] {
        case .anyBytes:
          star = (part, index)
          part += 1
          continue
        case .anyByte where index < name.count:
          (part, index) = (part + 1, index + 1)
          continue
        case .byte(let byte) where index < name.count && name[index] == byte:
          (part, index) = (part + 1, index + 1)
          continue
        case .date:
          if let found = Self.day(in: name, at: index) {
            day = found.day
            (part, index) = (part + 1, found.end)
            continue
          }
        default: break
        }
      }
      guard let last = star, last.index < name.count else { return false }
      star = (last.part, last.index + 1)
      (part, index) = (last.part + 1, last.index + 1)
    }
    return true
  }

  /// Reads the day at a position of a name: `2024-05-01`, or in Apple's form `20240501`.
  ///
  /// The eight digits of Apple's form must not be next to other digits.
  private static func day(in name: [UInt8], at index: Int) -> (day: CivilDay, end: Int)? {
    func text(_ range: Range<Int>) -> String { String(decoding: name[range], as: UTF8.self) }
    if index + 10 <= name.count, let day = CivilDay(text: text(index..<index + 10)) {
      return (day, index + 10)
    }
    let end = index + 8
    func isDigit(_ place: Int) -> Bool {
      name.indices.contains(place) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[place])
    }
    guard end <= name.count, (index..<end).allSatisfy(isDigit), !isDigit(index - 1), !isDigit(end),
      let day = CivilDay(
        text: text(index..<index + 4) + "-" + text(index + 4..<index + 6) + "-"
          + text(index + 6..<end))
    else { return nil }
    return (day, end)
  }
}
