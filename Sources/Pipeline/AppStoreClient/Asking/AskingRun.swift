internal import Diagnostics
internal import Logging
internal import Pipeline
internal import StateStore

/// A run that asks one of Apple's services, and exports the answers.
struct AskingRun {
  let service: AskedKey.Service
  /// The word for one question: `receipt` or `chain`.
  let noun: String
  /// The path of the database of what was asked.
  let path: String
  let output: ExportPath
  /// The client, which is closed at the end; `nil` for a run without Apple.
  let client: AppleClient?
  let log: Logger

  /// Asks with `body`, and exports the answers.
  ///
  /// They are exported even if `body` fails. If a signal stops the run, the next run exports them.
  ///
  /// - Parameter report: Writes the tally to the log.
  func run(
    _ body: (AskedDatabase, AnswerExports, inout AskingTally) async throws(RunFailure) -> Void,
    report: (AskingTally) -> Void
  ) async throws(RunFailure) -> AskingTally {
    var tally = AskingTally(of: noun)
    var failure: RunFailure?
    do throws(RunFailure) {
      let store = try AskedDatabase.open(path: path)
      let exports = try AnswerExports(store, service, output: output, log: log)
      do throws(RunFailure) {
        try await body(store, exports, &tally)
      } catch {
        failure = error
      }
      if let failure, failure.status == .interrupted || failure.status == .terminated {
        throw failure
      }
      try exports.write()
      tally.exports = exports.written
      try store.close()
    } catch {
      await client?.close()
      throw error
    }
    await client?.close()
    tally.requests = client?.requests ?? 0
    report(tally)
    if let failure { throw failure }
    return tally
  }
}
