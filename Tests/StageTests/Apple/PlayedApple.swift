internal import Foundation
internal import TestSupport
internal import Testing

/// A local replacement of Apple's services, and a shop whose pipeline uses it.
final class PlayedApple: Sendable {
  /// The secret that must not be in any output, log or file.
  static let secret = "0123456789abcdef0123456789abcdef"

  let shop: Shop
  private let process: Process
  private let port: String

  /// Starts the services, and writes a pipeline with their address.
  ///
  /// - Parameter more: Further keys of the section `validate`, one per line.
  /// - Throws: The error of writing a file or of starting the process.
  init(_ more: String...) throws {
    shop = try Shop()
    let pipe = Pipe()
    process = try shop.start("FakeApple", [shop.folder.path("asked.log")], output: pipe)
    let line = pipe.fileHandleForReading.availableData
    port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    try shop.folder.write("secret", Self.secret + "\n")
    _ = unsafe chmod(shop.folder.path("secret"), 0o600)
    try writePipeline(more)
  }

  deinit { process.terminate() }

  /// Writes the pipeline; additional keys of `validate` replace equal keys.
  func writePipeline(_ more: [String], address: String? = nil) throws {
    let address = address ?? "http://127.0.0.1:\(port)"
    let keys = [
      "receipts: [\"raw/*.ndjson*\"]", "output: in/validated-{date}-{run}.ndjson.gz",
      "production_url: \(address)/production", "sandbox_url: \(address)/sandbox",
      "requests_per_second: 10000", "first_wait_milliseconds: 1",
    ]
    let given = Set(more.map { $0.prefix { $0 != ":" } })
    let secret = given.contains("shared_secret_file") ? [] : ["shared_secret_file: secret"]
    let lines = keys.filter { !given.contains($0.prefix { $0 != ":" }) } + secret + more
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: ["in/*.ndjson.gz"]
      customer_key_file: customer.key
      validate:
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      """)
  }

  /// Writes raw receipts; the name of each determines the response of the services.
  func write(_ receipts: [String], file: String = "raw/a.ndjson.gz") throws {
    let lines = receipts.map { receipt in
      """
      {"customer_id":"c-\(receipt)","receipt":"\(Data(receipt.utf8).base64EncodedString())"}

      """
    }
    try shop.folder.write(file, bytes: gzip(lines.joined()))
  }

  /// Runs `paidline-validate`, and checks that the secret is in no output.
  func validate(_ arguments: String...) throws -> Ending {
    let name = UUID().uuidString
    for end in ["out", "err"] {
      _ = FileManager.default.createFile(atPath: shop.folder.path("\(name).\(end)"), contents: nil)
    }
    let process = try start(
      arguments, output: try Shop.writing(shop.folder.path("\(name).out")),
      errors: try Shop.writing(shop.folder.path("\(name).err")))
    process.waitUntilExit()
    let ending = Ending(
      status: process.terminationStatus,
      output: String(decoding: try shop.folder.bytes("\(name).out"), as: UTF8.self),
      errors: String(decoding: try shop.folder.bytes("\(name).err"), as: UTF8.self))
    #expect(!(ending.output + ending.errors).contains(Self.secret))
    return ending
  }

  /// Starts `paidline-validate`.
  func start(_ arguments: [String], output: Any? = nil, errors: Any? = nil) throws -> Process {
    try shop.start(
      "paidline-validate", [shop.pipeline] + arguments, output: output, errors: errors)
  }

  /// The requests so far, such as `production ok-1`, in the order of arrival.
  func asked() throws -> [String] {
    String(decoding: try shop.folder.bytes("asked.log"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// The names of the exports.
  func exports() throws -> [String] { shop.folder.has("in") ? try shop.folder.names("in") : [] }

  /// The records of all exports, keyed by customer.
  func records() throws -> [String: [String: Any]] {
    var records: [String: [String: Any]] = [:]
    for name in try exports() {
      let text = gunzip(try shop.folder.bytes("in/\(name)"))
      for line in text.split(separator: UInt8(ascii: "\n")) {
        let record = try #require(
          try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let customer = try #require(record["customer_id"] as? String)
        #expect(records[customer] == nil, "\(customer) is exported twice")
        records[customer] = record
      }
    }
    return records
  }

  /// The statuses of the exported responses, keyed by receipt.
  func statuses() throws -> [String: Int] {
    var statuses: [String: Int] = [:]
    for (customer, record) in try records() {
      let response = record["response"] as? [String: Any]
      statuses[String(customer.dropFirst(2))] = response?["status"] as? Int
    }
    return statuses
  }
}
