package import Pipeline
internal import StateStore
package import CivilTime
package import Diagnostics
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
    let erased = try ErasedInExports.replacement(definition)
    let decider = try ReceiptDecider.make(settings, options: options, edge: edge)
    let asking = AskingRun(
      service: .receipts, noun: "receipt", path: path, output: settings.output,
      client: decider.client, log: log)
    var lost: (pending: Int, files: [String]) = (0, [])
    return try await asking.run { store, exports, tally throws(RunFailure) in
      let round = ValidationRound(
        store: store, exports: exports, decider: decider, erased: erased,
        concurrency: settings.concurrency,
        answeredAfter: options.olderThan.map {
          SystemClock.now.advanced(by: Milliseconds(-$0.rawValue))
        })
      defer {
        tally = round.tally
        lost = (round.lostPending, round.lostFiles)
      }
      try await round.sendRequests(
        try FoundInputs.find(settings.receiptPatterns, kind: .receipts),
        spoolFolder: FilePaths.folder(of: definition.statePath))
      try round.check()
    } report: { tally in
      name(tally, lostPending: lost.pending, in: lost.files)
    }
  }

  // MARK: - Messages

  /// Warns, before the first run, if `paidline-ingest` would not read the output.
  private func nameUnreadOutput() {
    let path = settings.output.path(number: 1, day: CivilDay(daysSinceEpoch: 0))
    guard !definition.receiptPatterns.contains(where: { $0.holds(place: path) }) else { return }
    log.warning(
      """
      no pattern of inputs.receipts matches the files of validate.output, such as \
      \(OneLine.text(path)), so paidline-ingest will not read them; add a pattern
      """)
  }

  private func name(_ tally: AskingTally, lostPending: Int, in files: [String]) {
    log.notice("\(tally.receiptsText)")
    if let left = tally.leftText(rejected: "rejected") {
      log.warning(
        """
        \(left); paidline-validate \(OneLine.text(definition.path)) --unsettled lists them
        """)
    }
    if lostPending > 0 {
      log.warning(
        """
        \(lostPending) pending receipts are in none of the files that validate.receipts \
        matches; restore \(files.map { OneLine.text($0) }.joined(separator: ", "))
        """)
    }
  }
}
