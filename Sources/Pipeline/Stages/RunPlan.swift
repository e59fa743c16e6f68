internal import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// What a run would read: `paidline run --dry-run`.
struct RunPlan {
  /// One matched file.
  struct File: Hashable {
    var path: String
    var kind: InputFile.Kind
    var bytes: Int64
    /// `new`, or what became of its content: `used`, `refused`, `held`, `forgotten`.
    var state: String
  }

  /// The matched files, receipts first, by path.
  var files: [File] = []
  /// What matched and would be refused by name.
  var refusals: [String] = []
  /// Which known files would be read again.
  var rereads = Reprocess.missing

  /// Looks at the settings, at the inputs and at what is known of them; changes nothing.
  ///
  /// A catalogue or key that a run would refuse is refused here too. Standard input is not read,
  /// as it could not be read again.
  static func make(_ definition: PipelineDefinition) throws(RunFailure) -> RunPlan {
    try make(definition, found: try FoundInputs.find(definition))
  }

  /// Looks at the settings and at what is known of some inputs; changes nothing.
  static func make(_ definition: PipelineDefinition, found: FoundInputs) throws(RunFailure)
    -> RunPlan
  {
    _ = try ReconstructSettings.read(definition, asOf: nil)
    var stamps: [FileStamp: String] = [:]
    var known: [InputIdentity: String] = [:]
    if PathStatus.exists(definition.statePath) {
      let state = try StateDatabase.openToRead(path: definition.statePath)
      for file in try state.files() {
        known[InputIdentity(sha256: file.sha256, kind: file.kind)] = file.status.rawValue
      }
      for file in try state.forgottenFiles() {
        known[InputIdentity(sha256: file.sha256, kind: file.kind)] = "forgotten"
      }
      stamps = try state.fileStamps()
    }
    var plan = RunPlan()
    plan.refusals = found.refusals
    for input in found.files {
      try StopSignal.check()
      var state = "new"
      if input.path != "-" {
        let recognised = input.stamp.flatMap { stamps[$0] }
        let hash = if let recognised { recognised } else { try contentHash(of: input) }
        state = known[InputIdentity(sha256: hash, kind: input.kind)] ?? "new"
      }
      plan.files.append(
        File(path: input.path, kind: input.kind, bytes: input.size, state: state))
    }
    return plan
  }

  private static func contentHash(of input: FoundInput) throws(RunFailure) -> String {
    let file = try OpenInput(input, spoolFolder: ".")
    defer { file.close() }
    return try file.contentHash()
  }

  private var new: [File] {
    files.filter { file in
      switch rereads {
      case .missing: file.state == "new"
      case .failed: file.state == "new" || file.state == FileStatus.refused.rawValue
      case .all: true
      }
    }
  }

  /// How many files would be read.
  var filesToRead: Int { new.count }

  /// How many bytes they have.
  var bytesToRead: Int64 { new.reduce(0) { $0 + $1.bytes } }

  /// The files and what is known of them, a line each.
  var table: String {
    var table = TextTable([
      ("file", .left), ("kind", .left), ("bytes", .right), ("state", .left),
    ])
    for file in files {
      table.add([file.path, file.kind.rawValue, String(file.bytes), file.state])
    }
    return table.text + refusals.map { "\nrefused: \($0)" }.joined() + "\n"
  }

  /// The plan for people.
  var text: String {
    table + "\nA run would read \(filesToRead) of \(Count.text(files.count, "file")), "
      + "\(bytesToRead) bytes. Nothing was changed."
  }

  /// The plan for machines.
  var json: JSONText {
    .object([
      .init(
        "files",
        .list(
          files.map {
            .object([
              .init("path", .text($0.path)), .init("kind", .text($0.kind.rawValue)),
              .init("bytes", .number($0.bytes)), .init("state", .text($0.state)),
            ])
          })),
      .init("refused", .list(refusals.map(JSONText.text))),
    ])
  }
}
