internal import Pipeline
internal import StateStore
internal import ArgumentParser
internal import Diagnostics
internal import Logging
internal import PurchaseModel

/// `paidline erase`: erases customers by their ids.
struct EraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase customers by their ids; their purchases and amounts stay.",
    discussion: """
      In state.db a keyed hash replaces each id, and exports read later cannot bring the id back. \
      The facts are published again at once: customer_key becomes NULL, purchases, amounts and \
      votes stay. Old pages and logs of both databases are overwritten. Answers and exports of \
      paidline-validate that no run has read yet are rewritten. Two kinds of files are only \
      listed: exports that were already read and name the customers, and lines of paidline-fetch \
      exports in which Apple's signature covers an appAccountToken of these customers. Remove \
      the customers yourself from exports, raw receipts, lists of ids and copies of the databases.

      Ends with 65 when no file that was read contains any of the ids; later files are still \
      searched for them. Ends with 75 when another program reads a database, so that its log cannot be emptied; end \
      that program and run the command again.

      EXAMPLE
        paidline erase Pipelines/nightly.yaml --customer-id-file ids.txt --dry-run
        paidline erase Pipelines/nightly.yaml --customer-id-file ids.txt
      """)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var logOptions: LogOptions

  @Option(
    help: ArgumentHelp(
      "A file with one customer id per line, as in the exports; - for standard input.",
      valueName: "file"),
    completion: .file())
  var customerIdFile: String

  @OptionGroup var wait: WaitOption

  @Flag(
    name: [.customShort("n"), .long], help: "Print how many would be erased; change nothing.")
  var dryRun = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  func run() throws {
    let definition = try pipeline.read()
    let log = logOptions.logger("paidline")
    let ids = try CustomerIDList.read(customerIdFile) { log.warning("\($0)") }
    if dryRun {
      let summary = try plan(ids, in: definition)
      try CheckedOutput.standard.writeLine(text(of: Erasure.Account(customers: summary)))
      return try requireMatch(summary, ids, in: definition, log)
    }
    let erasure = Erasure(definition: definition, ids: ids, log: log)
    let usual = try ReconstructCommand.parse([])
    let summary = try erasure.run(
      waitSeconds: wait.seconds,
      deciding: usual.settings.stage(
        of: definition, gates: usual.gates, work: usual.work, wait: wait, log: logOptions),
      publishing: PublishCommand.stage(of: definition, log: logOptions))
    try CheckedOutput.standard.writeLine(
      text(of: summary) + (json ? "" : "\n" + reminder(definition)))
    try requireMatch(summary.customers, ids, in: definition, log)
  }

  /// Throws if the exports that were read contain none of the ids: the list is probably wrong.
  ///
  /// If they lack only some of the ids, warns of those that nearly name a customer.
  private func requireMatch(
    _ summary: ErasureSummary, _ ids: Set<String>, in definition: PipelineDefinition, _ log: Logger
  ) throws(RunFailure) {
    guard summary.unknown > 0, PathStatus.exists(definition.statePath) else { return }
    let state = try StateDatabase.openToRead(path: definition.statePath)
    guard try !state.files().isEmpty else { return }
    let mistakes = try ErasureMistakes.texts(ids, in: state)
    guard summary.erased + summary.known == 0 else {
      if !mistakes.isEmpty {
        log.warning("\(OneLine.text(customerIdFile)): \(mistakes.joined(separator: "; "))")
      }
      return
    }
    throw RunFailure(
      .dataRefused,
      "\(OneLine.text(customerIdFile)): no file that was read contains any of these ids"
        + (mistakes.isEmpty ? "" : ": " + mistakes.joined(separator: "; "))
        + ". Write each id as the exports have it.")
  }

  /// Lists the files that contain customer ids but are not changed by this command.
  private func reminder(_ definition: PipelineDefinition) -> String {
    var patterns = InputFile.Kind.allCases.flatMap { definition.patterns(of: $0) }
    patterns += definition.validation?.receiptPatterns ?? []
    let names = patterns.map { OneLine.text($0.path) }.joined(separator: ", ")
    return
      "Apart from files named as rewritten, this command does not change \(names), lists of ids, "
      + "or copies of the databases; remove the customers from them yourself."
  }

  private func plan(_ ids: Set<String>, in definition: PipelineDefinition) throws(RunFailure)
    -> ErasureSummary
  {
    guard PathStatus.exists(definition.statePath) else {
      return ErasureSummary(given: ids.count, unknown: ids.count)
    }
    return try StateDatabase.openToRead(path: definition.statePath).planErasure(of: ids)
  }

  private func text(of account: Erasure.Account) -> String {
    let (summary, exports, fetched) = (account.customers, account.exports, account.fetched)
    let unreadable = exports.unreadable + fetched.unreadable
    guard !json else {
      return JSONText.object([
        .init("given", .number(Int64(summary.given))),
        .init("erased", .number(Int64(summary.erased))),
        .init("erased_before", .number(Int64(summary.known))),
        .init("unknown", .number(Int64(summary.unknown))),
        .init("stored_answers_changed", .number(Int64(exports.answers))),
        .init("exports_rewritten", .number(Int64(exports.exports))),
        .init("exports_naming_them", .list(exports.named.map { .text($0) })),
        .init(
          "fetched_naming_them",
          .list(
            fetched.mentions.map {
              .object([
                .init("path", .text($0.path)),
                .init("lines", .list($0.lines.map { .number(Int64($0)) })),
              ])
            })),
        .init("exports_unreadable", .list(unreadable.map { .text($0) })),
      ]).page
    }
    var lines = [
      "\(Count.text(summary.given, "customer id")): \(summary.erased) "
        + "\(dryRun ? "would be erased" : "erased"), \(summary.known) already erased, "
        + "\(summary.unknown) in no file that was read."
        + (dryRun ? " Nothing was changed." : "")
    ]
    if exports.answers + exports.exports > 0 {
      lines.append(
        "Rewritten for paidline-validate: \(Count.text(exports.answers, "waiting response")), "
          + "\(Count.text(exports.exports, "export")).")
    }
    lines += exports.named.map {
      "This file has been read and still contains the ids; remove the file yourself: "
        + "\(OneLine.text($0))"
    }
    lines += fetched.mentions.map {
      "This file still contains the ids, under Apple's signature; remove the file yourself after a "
        + "run has read it: \($0.text)"
    }
    return
      (lines
      + unreadable.map {
        "This file cannot be read; remove the erased customers from it yourself: \($0)"
      })
      .joined(separator: "\n")
  }
}

