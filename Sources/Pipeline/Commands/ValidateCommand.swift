internal import AppStoreClient
internal import Pipeline
internal import StateStore
internal import ArgumentParser
internal import Diagnostics

/// `paidline-validate`: sends raw receipts to Apple, and writes a receipt export.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-validate",
    abstract: "Validate raw receipts with Apple and write a receipt export.",
    discussion: """
      Reads the raw receipts that the section `validate` of a pipeline names, one JSON object per \
      line: {"customer_id":…,"receipt":"base64…","price_report":{…}}. Sends those that are not \
      settled yet to Apple's verifyReceipt, and writes the responses to an export that \
      paidline-ingest reads. The next run sends those that could not be sent.

      The app's shared secret comes from the file that validate.shared_secret_file names, else \
      from the environment variable PAIDLINE_SHARED_SECRET.

      EXAMPLES
        paidline-validate shop/pipeline.yaml && paidline run shop/pipeline.yaml
        paidline-validate shop/pipeline.yaml --older-than 7d
        paidline-validate shop/pipeline.yaml --unsettled

      \(ExitStatusTable.text)
      """,
    version: ProgramVersion.line)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "Also send receipts again whose response is older than this, such as 7d or 36h.",
      discussion: "Finds renewals and refunds that the app did not record.", valueName: "age"))
  var olderThan: DurationArgument?

  @Flag(
    help: ArgumentHelp(
      "Read the receipts from the files without asking Apple; invalid signatures are rejected.",
      discussion:
        "Needs validate.root_certificate. Receipts lack some fields that Apple would return."
    ))
  var local = false

  @Flag(help: "List what is pending or rejected, with file and line; send nothing.")
  var unsettled = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var wait: WaitOption

  @OptionGroup var logOptions: LogOptions

  func validate() throws {
    guard !(local && olderThan != nil) else {
      throw ValidationError("--older-than needs Apple, so it cannot be used with --local.")
    }
  }

  /// Runs the command with a connection to Apple.
  func run(edge: ValidationDependencies) async throws {
    let definition = try pipeline.read()
    guard let settings = definition.validation else {
      throw RunFailure(
        .badConfiguration,
        "\(OneLine.text(definition.path)): expected a section validate with the keys receipts and "
          + "output")
    }
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: wait.seconds)
    if unsettled {
      let receipts = try AskedDatabase.open(path: definition.validationPath)
        .unanswered(.receipts).map(\.question)
      try CheckedOutput.standard.writeLine(
        json ? Self.json(receipts).page : Self.text(receipts))
    } else {
      let tally = try await ValidateStage(
        definition: definition, settings: settings,
        options: ValidateOptions(isLocal: local, olderThan: olderThan?.length), edge: edge,
        log: logOptions.logger("paidline-validate")
      ).run()
      if json { try CheckedOutput.standard.writeLine(tally.receiptsJSON.page) }
    }
    withExtendedLifetime(lock) {}
  }

  private static func text(_ receipts: [AskedQuestion]) -> String {
    guard !receipts.isEmpty else { return "No raw receipt is pending or rejected." }
    var table = TextTable([
      ("file", .left), ("line", .right), ("state", .left), ("reason", .left),
    ])
    for receipt in receipts {
      table.add([
        receipt.fileName ?? "", receipt.line.map { String($0) } ?? "", receipt.state.rawValue,
        receipt.reason ?? "",
      ])
    }
    return table.text
  }

  private static func json(_ receipts: [AskedQuestion]) -> JSONText {
    .list(
      receipts.map {
        .object([
          .init("file", .text(orNull: $0.fileName)),
          .init("line", .number(orNull: $0.line.map(Int64.init))),
          .init("state", .text($0.state.rawValue)), .init("reason", .text(orNull: $0.reason)),
        ])
      })
  }
}
