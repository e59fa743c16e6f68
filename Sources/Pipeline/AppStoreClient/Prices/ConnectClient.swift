internal import Diagnostics
internal import Pipeline

/// Requests lists of App Store Connect one after another, and follows their pages.
final class ConnectClient {
  /// The largest number of pages that are requested for one list; lists are far shorter.
  ///
  /// The limit ends an endless list, in which every page refers to another page.
  private static let pagesMax = 10_000

  private let client: AppleClient
  /// Keeps every answer; `nil` to keep none.
  private let archive: ConnectArchive?
  private let purpose: ConnectPurpose

  init(_ client: AppleClient, archive: ConnectArchive? = nil, for purpose: ConnectPurpose) {
    self.client = client
    self.archive = archive
    self.purpose = purpose
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
    if let known = try archive?.answer(to: target) { return known }
    let answer = try await ask(AppleQuestion(target: target, seed: Array(target.utf8)))
    try archive?.keep(answer.text, to: target)
    return answer.page
  }

  /// Creates a resource, and returns it as Apple answers.
  ///
  /// - Parameter body: The JSON text of the request.
  func create(_ target: String, _ body: JSONText) async throws(RunFailure) -> ConnectPage {
    try await ask(
      AppleQuestion(target: target, body: Array(body.line.utf8), seed: Array(target.utf8))
    ).page
  }

  private func ask(_ question: AppleQuestion) async throws(RunFailure) -> ConnectAnswer {
    switch try await client.askAlone(
      question, meaning: { reply, _ in ConnectAnswer.meaning(of: reply) })
    {
    case .answer(let answer): return answer
    case .rejected(let reason):
      throw RunFailure(
        .dataRefused,
        """
        App Store Connect rejects a request (\(reason)): \(OneLine.text(question.target)). Run again; if \
        it is rejected again, report it as a bug.
        """)
    case .refused(let reason):
      throw RunFailure(
        .badConfiguration,
        "App Store Connect rejects the key (\(reason)); \(purpose.neededKey)")
    case .pending(let reason):
      throw RunFailure(
        .unavailable,
        "App Store Connect cannot be reached (\(reason)); \(purpose.nextRun)")
    }
  }
}

/// The texts for the operator when App Store Connect refuses a question or cannot be reached.
struct ConnectPurpose: Sendable {
  /// The key that the questions need, and where to look for it.
  var neededKey: String
  /// What the next run does.
  var nextRun: String

  static let prices = ConnectPurpose(
    neededKey: """
      prices need a key with the role App Manager or Admin: compare fetch.prices with the keys \
      under Users and Access, Integrations
      """,
    nextRun: "a run within a day continues where this run stopped")
}

/// An answer of App Store Connect to a question about prices or reports of App Analytics.
struct ConnectAnswer: Sendable {
  /// The page; empty if the requested resource does not exist.
  var page: ConnectPage
  /// The page's text on one line.
  var text: [UInt8]

  /// Interprets a reply.
  static func meaning(of reply: AppleReply) -> ReplyMeaning<ConnectAnswer> {
    ReplyMeaning(reply) { body in
      ConnectPage(body).map {
        .settled(.answer(ConnectAnswer(page: $0, text: ExportRecord.oneLine(body))))
      }
    } other: { status, body in
      let reason = "http_\(status)"
      switch status {
      case 201:
        return ConnectPage(body).map {
          .settled(.answer(ConnectAnswer(page: $0, text: ExportRecord.oneLine(body))))
        } ?? .again(reason: "unreadable_answer", after: nil)
      case 401, 403: return .settled(.refused(reason: reason))
      case 404:
        return .settled(.answer(ConnectAnswer(page: ConnectPage(), text: Array("{}".utf8))))
      case 400, 405, 409, 422: return .settled(.rejected(reason: reason))
      default: return .again(reason: reason, after: nil)
      }
    }
  }
}
