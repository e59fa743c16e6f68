internal import SharedTables
package import StateStore
internal import CivilTime
package import Diagnostics
internal import PurchaseModel

/// The list of erased customers and forgotten files, in a file next to state.db.
///
/// If state.db is lost, it can be rebuilt from the exports, but the exports still contain the
/// erased customers. So the list must not be lost with state.db.
///
/// The list is a text file that only its owner may read. Its first line has the version of the
/// format, the revision of the list and the key of the hashes. Then each line has one customer or
/// one file. The last line has the number of these lines.
///
/// If the list and state.db have different revisions, the higher revision is used. The lower
/// revision comes from an old copy, or from a run that was killed before it wrote the new revision.
package enum RemovalsFile {
  private static let title = "paidline-removals 1"
  private static let limit = 1 << 30

  /// Returns the path of the list for a state.db: `var/state.db` → `var/state.db.removals`.
  static func path(besides statePath: String) -> String { statePath + ".removals" }

  /// Copies the newer revision of the list: from the file to state.db, or from state.db to the
  /// file.
  ///
  /// - Throws: ``RunFailure`` with status 78 for a list that is damaged or has another key, and
  ///   with 73, 74 or 77 for an error of the system.
  package static func reconcile(_ state: StateDatabase, at statePath: String) throws(RunFailure) {
    let path = path(besides: statePath)
    let kept = PathStatus.exists(path) ? try read(path) : Removals()
    let own = try state.removalsRevision()
    if kept.revision > own {
      try state.adopt(kept, at: SystemClock.now)
    } else if kept.revision < own {
      _ = try TextFile.write(text(of: try state.removals()), to: path, isPrivate: true)
    }
  }

  /// Fails if state.db is new and its list is lost, although customers were erased before.
  ///
  /// The warehouse's list of runs, which was copied into state.db, shows that customers were
  /// erased.
  ///
  /// - Parameters:
  ///   - begin: Records the start of the run in the ledger; called before the failure is thrown.
  /// - Throws: ``RunFailure`` with status 66; the message states the remedies.
  static func requireList(
    _ state: StateDatabase, _ definition: PipelineDefinition, begin: () throws(RunFailure) -> Void
  ) throws(RunFailure) {
    guard try state.removalsRevision() == 0,
      try state.history().runs.contains(where: { $0.kind == .erase })
    else { return }
    try begin()
    throw RunFailure(
      .inputMissing,
      """
      \(OneLine.text(path(besides: definition.statePath))): this list of erased customers is \
      missing. state.db is new, and customers were erased from \
      \(OneLine.text(definition.warehousePath)), so exports would bring their ids back. Restore \
      the list from a copy, or erase the customers again with `paidline erase \
      \(OneLine.text(definition.path)) --customer-id-file FILE` and run again; \
      --accept-lost-erasures continues without the list. Nothing was read.
      """)
  }

  // MARK: Text

  static func text(of list: Removals) -> String {
    var lines = ["\(title)\t\(list.revision)\t\(list.secret ?? "")"]
    lines += list.customers.map { "customer\t\($0.code)\t\($0.erasedAt.text)" }
    lines += list.files.map { file in
      let name = file.name.filter { !"\t\n\r".contains($0) }
      return
        "file\t\(file.sha256)\t\(file.kind.rawValue)\t\(file.forgottenAt.text)\t\(file.bytes)\t"
        + "\(file.exportDate?.text ?? "")\t\(name)"
    }
    // Without this line, a truncated list would not be recognized.
    lines.append("end\t\(lines.count - 1)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Parses the text of a list; `nil` if the text is not a complete list.
  static func list(from text: String) -> Removals? {
    var lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let last = lines.popLast(), last == ["end", String(lines.count - 1)],
      let first = lines.first, first.count == 3, first[0] == title,
      let revision = Int64(first[1]), revision > 0
    else { return nil }
    var list = Removals()
    list.revision = revision
    list.secret = first[2].isEmpty ? nil : first[2]
    for line in lines.dropFirst() {
      switch (line.first, line.count) {
      case ("customer", 3):
        guard let time = Instant(text: line[2]), line[1].utf8.count == 64 else { return nil }
        list.customers.append(Removals.Customer(code: line[1], erasedAt: time))
      case ("file", 7):
        guard let time = Instant(text: line[3]), let bytes = Int64(line[4]),
          let kind = InputFile.Kind(rawValue: line[2]), line[1].utf8.count == 64
        else { return nil }
        list.files.append(
          ForgottenFile(
            sha256: line[1], kind: kind, name: line[6], exportDate: CivilDay(text: line[5]),
            bytes: bytes, forgottenAt: time))
      default: return nil
      }
    }
    return list
  }

  private static func read(_ path: String) throws(RunFailure) -> Removals {
    let text = try TextFile.read(
      path, what: "the list of erased customers and forgotten files", limit: limit)
    guard let list = list(from: text) else {
      throw RunFailure(
        .badConfiguration,
        """
        \(OneLine.text(path)): the list of erased customers and forgotten files is cut off or was \
        edited; restore it from a copy, or remove it if state.db is intact: the \
        next run then writes it again
        """)
    }
    return list
  }
}
