internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// Plays Apple's validation services on this machine for the tests of `paidline-validate`.
///
/// A process of its own, so that tests that wait for programs cannot starve it. A receipt's text,
/// such as `busy-2-17`, says how it is to be answered (``Answer``). Prints its port, then writes a
/// line into a log for each question: `production busy-2-17`.
@main
enum FakeApple {
  /// The secret that questions must carry.
  static let secret = "0123456789abcdef0123456789abcdef"

  static func main() async throws {
    let log = try Log(path: CommandLine.arguments[1])
    let server = try HTTPServer(
      address: .inet(ip4: "127.0.0.1", port: 0), timeout: 60, logger: .disabled)
    for environment in ["production", "sandbox"] {
      await server.appendRoute(HTTPRoute("POST /\(environment)")) { request in
        try await respond(to: request, environment: environment, log: log)
      }
    }
    let parent = getppid()
    Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { return }
    FileHandle.standardOutput.write(Data("\(port)\n".utf8))
    // Suites share such processes and never end them: none outlives the tests.
    while getppid() == parent { try await Task.sleep(for: .seconds(1)) }
  }

  private static func respond(to request: HTTPRequest, environment: String, log: Log)
    async throws -> HTTPResponse
  {
    let body = try await request.bodyData
    let question = try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
    let base64 = question["receipt-data"] as? String ?? ""
    let data = Data(base64Encoded: base64) ?? Data()
    // A signed container says nothing about how to answer.
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

/// Counts and writes down the questions.
private actor Log {
  private let file: FileHandle
  private var attempts: [String: Int] = [:]

  init(path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Writes a question down, and tells how often it was asked, from 1.
  func note(_ question: String) -> Int {
    file.write(Data((question + "\n").utf8))
    attempts[question, default: 0] += 1
    return attempts[question] ?? 0
  }
}

/// A body that ends in the middle, or comes in byte by byte.
private struct BrokenBytes: AsyncBufferedSequence {
  typealias Element = UInt8
  let bytes: [UInt8]
  let isDripping: Bool

  func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes[...], isDripping: isDripping) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var bytes: ArraySlice<UInt8>
    let isDripping: Bool

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      guard isDripping else {
        guard bytes.count > 20 else { throw CancellationError() }
        defer { bytes = [] }
        return bytes.prefix(20)
      }
      try await Task.sleep(for: .milliseconds(200))
      defer { bytes = bytes.dropFirst() }
      return bytes.prefix(1)
    }
  }
}
