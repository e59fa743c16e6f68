package import Pipeline
internal import StateStore
package import CivilTime
package import Diagnostics
internal import ExportReading
package import Logging
internal import PurchaseModel
internal import TemporaryFiles

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
  package func run() async throws(RunFailure) -> ValidationTally {
    let path = definition.validationPath
    if !PathStatus.exists(path) { nameUnreadOutput() }
    let decider = try ReceiptDecider.make(settings, options: options, edge: edge)
    let store: ValidationDatabase
    let erased: CustomerReplacement?
    do throws(RunFailure) {
      erased = try ErasedInExports.replacement(definition)
      store = try ValidationDatabase.open(path: path)
    } catch {
      await decider.close()
      throw error
    }
    var round = ValidationRound(
      store: store, decider: decider, erased: erased, concurrency: settings.concurrency,
      answeredAfter: options.olderThan.map {
        SystemClock.now.advanced(by: Milliseconds(-$0.rawValue))
      })
    var failure: RunFailure?
    do throws(RunFailure) {
      try finishExport(in: store)
      try await round.sendRequests(
        try FoundInputs.find(settings.receiptPatterns, kind: .receipts),
        spoolFolder: FilePaths.folder(of: definition.statePath))
    } catch {
      failure = error
    }
    await decider.close()
    round.tally.requests = decider.requests
    if let failure, failure.status == .interrupted || failure.status == .terminated {
      throw failure
    }
    (round.tally.exportPath, round.tally.exported) = try export(from: store)
    try store.close()
    name(round)
    if let failure { throw failure }
    try round.check()
    return round.tally
  }

  // MARK: - Exports

  /// Writes all stored responses to a new export.
  ///
  /// - Returns: The path and the number of records; no path if there is no response to write.
  private func export(from store: ValidationDatabase) throws(RunFailure) -> (String?, Int) {
    let count = try store.storedAnswers()
    guard count > 0 else { return (nil, 0) }
    let day = SystemClock.now.day
    var number = try store.nextExportNumber()
    // A file at this path was written with another validation.db that no longer exists.
    while PathStatus.exists(settings.output.path(number: number, day: day)) { number += 1 }
    let path = settings.output.path(number: number, day: day)
    try store.beginExport(number, path: path)
    try write(from: store, number: number, path: path)
    return (path, count)
  }

  /// Finishes the export that a killed run began.
  ///
  /// The whole file is written again; equal responses give an equal file.
  private func finishExport(in store: ValidationDatabase) throws(RunFailure) {
    guard let (number, path) = try store.unfinishedExport() else { return }
    try write(from: store, number: number, path: path)
    log.notice(
      "finished the export of a run that was stopped: \(OneLine.text(path))",
      metadata: ["file": "\(path)"])
  }

  private func write(from store: ValidationDatabase, number: Int, path: String)
    throws(RunFailure)
  {
    try OutputFolder.create(FilePaths.folder(of: path))
    var deflater = try GzipDeflater()
    let file = try NewFile(path, .export)
    try store.forEachAnswer { line throws(RunFailure) in try file.write(deflater.append(line)) }
    try file.write(deflater.finish())
    try file.publish()
    try store.finishExport(number)
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
    let tally = round.tally
    log.notice("\(tally.text)")
    var findings: [String] = []
    if tally.pending > 0 {
      findings.append(
        "\(Count.text(tally.pending, "receipt")) pending; the next run requests them")
    }
    if tally.rejected > 0 { findings.append("\(Count.text(tally.rejected, "receipt")) rejected") }
    if !findings.isEmpty {
      log.warning(
        """
        \(findings.joined(separator: ", ")) (\(tally.reasonsText)); paidline-validate \
        \(OneLine.text(definition.path)) --unsettled lists them
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
