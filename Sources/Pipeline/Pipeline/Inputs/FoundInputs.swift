internal import StateStore
internal import CivilTime
package import Diagnostics
package import ExportReading
package import PurchaseModel
internal import SystemPackage

/// A file that a pattern matched.
package struct FoundInput: Hashable, Sendable {
  /// The path that matches the pattern, before symbolic links are followed: the file's name.
  ///
  /// It is absolute, or relative to the pipeline's folder; `-` for standard input.
  package var path: String
  /// The path after following symbolic links; this path is opened.
  var resolvedPath: String
  /// The kind of its records, such as receipts.
  var kind: InputFile.Kind
  /// The day at `{date}` in its path; `nil` without `{date}`.
  var exportDay: CivilDay?
  /// The size in bytes; 0 for standard input.
  var size: Int64
  /// The identity, size and times of the file when it was found; `nil` for standard input.
  ///
  /// They show whether the file has changed since then.
  var stamp: FileStamp?
  /// The field mapping of its pattern's entry; `nil` to use the mapping of the whole pipeline.
  package var fieldMapping: FieldMapping?
  /// Whether each content of the path is the whole table, and replaces the content before.
  var replaces = false
}

/// A path that matches a pattern but must not be opened, with the reason.
package struct RefusedName: Hashable, Sendable {
  /// The path, with control characters escaped for messages.
  var path: String
  /// The reason why the file must not be opened.
  var reason: String

  /// The path and the reason, as a line of a message.
  package var text: String { "\(path): \(reason)" }
}

