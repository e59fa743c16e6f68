internal import Foundation
internal import TestSupport
internal import Testing

/// A local replacement of the App Store Server API, and a shop whose pipeline uses it.
final class PlayedStore: Sendable {
  let shop: Shop
  private let process: Process
  private let port: String

  /// Starts the service, and writes a pipeline with its address and key.
  ///
  /// - Parameter more: Further keys of the section `fetch`, one per line.
  /// - Throws: The error of writing a file or of starting the process.
  init(_ more: String...) throws {
    shop = try Shop()
    let pipe = Pipe()
    process = try shop.start(
      "FakeApple", [shop.folder.path("asked.log"), shop.folder.path], output: pipe)
    let line = pipe.fileHandleForReading.availableData
    port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    try writePipeline(more)
  }

  /// The address of the service.
  var address: String { "http://127.0.0.1:\(port)" }

  deinit { process.terminate() }

  /// Writes the pipeline; additional keys of `fetch` replace equal keys.
  func writePipeline(_ more: [String], address: String? = nil) throws {
    let address = address ?? "http://127.0.0.1:\(port)"
    let keys = [
      "issuer_id: 57246542-96fe-1a63-e053-0824d011072a", "key_id: 2X9R4HXF34",
      "private_key_file: AuthKey.p8", "bundle_id: com.example.shop",
      "output: signed/history-{date}-{run}.ndjson.gz",
      "notifications_output: signed/notifications-{date}-{run}.ndjson.gz",
      "production_url: \(address)/production", "sandbox_url: \(address)/sandbox",
      "requests_per_second: 10000", "first_wait_milliseconds: 1",
    ]
    let given = Set(more.map { $0.prefix { $0 != ":" } })
    let lines = keys.filter { !given.contains($0.prefix { $0 != ":" }) } + more
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: ["in/*.ndjson.gz"]
      customer_key_file: customer.key
      fetch:
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      """)
  }

  /// Writes a list of chains.
  func list(_ chains: [String]) throws {
    try shop.folder.write("chains", chains.map { $0 + "\n" }.joined())
  }

  /// Fetches the notifications of all environments.
  func fetch(_ arguments: String...) throws -> Ending {
    try shop.run(
      "paidline-fetch", arguments: ["history", shop.pipeline, "--chains", "chains"] + arguments)
  }

  /// Fetches notifications.
  func fetchNotifications(_ arguments: String...) throws -> Ending {
    try shop.run("paidline-fetch", arguments: ["notifications", shop.pipeline] + arguments)
  }

  /// The requests so far, such as `production 1001000001`, in the order of arrival.
  func asked() throws -> [String] {
    String(decoding: try shop.folder.bytes("asked.log"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// The names of the exports; unfinished exports have hidden names.
  func exports() throws -> [String] {
    shop.folder.has("signed")
      ? try shop.folder.names("signed").filter { !$0.hasPrefix(".") }.sorted() : []
  }

  /// The ids of the transactions in all exports of a kind, in the order of the exports.
  func transactions(in kind: String = "history") throws -> [String] {
    var ids: [String] = []
    for name in try exports() where name.hasPrefix(kind) {
      let text = gunzip(try shop.folder.bytes("signed/\(name)"))
      for line in text.split(separator: UInt8(ascii: "\n")) {
        let record = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        #expect(Set(record?.keys.map(\.self) ?? []) == ["received_at", "response"])
        let response = try #require(record?["response"] as? [String: Any])
        for token in response["signedTransactions"] as? [String] ?? [] {
          ids.append(try #require(try Self.payload(token)["transactionId"] as? String))
        }
        for item in response["notificationHistory"] as? [[String: Any]] ?? [] {
          let outer = try Self.payload(try #require(item["signedPayload"] as? String))
          let data = try #require(outer["data"] as? [String: Any])
          let inner = try Self.payload(try #require(data["signedTransactionInfo"] as? String))
          ids.append(try #require(inner["transactionId"] as? String))
        }
      }
    }
    return ids
  }

  private static func payload(_ token: String) throws -> [String: Any] {
    let parts = token.split(separator: ".")
    let base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    let data = try #require(Data(base64Encoded: base64 + padding))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }
}
