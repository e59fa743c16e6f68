package import CivilTime
package import Diagnostics
package import Logging
package import Pipeline
internal import StateStore

/// Fetches signed transaction histories and notifications from Apple, and exports the responses.
package struct FetchStage {
  package let definition: PipelineDefinition
  package let settings: FetchSettings
  package let connect: AppleConnection.Maker
  package let log: Logger

  package init(
    definition: PipelineDefinition, settings: FetchSettings,
    connect: @escaping AppleConnection.Maker, log: Logger
  ) {
    self.definition = definition
    self.settings = settings
    self.connect = connect
    self.log = log
  }

  /// The path of a pipeline's database of fetched histories and notifications.
  ///
  /// It is in a separate folder next to state.db. This folder has its own lock, so that other
  /// commands can run during a fetch.
  package static func databasePath(_ definition: PipelineDefinition, _ name: String = "fetch.db")
    -> String
  {
    FilePaths.join(FilePaths.join(FilePaths.folder(of: definition.statePath), "fetch"), name)
  }

  /// Requests all chain histories that are incomplete or too old, and exports the responses.
  ///
  /// If the run fails, the responses that it received are exported before the failure is thrown. If
  /// a signal stops the run, the next run exports these responses.
  ///
  /// - Parameters:
  ///   - olderThan: The age above which a complete history is requested again; `nil` for no
  ///     limit.
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, and 78 for a key that
  ///   Apple refuses.
  package func fetchHistory(
    of source: () throws(RunFailure) -> [WantedChain], olderThan: Milliseconds?
  ) async throws(RunFailure) -> AskingTally {
    guard let output = settings.historyOutput else { throw try missing("output") }
    return try await fetch(.histories, to: output) {
      store, exports, client, tally throws(RunFailure) in
      let wanted = try source()
      let progress = ProgressBar("requesting from Apple", total: Int64(wanted.count), unit: .chains)
      defer { progress.finish() }
      let round = HistoryFetch(
        store: store, exports: exports, client: client, concurrency: settings.concurrency,
        settledAfter: Self.moment(olderThan), progress: progress)
      defer { tally = round.tally }
      try await round.sendRequests(wanted)
      try round.check()
    } report: { tally in
      log.notice("\(tally.historiesText)")
      if let left = tally.leftText(rejected: "unknown to Apple") { log.warning("\(left)") }
    }
  }

  /// Plans the requests that a run would send.
  package func plan(of chains: [WantedChain], olderThan: Milliseconds?) throws(RunFailure)
    -> FetchPlan
  {
    let store = try AskedDatabase.open(path: Self.databasePath(definition))
    return try FetchPlan(
      chains, store: store, settledAfter: Self.moment(olderThan), settings: settings)
  }

  /// Fetches with `body`, and exports what was fetched unless a signal has stopped the run.
  ///
  /// - Parameter report: Writes the tally to the log.
  func fetch(
    _ service: AskedKey.Service, to output: ExportPath,
    _ body: (AskedDatabase, AnswerExports, AppleClient, inout AskingTally)
      async throws(RunFailure) -> Void,
    report: (AskingTally) -> Void
  ) async throws(RunFailure) -> AskingTally {
    let client = try AppleClient.server(settings, of: definition, connect: connect)
    var tally = AskingTally(of: "chain")
    var failure: RunFailure?
    do throws(RunFailure) {
      let store = try AskedDatabase.open(path: Self.databasePath(definition))
      let exports = try AnswerExports(store, service, output: output, log: log)
      do throws(RunFailure) {
        try await body(store, exports, client, &tally)
      } catch {
        failure = error
      }
      if let failure, failure.isStop { throw failure }
      try exports.write()
      tally.exports = exports.written
      try store.close()
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    tally.requests = client.requests
    report(tally)
    if let failure { throw failure }
    return tally
  }

  /// Creates the failure for a key, such as `output`, that the section `fetch` lacks.
  func missing(_ key: String) throws(RunFailure) -> RunFailure {
    _ = try settings.server(of: definition)
    return RunFailure(
      .badConfiguration,
      "\(OneLine.text(definition.path)): expected the section fetch to have the key \(key)")
  }

  /// Creates the failure for a key that Apple refused.
  static func refused(_ reason: String) -> RunFailure {
    RunFailure(
      .badConfiguration,
      """
      Apple rejects the key (\(reason)), so no more requests were sent; compare issuer_id, key_id, \
      private_key_file and bundle_id with App Store Connect, and check the clock of this machine
      """)
  }

  /// Returns the time before which a complete history is too old; `nil` for no limit.
  private static func moment(_ olderThan: Milliseconds?) -> Instant? {
    olderThan.map { SystemClock.now.advanced(by: Milliseconds(-$0.rawValue)) }
  }
}

extension RunFailure {
  /// Whether a signal has stopped the run.
  var isStop: Bool { status == .interrupted || status == .terminated }
}
