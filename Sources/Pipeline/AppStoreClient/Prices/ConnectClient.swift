internal import CivilTime
internal import Diagnostics
internal import Pipeline

/// Sends requests to App Store Connect one after another, and follows the pages of lists.
///
/// Requests are never concurrent. Apple limits the number of requests per hour. Even below this
/// limit, Apple refuses some requests if several arrive at the same time.
final class ConnectClient {
  /// The largest number of pages that are requested for one list; lists are far shorter.
  ///
  /// The limit ends an endless list, in which every page refers to another page.
  private static let pagesMax = 10_000

  private let client: RateLimitedClient
  private let archive: ConnectArchive
  private let url: String

  init(_ client: RateLimitedClient, archive: ConnectArchive, prices: PriceListSettings) {
    self.client = client
    self.archive = archive
    url = prices.url
  }

  /// Requests all pages of a list: its resources, and the resources included with them.
  ///
  /// - Parameter question: The path and query of the first page.
  /// - Returns: The whole list as one page; empty if Apple has no resource at this path.
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, 78 for a key that Apple
  ///   refuses, and 65 for a request that Apple does not understand.
  func all(_ question: String) async throws(RunFailure) -> ConnectPage {
    var list = ConnectPage()
    var target = question
    var asked: Set<String> = []
    while asked.insert(target).inserted, asked.count <= Self.pagesMax {
      let page = try await page(target)
      list.resources += page.resources
      list.included += page.included
      guard let next = page.next.flatMap(Self.target) else { break }
      target = next
    }
    return list
  }

  /// Returns the path and query of an address; `nil` for an address without a path.
  ///
  /// The result has no host, so that the key is sent only to the configured service.
  ///
  /// Example: `https://api.appstoreconnect.apple.com/v1/apps?cursor=A` → `/v1/apps?cursor=A`.
  static func target(_ address: String) -> String? {
    guard let scheme = address.firstRange(of: "://") else {
      return address.hasPrefix("/") ? address : "/" + address
    }
    return address[scheme.upperBound...].firstIndex(of: "/").map { String(address[$0...]) }
  }

  private func page(_ target: String) async throws(RunFailure) -> ConnectPage {
    if let known = archive.answer(to: target) { return known }
    var attempt = 1
    while true {
      let address = url + target
      let client = client
      let reply = await FetchStage.untilStopped {
        await client.send(address, accept: "application/json")
      }
      try StopSignal.check()
      guard let reply else { continue }
      switch ConnectReply(reply, now: SystemClock.now) {
      case .page(let page, let text):
        try archive.keep(text, to: target)
        return page
      case .notThere:
        try archive.keep(Array("{}".utf8), to: target)
        return ConnectPage()
      case .rejected(let reason):
        throw RunFailure(
          .dataRefused,
          """
          App Store Connect rejects a request (\(reason)): \(OneLine.text(target)). Run again; if \
          it is rejected again, report it as a bug.
          """)
      case .refused(let reason):
        throw RunFailure(
          .badConfiguration,
          """
          App Store Connect rejects the key (\(reason)); prices need a key with the role App \
          Manager or Admin: compare fetch.prices with the keys under Users and Access, Integrations
          """)
      case .again(let reason, let after):
        guard attempt < client.plan.attempts else {
          throw RunFailure(
            .unavailable,
            """
            App Store Connect cannot be reached (\(reason)); a run within a day continues where \
            this run stopped
            """)
        }
        let wait = client.plan.wait(
          afterAttempt: attempt, key: Array(target.utf8), after: after.map { $0.rawValue / 1000 })
        _ = await FetchStage.untilStopped {
          await ConcurrentRateLimiter.sleep(wait)
          return true
        }
        try StopSignal.check()
        attempt += 1
      }
    }
  }
}
