internal import AppleReports
internal import SharedTables
internal import Diagnostics
internal import StateStore

/// Reports the found files that are ignored because they are not exports.
enum IgnoredFiles {
  /// The largest number of files that the message lists.
  private static let shown = 3

  /// Returns a message about the ignored files; `nil` if all files are exports.
  ///
  /// Example: `2 files are ignored, because they are not exports: in/README.md (a README), …`.
  static func finding(_ context: IngestGates.Context, _ stored: [StoredFile]) -> String? {
    let standing = context.standing
    var found: [(name: String, kind: String)] = stored.compactMap { file in
      guard file.status == .ignored, standing.contains(file.identity) else { return nil }
      return (file.name, file.refusal ?? "")
    }
    for outcome in context.outcomes {
      if case .ignored(let kind) = outcome.result { found.append((outcome.path, kind)) }
    }
    guard !found.isEmpty else { return nil }
    // Error answers come first, because the user must fetch these reports again.
    let order = found.sorted {
      let (isError, isOtherError) = (
        $0.kind == AppleReportContent.errorAnswer, $1.kind == AppleReportContent.errorAnswer
      )
      return isError == isOtherError ? $0 < $1 : isError
    }
    let names = order.prefix(shown)
      .map { "\(OneLine.text($0.name)) (\($0.kind))" }.joined(separator: ", ")
    let more = found.count > shown ? " and \(found.count - shown) more" : ""
    let (verb, noun) =
      found.count == 1
      ? ("is", "it is not an export")
      : (
        "are",
        "they are not "
          + "exports"
      )
    return "\(Count.text(found.count, "file")) \(verb) ignored, because \(noun): \(names)\(more)"
  }
}

/// Reports the found files whose content was forgotten, so that they are not read.
enum ForgottenFiles {
  /// Returns a message about forgotten contents that are on disk; `nil` if there are none.
  static func finding(
    _ context: IngestGates.Context, _ forgotten: [ForgottenFile]
  ) -> String? {
    let identities = Set(forgotten.map { InputIdentity(sha256: $0.sha256, kind: $0.kind) })
    let found = context.outcomes.filter { $0.result == .known && identities.contains($0.identity) }
    guard let first = found.map(\.path).min() else { return nil }
    let subject =
      found.count == 1
      ? "\(OneLine.text(first)) holds content"
      : "\(found.count) files, \(OneLine.text(first)) the first, hold content"
    return "\(subject) that `paidline forget` removed, and \(found.count == 1 ? "is" : "are") not "
      + "read again until `paidline backfill` with `--reprocess all`"
  }
}