/// Reads lists of customer ids; messages about a list never contain an id.
enum CustomerIDList {
  /// Reads a list with one id per line; empty lines are skipped, and `-` means standard input.
  ///
  /// - Parameters:
  ///   - warn: Receives a warning for each id with blanks around it; ids in exports rarely have
  ///     blanks.
  /// - Throws: ``RunFailure`` with status 65 for a list without an id, and 66 for a missing file.
  static func read(_ path: String, warn: (String) -> Void) throws(RunFailure) -> Set<String> {
    var ids: Set<String> = []
    try ListFile.read(path, what: "the list of customer ids") { number, line throws(RunFailure) in
      guard let id = String(validating: line, as: UTF8.self) else {
        throw RunFailure(.dataRefused, "\(OneLine.text(path)):\(number): not UTF-8 text")
      }
      guard let first = id.first, let last = id.last else { return }
      if first.isWhitespace || last.isWhitespace {
        warn(
          "\(OneLine.text(path)):\(number): this id is searched with the spaces around it; remove "
            + "them if the ids in the exports have no spaces")
      }
      ids.insert(id)
    }
    guard !ids.isEmpty else {
      throw RunFailure(
        .dataRefused,
        "\(OneLine.text(path)): the file has no customer id; expected one id per line")
    }
    return ids
  }
}
