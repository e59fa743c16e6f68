internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// Replaces Apple's services on this machine.
///
/// It is for tests of `paidline-validate` and `paidline-fetch`, and a separate process, so that
/// tests that wait for programs cannot block it. A receipt's text, such as `busy-2-17`, determines
/// the response (``Answer``), and so does a chain's number (``HistoryAnswer``). It prints its port,
/// then adds a line to a log for each request: `production busy-2-17`.
///
/// Usage: `FakeApple LOG [FOLDER]`. It writes the callers' key and the root of its signatures to
/// the folder.
@main
enum FakeApple {
  /// The secret that requests must have.
  static let secret = "0123456789abcdef0123456789abcdef"

  static func main() async throws {
    let log = try QuestionLog(path: CommandLine.arguments[1])
    let server = try HTTPServer(
      address: .inet(ip4: "127.0.0.1", port: 0), timeout: 60, logger: .disabled)
    for environment in ["production", "sandbox"] {
      await server.appendRoute(HTTPRoute("POST /\(environment)")) { request in
        try await respond(to: request, environment: environment, log: log)
      }
    }
    if CommandLine.arguments.count > 2 {
      let folder = URL(fileURLWithPath: CommandLine.arguments[2])
      try await PlayedStore(folder: folder, log: log).appendRoutes(to: server)
    }
    let parent = getppid()
    Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { return }
    FileHandle.standardOutput.write(Data("\(port)\n".utf8))
    // Several test suites use these processes and never stop them; each process ends with the
    // process that started it.
    while getppid() == parent { try await Task.sleep(for: .seconds(1)) }
  }

  private static func respond(to request: HTTPRequest, environment: String, log: QuestionLog)
    async throws -> HTTPResponse
  {
    let body = try await request.bodyData
    let question = try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
    let base64 = question["receipt-data"] as? String ?? ""
    let data = Data(base64Encoded: base64) ?? Data()
    // A signed container does not determine a response, so it gets `ok-1`.
    let receipt =
      data.allSatisfy { (0x20...0x7E).contains($0) }
      ? String(decoding: data, as: UTF8.self) : "ok-1"
    let attempt = await log.note("\(environment) \(receipt)")
    let password = question["password"] as? String
    let answer = Answer(
      receipt, environment: environment, attempt: attempt, password: password)
    if answer.delay > 0 { try await Task.sleep(for: .milliseconds(answer.delay)) }
    let text = Data(answer.text.utf8)
    var headers: HTTPHeaders = [.contentType: "application/json"]
    if let after = answer.retryAfter { headers[HTTPHeader("Retry-After")] = after }
    if answer.isBroken || answer.isDripping {
      let bytes = BrokenBytes(bytes: Array(text), isDripping: answer.isDripping)
      return HTTPResponse(
        statusCode: .ok, headers: headers,
        body: HTTPBodySequence(from: bytes, count: text.count))
    }
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: "Played"), headers: headers, body: text)
  }
}
