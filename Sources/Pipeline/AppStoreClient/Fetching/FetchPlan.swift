internal import CivilTime
internal import Diagnostics
package import Pipeline
internal import StateStore

/// The requests that a fetching run would send, for a dry run.
package struct FetchPlan: Hashable {
  /// The number of transactions in a page of Apple's responses.
  private static let pageSize = 20

  /// The number of requested chains.
  var chains = 0
  /// The number of chains that were never requested.
  var new = 0
  /// The number of chains with an incomplete history: only some of its pages have been fetched.
  var open = 0
  /// The number of completely fetched chains that must be requested again.
  var due = 0
  /// The largest number of requests that this run needs, estimated from the known purchases.
  ///
  /// A chain that was never requested, or only partly fetched, needs one request per page. A
  /// completely fetched chain that must be requested again needs one request.
  var requests = 0
  /// The number of requests per second that the pipeline allows.
  var requestsPerSecond: Int

  init(
    _ wanted: [WantedChain], store: AskedDatabase, settledAfter: Instant?, settings: FetchSettings
  ) throws(RunFailure) {
    requestsPerSecond = settings.requestsPerSecond
    chains = wanted.count
    for chain in wanted {
      let pages = max(1, (chain.purchases + Self.pageSize - 1) / Self.pageSize)
      let known = try store.question(.history(chain.number))
      switch known?.state {
      case nil:
        new += 1
        requests += pages
      case .pending:
        open += 1
        requests += pages
      case .answered:
        guard let settledAfter, let known, known.at < settledAfter else { continue }
        due += 1
        requests += 1
      case .covered, .rejected: continue
      }
    }
  }

  /// The duration of all requests at the allowed rate, in seconds, rounded up.
  var seconds: Int { (requests + requestsPerSecond - 1) / requestsPerSecond }

  /// The plan as text.
  package var text: String {
    """
    chains    \(chains): \(new) never requested, \(open) started, \(due) due again
    requests  \(requests) at most, as one history has all chains of an Apple account
    time      \(seconds / 3600) h \(seconds / 60 % 60) min \(seconds % 60) s at \
    \(requestsPerSecond) requests per second
    """
  }

  /// The plan as JSON.
  package var json: JSONText {
    .object([
      .init("chains", .number(Int64(chains))), .init("new", .number(Int64(new))),
      .init("open", .number(Int64(open))), .init("due", .number(Int64(due))),
      .init("requests", .number(Int64(requests))),
      .init("requests_per_second", .number(Int64(requestsPerSecond))),
      .init("seconds", .number(Int64(seconds))),
    ])
  }
}
