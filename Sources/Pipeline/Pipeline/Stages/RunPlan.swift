internal import SharedTables
internal import StateStore
internal import Warehouse
package import Diagnostics
internal import PurchaseModel

/// The files that a run would read: `paidline run --dry-run`.
package struct RunPlan {
  /// One file that a run would read.
  struct File: Hashable {
    var input: FoundInput
    /// `new`, or the status of the file's content in state.db, such as `held` or `forgotten`.
    var state: String
  }

  /// The files to read, receipts first, sorted by path.
  var files: [File] = []
  /// The number of files that match the patterns.
  var matched = 0
  /// The number of files that an earlier run read and then held or refused.
  var waiting = 0
  /// Whether state.db has changed since the last publication, for example by `paidline forget`.
  var isOutdated = false
  /// The gates that are predicted to stop the run.
  package var ending = PredictedStop()
  /// The names that match a pattern, but would be refused.
  var refusals: [RefusedName] = []
  /// The first records of each file; empty without `--look`.
  var previews: [InputPreview] = []

  /// Reads the settings, finds the inputs and looks up their status; does not change anything.
  ///
  /// Refuses a catalogue or key that a run would refuse. Does not read standard input, because the
  /// run could not read it again.
  ///
  /// - Parameters:
  ///   - found: The files; `nil` for all files that match the patterns.
  ///   - preview: The number of records of each file to preview; 0 for none.
  package static func make(
    _ definition: PipelineDefinition, gatePolicy: GatePolicy, found: FoundInputs? = nil,
    rereads: Reprocess = .missing, preview: Int
  ) throws(RunFailure) -> RunPlan {
    _ = try ReconstructSettings.read(definition, asOf: nil)
    let found = if let found { found } else { try FoundInputs.find(definition) }
    var stamps: [FileStamp: String] = [:]
    var (stored, forgotten): ([StoredFile], [ForgottenFile]) = ([], [])
    var isOutdated = false
    if PathStatus.exists(definition.statePath) {
      let state = try StateDatabase.openToRead(path: definition.statePath)
      stored = try state.files()
      forgotten = try state.forgottenFiles()
      stamps = try state.fileStamps()
      let warehouse = WarehouseDatabase(path: definition.warehousePath)
      if try warehouse.exists(), let last = try warehouse.lastRun() {
        isOutdated = try last.stateGeneration != state.generation()
      }
    }
    let contents = Dictionary(stored.map { ($0.identity, $0) }) { $1 }
    let gone = Set(forgotten.map { InputIdentity(sha256: $0.sha256, kind: $0.kind) })
    let known = KnownFiles(
      stored: stored, forgotten: forgotten,
      reading: { [fieldMapping = definition.fieldMapping] in fieldMapping.reading(of: $0) },
      reprocess: rereads)
    var plan = RunPlan(
      matched: found.files.count, isOutdated: isOutdated, refusals: found.refusals)
    if !found.refusals.isEmpty { plan.ending.note(.refusedFile, gatePolicy) }
    for input in found.files {
      try StopSignal.check()
      guard input.path != "-" else {
        plan.files.append(File(input: input, state: "new"))
        continue
      }
      let recognised = input.stamp.flatMap { stamps[$0] }
      let hash = if let recognised { recognised } else { try contentHash(of: input) }
      let possible = input.identities(ofBytes: hash)
      let fieldMapping = input.fieldMapping ?? definition.fieldMapping
      let reading = fieldMapping.reading(of: input.kind)
      if let identity = known.first(of: possible, reading: reading, in: input) {
        if let file = contents[identity], [.held, .refused].contains(file.status) {
          plan.waiting += 1
          plan.ending.note(file, gatePolicy)
        }
        continue
      }
      let state =
        possible.contains(where: gone.contains)
        ? "forgotten" : possible.lazy.compactMap { contents[$0]?.status.rawValue }.first
      plan.files.append(File(input: input, state: state ?? "new"))
    }
    guard preview > 0 else { return plan }
    for file in plan.files where file.input.path != "-" {
      try StopSignal.check()
      let found = try InputPreview.into(file.input, of: definition, records: preview)
      plan.ending.note(found, gatePolicy)
      plan.previews.append(found)
    }
    return plan
  }

  private static func contentHash(of input: FoundInput) throws(RunFailure) -> String {
    let file = try OpenInput(input, spoolFolder: ".")
    defer { file.close() }
    return try file.contentHash()
  }

  var filesToRead: Int { files.count }

  var bytesToRead: Int64 { files.reduce(0) { $0 + $1.input.size } }

  /// The files to read, one per line, then the refused names and the previews.
  var table: String {
    var parts: [String] = []
    if !files.isEmpty {
      var table = TextTable([
        ("file", .left), ("kind", .left), ("bytes", .right), ("state", .left),
      ])
      for file in files {
        table.add([
          file.input.path, file.input.kind.rawValue, String(file.input.size), file.state,
        ])
      }
      parts.append(table.text)
    }
    parts += refusals.map { "refused: \($0.text)" } + previews.compactMap(\.text)
    return parts.map { $0 + "\n" }.joined()
  }

  /// The plan as text.
  package var text: String {
    let reference = previews.contains { $0.text != nil } ? " \(DocsPage.rejects.reference)" : ""
    let lines: String
    if filesToRead == 0 {
      let outdated =
        isOutdated && waiting == 0
        ? " A run would publish the facts again, because state.db has changed since the last "
          + "publication." : ""
      lines = table + "No new files among \(Count.text(matched, "file")).\(outdated)\(waitingText)"
    } else {
      lines =
        (table.isEmpty ? "" : table + "\n")
        + "A run would read \(filesToRead) of \(Count.text(matched, "file")), \(bytesToRead) bytes."
        + "\(waitingText) Nothing was changed.\(reference)"
    }
    return ([lines] + ending.lines).joined(separator: "\n")
  }

  /// A sentence about held and refused files, because they may stop the run.
  ///
  /// Empty if there are none.
  private var waitingText: String {
    guard waiting > 0 else { return "" }
    let files =
      waiting == 1
      ? "1 file that was read before is" : "\(waiting) files that were read before are"
    return " \(files) held or refused; paidline status shows why."
  }

  /// The plan as JSON: files, refusals, previews, and the gates that would stop the run.
  package var json: JSONText {
    .object([
      .init("matched", .number(Int64(matched))),
      .init(
        "files",
        .list(
          files.map {
            .object([
              .init("path", .text($0.input.path)), .init("kind", .text($0.input.kind.rawValue)),
              .init("bytes", .number($0.input.size)), .init("state", .text($0.state)),
            ])
          })),
      .init("waiting", .number(Int64(waiting))),
      .init("refused", .list(refusals.map { .text($0.text) })),
      .init("looks", .list(previews.map(\.json))),
      .init("stopping_gates", .list(ending.gates.map { .text($0.rawValue) })),
    ])
  }
}
