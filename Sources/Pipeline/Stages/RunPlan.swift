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
    /// `new`, or what became of its content: `used`, `refused`, `held`.
    var state: String
  }

  /// The matched files, receipts first, by path.
  var files: [File] = []
  /// What matched and would be refused by name.
  var refusals: [String] = []

  /// Looks at the settings, at the inputs and at what is known of them; changes nothing.
  ///
  /// A catalogue or key that a run would refuse is refused here too. Standard input is not read,
  /// as it could not be read again.
  static func make(_ definition: PipelineDefinition) throws(RunFailure) -> RunPlan {
    _ = try ReconstructSettings.read(definition, asOf: nil)
    let found = try FoundInputs.find(definition)
    var known: [InputIdentity: String] = [:]
    if PathStatus.exists(definition.statePath) {
      for file in try StateDatabase.openToRead(path: definition.statePath).files() {
        known[InputIdentity(sha256: file.sha256, kind: file.kind)] = file.status.rawValue
      }
    }
    var plan = RunPlan()
    plan.refusals = found.refusals
    for input in found.files {
      try StopSignal.check()
      var state = "new"
      if input.path != "-" {
        let file = try OpenInput(input, spoolFolder: ".")
        defer { file.close() }
        let identity = InputIdentity(sha256: try file.contentHash(), kind: input.kind)
        state = known[identity] ?? "new"
      }
      plan.files.append(
        File(path: input.path, kind: input.kind, bytes: input.size, state: state))
    }
    return plan
  }

  private var new: [File] { files.filter { $0.state == "new" } }

  /// The plan for people.
  var text: String {
    var table = TextTable([
      ("file", .left), ("kind", .left), ("bytes", .right), ("state", .left),
    ])
    for file in files {
      table.add([file.path, file.kind.rawValue, String(file.bytes), file.state])
    }
    let bytes = new.reduce(0) { $0 + $1.bytes }
    let refused = refusals.map { "\nrefused: \($0)" }.joined()
    return table.text + refused + "\n\nA run would read \(new.count) of \(files.count) files, "
      + "\(bytes) bytes. Nothing was changed."
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
