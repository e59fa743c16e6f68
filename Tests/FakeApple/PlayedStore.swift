internal import FlyingFox
internal import Foundation
internal import ReceiptSigning

/// Replaces the App Store Server API and App Store Connect: signed histories, notifications,
/// reports and prices, for callers with its key.
struct PlayedStore {
  private let key = PlayedKey()
  private let signer: TokenSigner
  private let log: QuestionLog
  private let connect: ConnectFile

  /// Creates a key and a root certificate, and writes them to a folder.
  init(folder: URL, log: QuestionLog) throws {
    signer = try TokenSigner()
    self.log = log
    connect = ConnectFile(folder.appending(path: "connect.json"))
    try key.write(to: folder)
    try Data(signer.root).write(to: folder.appending(path: "root.der"))
  }

  /// Adds the routes of both environments, and those of App Store Connect.
  func appendRoutes(to server: HTTPServer) async {
    await server.appendRoute(HTTPRoute("GET /v1/salesReports")) { request in
      guard key.allows(request.headers[.authorization], isForReports: true) else {
        return Self.denied
      }
      return await ReportAnswer.response(request, log: log)
    }
    await server.appendRoute(HTTPRoute("GET /v1/financeReports")) { request in
      guard key.allows(request.headers[.authorization], isForReports: true) else {
        return Self.denied
      }
      return await ReportAnswer.settlements(request, log: log)
    }
    await server.appendRoute(HTTPRoute("POST /v1/analyticsReportRequests")) { request in
      guard key.allows(request.headers[.authorization], isForReports: true) else {
        return Self.denied
      }
      return try await ConnectAnswer.created(request, log: log)
    }
    await server.appendRoute(HTTPRoute("GET /files/*")) { request in
      try await connect.answer().file(request, log: log)
    }
    for version in ["v1", "v2"] {
      await server.appendRoute(HTTPRoute("GET /\(version)/*")) { request in
        guard key.allows(request.headers[.authorization], isForReports: true) else {
          return Self.denied
        }
        return try await connect.answer().response(request, log: log)
      }
    }
    for environment in ["production", "sandbox"] {
      await server.appendRoute(HTTPRoute("GET /\(environment)/inApps/v2/history/*")) { request in
        try await history(request, environment)
      }
      await server.appendRoute(HTTPRoute("POST /\(environment)/inApps/v1/notifications/history")) {
        try await notifications($0, environment)
      }
    }
  }

  private func history(_ request: HTTPRequest, _ environment: String) async throws -> HTTPResponse {
    guard key.allows(request.headers[.authorization]) else { return Self.denied }
    let chain = request.path.split(separator: "/").last.map(String.init) ?? ""
    let revision = request.query["revision"]
    let attempt = await log.note(
      "\(environment) \(chain)" + (revision.map { " \($0)" } ?? ""))
    let answer = try HistoryAnswer(
      chain, revision: revision, environment: environment, attempt: attempt, signer: signer)
    if answer.delay > 0 { try await Task.sleep(for: .milliseconds(answer.delay)) }
    var headers: HTTPHeaders = [.contentType: "application/json"]
    if let after = answer.retryAfter { headers[HTTPHeader("Retry-After")] = after }
    guard !answer.isBroken else {
      let bytes = BrokenBytes(bytes: Array(answer.text.utf8), isDripping: false)
      return HTTPResponse(
        statusCode: .ok, headers: headers,
        body: HTTPBodySequence(from: bytes, count: answer.text.utf8.count))
    }
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: "Played"), headers: headers,
      body: Data(answer.text.utf8))
  }

  private func notifications(_ request: HTTPRequest, _ environment: String) async throws
    -> HTTPResponse
  {
    guard key.allows(request.headers[.authorization]) else { return Self.denied }
    let body = try await request.bodyData
    let token = request.query["paginationToken"]
    let attempt = await log.note(
      try NotificationAnswer.name(body, token: token, environment: environment))
    let answer = try NotificationAnswer(
      body, token: token, environment: environment, attempt: attempt, signer: signer)
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: "Played"),
      headers: [.contentType: "application/json"], body: Data(answer.text.utf8))
  }

  /// Apple's response to unknown callers, which is not JSON.
  private static let denied = HTTPResponse(
    statusCode: .unauthorized, body: Data("Unauthenticated\n\nRequest ID: PLAYED.0.0\n".utf8))
}
