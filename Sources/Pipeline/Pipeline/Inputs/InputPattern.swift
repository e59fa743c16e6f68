package import ExportReading

/// A pattern for the paths of input files.
///
/// `*` and `?` match within the name of a file or folder; a folder `**` matches any number of
/// folders, or none. The day of the export is `{date}`, or `{yyyy}`, `{mm}` and `{dd}`, which may
/// be in several folders. A path has at most one day.
///
/// Example: `in/{yyyy}/{mm}/{dd}/**/*.gz` matches `in/2021/03/04/hour=05/part-0.gz`.
package struct InputPattern: Hashable, Sendable {
  /// The pattern as written in the pipeline file.
  let text: String
  /// Whether the pattern is `-`, standard input.
  package var isStandardInput: Bool { text == "-" }
  /// Whether the pattern contains the day of the export.
  var hasDate: Bool { components.contains(where: \.hasDate) }
  /// The folder in which the search begins: the pipeline's folder and what the pattern has before
  /// its first name with a wildcard, or with a character outside ASCII.
  package let folder: String
  /// The same folder as the pipeline's folder names it; absolute if it is written so and elsewhere.
  let namedFolder: String
  /// The patterns of the names below ``folder``; the last is for the file name.
  package let components: [NamePattern]
  /// The field mapping of the pattern's entry; `nil` to use the mapping of the whole pipeline.
  package var fieldMapping: FieldMapping?
  /// Whether each content of a matching path is the whole table, and replaces the content before.
  var replaces = false

  /// The expected form of patterns, for messages about wrong ones.
  static let expected =
    "a list of patterns with *, ?, ** and at most one day each: {date}, or {yyyy}, {mm} and {dd}"

  /// The pattern as a path: absolute, or relative to the working directory; `-` for standard input.
  package var path: String {
    isStandardInput ? text : FilePaths.join(folder, components.map(\.text).joined(separator: "/"))
  }

  /// Returns true if the pattern matches the path of a ``FoundInput``.
  package func holds(_ path: String) -> Bool {
    isStandardInput ? path == "-" : holds(path, below: namedFolder)
  }

  /// Returns true if the pattern matches a path that is absolute, or relative to the working
  /// directory.
  package func holds(place path: String) -> Bool {
    !isStandardInput && holds(path, below: folder)
  }

  /// Returns true if the pattern matches a path without symbolic links.
  func holds(resolved path: String) -> Bool {
    !isStandardInput && (RealPath.of(folder).map { holds(path, below: $0) } ?? false)
  }

  /// The name of a file below ``folder``, which begins with ``namedFolder``.
  func name(of path: String) -> String {
    // By bytes, since a name may begin with a mark that joins the character before it.
    let rest = path.utf8.dropFirst(Self.prefix(folder).utf8.count)
    return FilePaths.join(namedFolder, String(decoding: rest, as: UTF8.self))
  }

  private static func prefix(_ folder: String) -> String {
    folder == "/" ? "/" : folder == "." ? "" : folder + "/"
  }

  private func holds(_ path: String, below folder: String) -> Bool {
    let prefix = Self.prefix(folder)
    guard path.hasPrefix(prefix) else { return false }
    let names = path.dropFirst(prefix.count).split(separator: "/").map(String.init)
    return Self.match(names[...], components[...], NamedDay())
  }

  private static func match(
    _ names: ArraySlice<String>, _ components: ArraySlice<NamePattern>, _ day: NamedDay
  ) -> Bool {
    guard let component = components.first else { return names.isEmpty && day.isPossible }
    guard !component.isAnyFolders else {
      return (names.startIndex...names.endIndex).contains { end in
        names[..<end].allSatisfy { !$0.hasPrefix(".") }
          && match(names[end...], components.dropFirst(), day)
      }
    }
    guard let name = names.first, let found = component.match(name) else { return false }
    return match(names.dropFirst(), components.dropFirst(), day.adding(found))
  }

  /// Reads a pattern; a relative path refers to `folder`.
  ///
  /// Returns `nil` for the root folder, for a text with a NUL byte, and for a pattern with two days
  /// or a part of a day.
  init?(_ text: String, folder: String) {
    self.text = text
    if text == "-" {
      self.folder = ""
      namedFolder = ""
      components = []
      return
    }
    var names = text.split(separator: "/").map(String.init).filter { $0 != "." }
    guard let last = names.last, !text.contains("\0") else { return nil }
    if last == "**" { names.append("*") }
    let patterns = names.map(NamePattern.init)
    let days = patterns.flatMap(\.days)
    guard [[], [.date], [.dayOfMonth, .month, .year]].contains(days.sorted()) else { return nil }
    let literal = patterns.dropLast().prefix { !$0.hasWildcard && !$0.hasSeveralForms }.count
    let start = (text.hasPrefix("/") ? "/" : "") + names[..<literal].joined(separator: "/")
    self.folder = FilePaths.resolve(start, in: folder)
    namedFolder =
      text.hasPrefix("/")
      ? FilePaths.relative(start, to: folder) : FilePaths.named(start, in: folder)
    components = Array(patterns[literal...])
  }
}
