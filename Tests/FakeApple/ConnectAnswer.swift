internal import FlyingFox
internal import Foundation

/// The responses of App Store Connect about apps, products and prices, from a file that the test
/// writes.
///
/// In `connect.json`, `lists` has the resources of each path, and `included` has the other
/// resources by `type/id`. `faults` has the first responses for a path: `429`, `500`, `cut` or
/// `html`. A relationship is present only if the request includes it. A page has at most `page`
/// resources; the address of the next page is absolute at first, then relative. `files` has the
/// texts behind addresses that need no key.
struct ConnectAnswer: @unchecked Sendable {
  private let lists: [String: Any]
  private let included: [String: Any]
  private let faults: [String: [String]]
  private let files: [String: String]
  private let pageSize: Int

  init(_ file: URL) throws {
    let members = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    lists = members?["lists"] as? [String: Any] ?? [:]
    included = members?["included"] as? [String: Any] ?? [:]
    faults = members?["faults"] as? [String: [String]] ?? [:]
    files = members?["files"] as? [String: String] ?? [:]
    pageSize = members?["page"] as? Int ?? 200
  }

  /// The response to a request.
  func response(_ request: HTTPRequest, log: QuestionLog) async throws -> HTTPResponse {
    let cursor = request.query["cursor"]
    let attempt = await log.note(
      "connect \(request.path)" + (cursor.map { " \($0)" } ?? "")
        + (request.path == "/v1/apps" ? " \(request.query["filter[bundleId]"] ?? "")" : ""))
    let fault = faults[request.path].flatMap { $0.count >= attempt ? $0[attempt - 1] : nil }
    if let status = fault.flatMap({ Int($0) }) {
      return Self.error(status, "RATE_LIMIT_EXCEEDED")
    }
    if fault == "html" { return HTTPResponse(statusCode: .ok, body: Data("<html>".utf8)) }
    guard let content = lists[request.path] else { return Self.error(404, "NOT_FOUND") }
    let page = self.page(content, request, from: cursor.flatMap { Int($0) } ?? 0)
    let body = try JSONSerialization.data(withJSONObject: page, options: [.sortedKeys])
    guard fault != "cut" else {
      let bytes = BrokenBytes(bytes: Array(body), isDripping: false)
      return HTTPResponse(
        statusCode: .ok, headers: [:], body: HTTPBodySequence(from: bytes, count: body.count))
    }
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json"], body: body)
  }

  /// The response to a request for a file; a request with a key is an error of the caller.
  func file(_ request: HTTPRequest, log: QuestionLog) async -> HTTPResponse {
    _ = await log.note("file \(request.path)")
    guard request.headers[.authorization] == nil else { return Self.error(400, "KEY_IN_REQUEST") }
    guard let text = files[request.path] else { return Self.error(403, "ADDRESS_EXPIRED") }
    return HTTPResponse(statusCode: .ok, body: Data(text.utf8))
  }

  /// The response to a request for daily reports of an app.
  static func created(_ request: HTTPRequest, log: QuestionLog) async throws -> HTTPResponse {
    let body = try JSONSerialization.jsonObject(with: try await request.bodyData) as? [String: Any]
    let data = body?["data"] as? [String: Any]
    let access = (data?["attributes"] as? [String: String])?["accessType"] ?? ""
    let app = (data?["relationships"] as? [String: [String: [String: String]]])?["app"]?["data"]
    _ = await log.note("create \(request.path) \(access) \(app?["id"] ?? "")")
    return HTTPResponse(
      statusCode: .created, headers: [.contentType: "application/json"],
      body: Data("{\"data\":{\"type\":\"analyticsReportRequests\",\"id\":\"new\"}}".utf8))
  }

  private func page(_ content: Any, _ request: HTTPRequest, from start: Int) -> [String: Any] {
    let names = Set((request.query["include"] ?? "").split(separator: ",").map(String.init))
    guard var all = content as? [[String: Any]] else {
      return ["data": content, "links": ["self": request.path]]
    }
    if request.path == "/v1/apps" {
      all = all.filter {
        let app = ($0["attributes"] as? [String: Any])?["bundleId"] as? String ?? ""
        return app.hasPrefix(request.query["filter[bundleId]"] ?? "")
      }
    }
    let size = min(pageSize, Int(request.query["limit"] ?? "") ?? 50, 200)
    let rows = all.dropFirst(start).prefix(size)
    var references: Set<String> = []
    let data = rows.map { row in
      var row = row
      let named = (row["relationships"] as? [String: [String: [String: String]]] ?? [:])
        .filter { names.contains($0.key) }
      row["relationships"] = named
      for case let reference? in named.values.map({ $0["data"] }) {
        references.insert("\(reference["type"] ?? "")/\(reference["id"] ?? "")")
      }
      return row
    }
    var links = ["self": request.path]
    if start + rows.count < all.count {
      let others = request.query.filter { $0.name != "cursor" }.map { "\($0.name)=\($0.value)" }
      let target = "\(request.path)?cursor=\(start + rows.count)&" + others.joined(separator: "&")
      let escaped =
        target.addingPercentEncoding(
          withAllowedCharacters: .urlQueryAllowed.subtracting(["[", "]"])) ?? target
      links["next"] = start == 0 ? "https://api.appstoreconnect.apple.com\(escaped)" : escaped
    }
    return [
      "data": Array(data), "included": references.sorted().compactMap { included[$0] },
      "links": links,
    ]
  }

  private static func error(_ status: Int, _ code: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: "Played"),
      headers: [.contentType: "application/json"],
      body: Data("{\"errors\":[{\"status\":\"\(status)\",\"code\":\"\(code)\"}]}".utf8))
  }
}

/// The file of responses; it is read again after a test has rewritten it.
actor ConnectFile {
  private let url: URL
  private var known: (writtenAt: Date, answer: ConnectAnswer)?

  init(_ url: URL) { self.url = url }

  /// The current responses in the file.
  func answer() throws -> ConnectAnswer {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    let writtenAt = attributes[.modificationDate] as? Date ?? .distantPast
    if let known, known.writtenAt == writtenAt { return known.answer }
    let answer = try ConnectAnswer(url)
    known = (writtenAt, answer)
    return answer
  }
}
