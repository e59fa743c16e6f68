package import Diagnostics

/// The recognized exports among some files and folders, one for each entry of the pipeline.
///
/// Only one file of each pattern is examined, so that thousands of files take seconds.
package enum RecognizedInputs {
  /// The number of patterns in a folder above which files of equal content are examined once.
  private static let mostPatterns = 10
  /// The number of entries with equal settings and ending that are merged into one pattern.
  private static let mostEntries = 3
  /// The largest number of entries of one format.
  private static let mostEntriesOfFormat = 10

  /// Recognizes the exports at some paths, in the order of the paths.
  package static func of(_ paths: [String]) throws(RunFailure) -> [RecognizedInput] {
    let groups = try ExportFiles.of(paths)
    let sizes = Dictionary(grouping: groups, by: \.bucket).mapValues(\.count)
    var known: [String: RecognizedInput] = [:]
    var found: [(files: ExportFiles, input: RecognizedInput)] = []
    for files in groups {
      // In a folder with a file for each customer, the names have no pattern; the contents have.
      let content =
        sizes[files.bucket] ?? 0 > mostPatterns
        ? try content(of: files.path, in: files.bucket) : nil
      var input: RecognizedInput
      if let content, let equal = known[content] {
        input = equal
        input.path = files.path
      } else {
        input = try newest(of: files)
        if let content { known[content] = input }
      }
      (input.pattern, input.count) = (files.pattern, files.paths.count)
      found.append((files, input))
    }
    let all = found.flatMap { entry in entry.files.paths.map { (path: $0, input: entry.input) } }
    func isClean(_ pattern: String, _ input: RecognizedInput) -> Bool {
      guard let held = InputPattern(pattern, folder: ".") else { return false }
      return all.allSatisfy { $0.input.isLike(input) || !held.holds($0.path) }
    }
    var merged = merge(found.map { ($0.input, $0.files.bucket) }, above: mostEntries, isClean)
    for step in [commonFolders, anyFolders] where merged.count > mostEntriesOfFormat {
      let patterns = merged.map(\.input.pattern)
      merged = merge(
        merged.map { ($0.input, step($0.input.pattern, patterns)) }, above: mostEntriesOfFormat,
        isClean)
    }
    return merged.map(\.input).map { input in
      var input = input
      // A pattern that also holds a file of another kind would read this file twice.
      if input.section != nil, !isClean(input.pattern, input) { input.pattern = input.path }
      return input
    }
  }

  /// The number of files that are examined if the newest ones hold no record.
  private static let mostEmpty = 10

  /// Recognizes the newest file of a pattern, or the next one before it if the newest has no record
  /// yet, as a report of a day without sales.
  private static func newest(of files: ExportFiles) throws(RunFailure) -> RecognizedInput {
    let newest = try RecognizedInput.of(files.path)
    guard newest.kind == nil else { return newest }
    var path = files.path
    for earlier in files.paths.dropLast().suffix(mostEmpty).reversed() {
      guard try RecognizedInput.hasNoRecord(path) else { return newest }
      let input = try RecognizedInput.of(earlier)
      if input.kind != nil { return input }
      path = earlier
    }
    return newest
  }

  /// The names of the values in the first record, and the bucket of the file.
  private static func content(of path: String, in bucket: String) throws(RunFailure) -> String? {
    let paths = try KeySearch.columns(path)
    guard !paths.isEmpty else { return nil }
    return ([bucket] + Set(paths).sorted()).joined(separator: "\n")
  }

  private typealias Candidate = (input: RecognizedInput, pattern: String)

  /// Merges inputs with equal settings and candidate patterns, if there are more than `limit`.
  private static func merge(
    _ inputs: [Candidate], above limit: Int, _ isClean: (String, RecognizedInput) -> Bool
  ) -> [Candidate] {
    struct Group: Hashable {
      var pattern: String
      var likeness: [String]
    }
    let groups = inputs.map { Group(pattern: $0.pattern, likeness: $0.input.likeness) }
    let members = Dictionary(grouping: inputs.indices) { groups[$0] }
    var merged: [Candidate] = []
    var isMerged: [Group: Bool] = [:]
    for (candidate, group) in zip(inputs, groups) {
      let same = members[group] ?? []
      let isKnown = isMerged[group] != nil
      let merges =
        isMerged[group]
        ?? (same.count > limit
          && (candidate.input.section == nil || isClean(candidate.pattern, candidate.input)))
      isMerged[group] = merges
      guard merges else {
        merged.append(candidate)
        continue
      }
      guard !isKnown else { continue }
      var input = candidate.input
      input.pattern = candidate.pattern
      input.count = same.reduce(0) { $0 + inputs[$1].input.count }
      merged.append((input, candidate.pattern))
    }
    return merged
  }

  /// The pattern in which the folders that differ from those of other patterns are open.
  private static func commonFolders(_ pattern: String, _ all: [String]) -> String {
    let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let similar = all.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
      .filter { $0.count == names.count && ending($0) == ending(names) }
    var open = names.indices.dropLast().map { index in
      similar.allSatisfy { $0[index] == names[index] } ? String(names[index]) : "*"
    }
    open.append("*" + ending(names))
    return open.joined(separator: "/")
  }

  /// The pattern with any folders below the first name that differs from other patterns.
  private static func anyFolders(_ pattern: String, _ all: [String]) -> String {
    let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let similar = all.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
      .filter { ending($0) == ending(names) }
    let common = names.indices.dropLast().prefix { index in
      similar.allSatisfy { $0.indices.contains(index) && $0[index] == names[index] }
    }
    return (names[..<common.endIndex].map(String.init) + ["**", "*" + ending(names)])
      .joined(separator: "/")
  }

  private static func ending(_ names: [Substring]) -> Substring {
    (names.last ?? "").drop { $0 != "." }
  }
}
