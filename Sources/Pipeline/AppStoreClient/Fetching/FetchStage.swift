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
    let client = try client()
    return try await run(.histories, client, to: output).run {
      store, exports, tally throws(RunFailure) in
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

  /// Prepares a run with a client of the App Store Server API.
  func run(_ service: AskedKey.Service, _ client: AppleClient, to output: ExportPath) -> AskingRun {
    AskingRun(
      service: service, noun: "chain", path: Self.databasePath(definition), output: output,
      client: client, log: log)
  }

  /// Creates a client with the key of the App Store Server API.
  func client() throws(RunFailure) -> AppleClient {
    try AppleClient.server(settings, of: definition, connect: connect)
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
