package import Pipeline
internal import StateStore
package import CivilTime
package import Diagnostics
internal import ExportReading
package import Logging
internal import PurchaseModel

/// The options of a validating run.
package struct ValidateOptions: Hashable {
  /// Whether receipts are read locally, without sending them to Apple.
  package var isLocal = false
  /// The age of a response above which its receipt is sent again.
  ///
  /// `nil` if a receipt with a response is never sent again.
  package var olderThan: Milliseconds?

  package init(isLocal: Bool = false, olderThan: Milliseconds? = nil) {
    self.isLocal = isLocal
    self.olderThan = olderThan
  }
}

/// Obtains responses to raw receipts, and writes them to a receipt export.
package struct ValidateStage {
  package let definition: PipelineDefinition
  package let settings: ValidationSettings
  package let options: ValidateOptions
  package let edge: ValidationDependencies
  package let log: Logger

  package init(
    definition: PipelineDefinition, settings: ValidationSettings, options: ValidateOptions,
    edge: ValidationDependencies, log: Logger
  ) {
    self.definition = definition
    self.settings = settings
    self.options = options
    self.edge = edge
    self.log = log
  }

  /// Requests responses to all raw receipts without a final result, and exports the responses.
  ///
  /// The responses are exported even if the run fails afterwards. If a signal stops the run, the
  /// next run exports them.
  package func run() async throws(RunFailure) -> AskingTally {
    let path = definition.validationPath
    if !PathStatus.exists(path) { nameUnreadOutput() }
    let decider = try ReceiptDecider.make(settings, options: options, edge: edge)
    let round: ValidationRound
    var failure: RunFailure?
    do throws(RunFailure) {
      let erased = try ErasedInExports.replacement(definition)
      let store = try AskedDatabase.open(path: path)
      let exports = try AnswerExports(store, .receipts, output: settings.output, log: log)
      round = ValidationRound(
        store: store, exports: exports, decider: decider, erased: erased,
        concurrency: settings.concurrency,
        answeredAfter: options.olderThan.map {
          SystemClock.now.advanced(by: Milliseconds(-$0.rawValue))
        })
      do throws(RunFailure) {
        try await round.sendRequests(
          try FoundInputs.find(settings.receiptPatterns, kind: .receipts),
          spoolFolder: FilePaths.folder(of: definition.statePath))
      } catch {
        failure = error
      }
      if let failure, failure.isStop { throw failure }
      try exports.write()
      round.tally.exports = exports.written
      try store.close()
    } catch {
      await decider.client?.close()
      throw error
    }
    await decider.client?.close()
    round.tally.requests = decider.client?.requests ?? 0
    name(round)
    if let failure { throw failure }
    try round.check()
    return round.tally
  }

  // MARK: - Messages

  /// Warns, before the first run, if `paidline-ingest` would not read the output.
  private func nameUnreadOutput() {
    let path = settings.output.path(number: 1, day: CivilDay(daysSinceEpoch: 0))
    guard !definition.receiptPatterns.contains(where: { $0.matches(path) }) else { return }
    log.warning(
      """
      no pattern of inputs.receipts matches the files of validate.output, such as \
      \(OneLine.text(path)), so paidline-ingest will not read them; add a pattern
      """)
  }

  private func name(_ round: ValidationRound) {
    log.notice("\(round.tally.receiptsText)")
    if let left = round.tally.leftText(rejected: "rejected") {
      log.warning(
        """
        \(left); paidline-validate \(OneLine.text(definition.path)) --unsettled lists them
        """)
    }
    if round.lostPending > 0 {
      log.warning(
        """
        \(round.lostPending) pending receipts are in none of the files that validate.receipts \
        matches; restore \(round.lostFiles.map { OneLine.text($0) }.joined(separator: ", "))
        """)
    }
  }
}

extension InputPattern {
  /// Returns true if the pattern matches a path; the path need not exist.
  func matches(_ path: String) -> Bool {
    guard !isStandardInput else { return false }
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let start =
      folder == "."
      ? []
      : folder == "/"
        ? [""] : folder.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard names.starts(with: start), names.count == start.count + components.count else {
      return false
    }
    return zip(names.dropFirst(start.count), components).allSatisfy { name, component in
      component.match(name) != nil
    }
  }
}