/// All files that currently match a pipeline's patterns.
package struct FoundInputs: Hashable, Sendable {
  /// The files, receipts first, sorted by path.
  package var files: [FoundInput] = []
  /// The matching paths that must not be opened.
  package var refusals: [RefusedName] = []

  /// Finds a pipeline's inputs.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a pattern that matches nothing, and 77 or 74 for a
  ///   folder that cannot be read.
  static func find(_ definition: PipelineDefinition) throws(RunFailure) -> FoundInputs {
    try find(definition) { _ in true }
  }

  /// Finds the files that match the patterns for which `isWanted` returns true.
  ///
  /// Fails if one of these patterns matches nothing. If the pipeline has a section `fetch`,
  /// patterns of signed transactions and of Apple's reports may match nothing.
  static func find(_ definition: PipelineDefinition, where isWanted: (InputPattern) -> Bool)
    throws(RunFailure) -> FoundInputs
  {
    var found = FoundInputs()
    for kind in InputFile.Kind.allCases {
      try found.add(
        definition.patterns(of: kind).filter(isWanted), kind: kind,
        mayBeMissing: (kind == .signed || kind == .appleReports) && definition.fetching != nil)
    }
    return found
  }

  /// Finds the files of one kind that match some patterns; fails if a pattern matches nothing.
  package static func find(_ patterns: [InputPattern], kind: InputFile.Kind) throws(RunFailure)
    -> FoundInputs
  {
    var found = FoundInputs()
    try found.add(patterns, kind: kind)
    return found
  }

  private mutating func add(
    _ patterns: [InputPattern], kind: InputFile.Kind, mayBeMissing: Bool = false
  ) throws(RunFailure) {
    var byPath: [String: FoundInput] = [:]
    for pattern in patterns {
      if pattern.isStandardInput {
        byPath["-"] = FoundInput(
          path: "-", resolvedPath: "-", kind: kind, exportDay: nil, size: 0,
          fieldMapping: pattern.fieldMapping)
        continue
      }
      let matches = try Self.matches(pattern)
      guard !matches.isEmpty || mayBeMissing else {
        throw RunFailure(
          .inputMissing,
          "no file matches \"\(OneLine.text(pattern.text))\" (\(kind.rawValue)) below "
            + "\(OneLine.text(pattern.folder)); \(try Self.hint(pattern))")
      }
      for match in matches {
        let resolved = try Self.resolved(match.path)
        let name = pattern.name(of: match.path)
        if let other = byPath[name],
          other.fieldMapping != pattern.fieldMapping || other.replaces != pattern.replaces
        {
          throw RunFailure(
            .badConfiguration,
            "\(OneLine.text(name)) matches two entries of inputs.\(kind.rawValue) that are "
              + "read in different ways; let only one pattern match it")
        }
        do {
          var input = try Self.checked(match, resolved: resolved, pattern: pattern, kind: kind)
          input.exportDay = input.exportDay ?? byPath[name]?.exportDay
          byPath[name] = input
        } catch {
          refusals.append(error.refused)
        }
      }
    }
    files += byPath.values.sorted { Self.precedes($0.path, $1.path) }
  }

  /// Returns advice for a pattern that matches nothing, such as "there is no such folder".
  private static func hint(_ pattern: InputPattern) throws(RunFailure) -> String {
    let plain = NamedDay.Part.allCases.reduce(pattern.text) {
      $0.replacing($1.rawValue, with: "")
    }
    if plain.contains("{") { return "only {date}, {yyyy}, {mm} and {dd} are allowed in braces" }
    guard PathStatus.exists(pattern.folder) else {
      return "there is no such folder; create it, or correct the pattern"
    }
    guard pattern.components.count == 1 else { return "does the export exist at this path?" }
    let names = try FolderListing.names(in: pattern.folder).filter { !$0.hasPrefix(".") }
    guard let first = names.first else {
      return "the folder is empty: does the export exist at this path?"
    }
    let more = names.count == 1 ? "" : " and \(names.count - 1) more"
    return "the folder holds \(OneLine.text(first))\(more); correct the pattern"
  }

  private struct Candidate {
    var path: String
    var day = NamedDay()
  }

  private struct Refusal: Error {
    let refused: RefusedName

    init(_ path: String, _ reason: String) {
      refused = RefusedName(path: path, reason: reason)
    }
  }

  /// Returns true if a path sorts before another path in byte order, regardless of the locale.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func matches(_ pattern: InputPattern) throws(RunFailure) -> [Candidate] {
    var candidates = [Candidate(path: pattern.folder)]
    for (depth, component) in pattern.components.enumerated() {
      let isLast = depth == pattern.components.count - 1
      var next: [Candidate] = []
      for candidate in candidates {
        guard !component.isAnyFolders else {
          try next.append(contentsOf: folders(below: candidate))
          continue
        }
        guard component.hasWildcard || component.hasSeveralForms else {
          let path = FilePaths.join(candidate.path, component.text)
          if PathStatus.exists(path) || (isLast && PathStatus.isSymbolicLink(path)) {
            next.append(Candidate(path: path, day: candidate.day))
          }
          continue
        }
        for name in try FolderListing.names(in: candidate.path) {
          guard let match = component.match(name) else { continue }
          let path = FilePaths.join(candidate.path, name)
          if !isLast, (try? PathStatus(at: path))?.kind != .folder { continue }
          // A file pattern behind ** matches files only.
          if isLast, pattern.components.contains(where: \.isAnyFolders),
            (try? PathStatus(at: path))?.kind == .folder
          {
            continue
          }
          next.append(Candidate(path: path, day: candidate.day.adding(match)))
        }
      }
      candidates = next
    }
    return candidates.filter(\.day.isPossible)
  }

  /// Returns a folder and all folders below it.
  ///
  /// Leaves out names that begin with a dot, and symbolic links, because these may form a circle.
  private static func folders(below start: Candidate) throws(RunFailure) -> [Candidate] {
    var found = [start]
    var next = 0
    while next < found.count {
      let folder = found[next].path
      next += 1
      for name in try FolderListing.names(in: folder) where !name.hasPrefix(".") {
        let path = FilePaths.join(folder, name)
        guard (try? PathStatus(at: path))?.kind == .folder, !PathStatus.isSymbolicLink(path)
        else { continue }
        found.append(Candidate(path: path, day: start.day))
      }
    }
    return found
  }

  /// Returns the path of a file after following links; `nil` for a link without a target.
  private static func resolved(_ path: String) throws(RunFailure) -> String? {
    do {
      return try RealPath.following(path)
    } catch {
      let leadsNowhere = error == .noSuchFileOrDirectory || error == .tooManySymbolicLinkLevels
      if leadsNowhere, PathStatus.isSymbolicLink(path) { return nil }
      throw .system(error, "opening \(path)")
    }
  }

  /// Returns the input for a file that may be opened.
  private static func checked(
    _ candidate: Candidate, resolved: String?, pattern: InputPattern, kind: InputFile.Kind
  ) throws(Refusal) -> FoundInput {
    let name = pattern.name(of: candidate.path)
    let shown = OneLine.text(name)
    guard shown == name, !name.contains("\u{FFFD}") else {
      throw Refusal(shown, "the name holds control characters or is not UTF-8")
    }
    guard let resolved, let root = RealPath.of(pattern.folder) else {
      throw Refusal(shown, "a symbolic link that cannot be resolved")
    }
    guard resolved.hasPrefix(root == "/" ? root : root + "/") else {
      throw Refusal(
        shown, "a symbolic link to a place outside \(OneLine.text(pattern.namedFolder))")
    }
    guard let status = try? PathStatus(at: resolved), status.kind == .regular else {
      let isFolder = (try? PathStatus(at: resolved))?.kind == .folder
      throw Refusal(
        shown,
        isFolder
          ? "it is a folder; write a pattern for the files in it, such as \(shown)/*.gz"
          : "it is not a regular file")
    }
    return FoundInput(
      path: name, resolvedPath: resolved, kind: kind, exportDay: candidate.day.day,
      size: status.size, stamp: status.stamp, fieldMapping: pattern.fieldMapping,
      replaces: pattern.replaces)
  }
}
