package import CivilTime
package import Diagnostics
package import Logging
package import Pipeline

/// Fetches the signed transaction histories of chains from Apple, and exports the responses.
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

  /// Creates a client with the key of the App Store Server API.
  func client() throws(RunFailure) -> RateLimitedClient {
    let server = try settings.server(of: definition)
    let key = try ServerKey.read(server.key)
    return RateLimitedClient(
      settings, tokens: BearerTokens(key: key, bundleID: server.bundleID),
      service: connect(settings.concurrency, settings.timeoutSeconds))
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
  ) async throws(RunFailure) -> FetchTally {
    guard let output = settings.historyOutput else { throw try missing("output") }
    let client = try client()
    let wanted: [WantedChain]
    let store: FetchStore
    do throws(RunFailure) {
      wanted = try source()
      store = try FetchStore(definition)
    } catch {
      await client.close()
      throw error
    }
    let progress = ProgressBar("requesting from Apple", total: Int64(wanted.count), unit: .chains)
    var round = HistoryFetch(
      store: store, client: client, settings: settings, output: output,
      settledAfter: Self.moment(olderThan), progress: progress)
    var failure: RunFailure?
    do throws(RunFailure) {
      try await round.sendRequests(wanted)
    } catch {
      failure = error
    }
    progress.finish()
    await client.close()
    round.tally.requests = client.requests
    round.tally.exports = try finish(store, failure)
    log.notice("\(round.tally.text)")
    name(round.tally)
    if let failure { throw failure }
    try round.check()
    return round.tally
  }

  /// Plans the requests that a run would send.
  package func plan(of chains: [WantedChain], olderThan: Milliseconds?) throws(RunFailure)
    -> FetchPlan
  {
    FetchPlan(
      chains, store: try FetchStore(definition),
      settledAfter: Self.moment(olderThan), settings: settings)
  }

  /// Renames the exports to their final names, and returns all finished exports.
  ///
  /// - Throws: `failure` if a signal has stopped the run; the exports then stay unfinished.
  func finish(_ store: FetchStore, _ failure: RunFailure?) throws(RunFailure)
    -> [ExportPart.Account]
  {
    if let failure, failure.status == .interrupted || failure.status == .terminated {
      throw failure
    }
    try store.publish()
    return store.published
  }

  /// Creates the failure for a key, such as `output`, that the section `fetch` lacks.
  func missing(_ key: String) throws(RunFailure) -> RunFailure {
    _ = try settings.server(of: definition)
    return RunFailure(
      .badConfiguration,
      "\(OneLine.text(definition.path)): expected the section fetch to have the key \(key)")
  }

  /// Returns the time before which a complete history is too old; `nil` for no limit.
  private static func moment(_ olderThan: Milliseconds?) -> Instant? {
    olderThan.map { SystemClock.now.advanced(by: Milliseconds(-$0.rawValue)) }
  }

  private func name(_ tally: FetchTally) {
    var findings: [String] = []
    if tally.pending > 0 {
      findings.append(
        "\(Count.text(tally.pending, "chain")) pending; the next run requests them")
    }
    if tally.rejected > 0 {
      findings.append("\(Count.text(tally.rejected, "chain")) unknown to Apple")
    }
    guard !findings.isEmpty else { return }
    log.warning("\(findings.joined(separator: ", ")) (\(tally.reasonsText))")
  }
}
