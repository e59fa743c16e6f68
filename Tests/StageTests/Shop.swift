internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The result of a program: exit status, output and errors.
struct Ending: Hashable {
  var status: Int32
  var output: String
  var errors: String
}

/// A folder with a pipeline and tiny exports, and the real executables that run on it.
final class Shop: Sendable {
  let folder: TemporaryFolder

  /// Creates a shop without exports; all its files are below its folder.
  ///
  /// `inputs` are further lines of the section `inputs`, and `more` are further sections.
  init(
    gates: String = "{}", receipts: String = "in/*.ndjson*", inputs: [String] = [],
    more: String = ""
  ) throws {
    folder = try TemporaryFolder()
    try folder.write("customer.key", String(repeating: "k", count: 32))
    try folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: ["\(receipts)"]
      \(inputs.map { "  \($0)\n" }.joined())customer_key_file: customer.key
      gates: \(gates)
      \(more)
      """)
  }

  /// Creates a shop whose owner has a hosted service's export, but no receipts.
  ///
  /// `export` is an entry of `inputs.exports`, and `inputs` are further lines of that section.
  convenience init(export: String, inputs: [String] = []) throws {
    try self.init()
    try folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      customer_key_file: customer.key
      inputs:
        exports: [\(export)]
      \(inputs.map { "  \($0)\n" }.joined())
      """)
  }

  /// The folder of the executables, which is also the folder of the tests.
  static let executables: URL = {
    let test = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return test.deletingLastPathComponent()
  }()

  /// The argument for the path of the shop's pipeline.
  var pipeline: String { "pipeline.yaml" }

  /// Starts a program in the shop's folder; the arguments determine its input, output and errors.
  func start(
    _ program: String = "paidline", _ arguments: [String], input: Any? = nil, output: Any? = nil,
    errors: Any? = nil, environment: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL =
      program.hasPrefix("/")
      ? URL(fileURLWithPath: program) : Self.executables.appendingPathComponent(program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
      .merging(sanitizers) { $1 }.merging(environment) { $1 }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = errors ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Opens a file for writing.
  static func writing(_ path: String) throws -> FileHandle {
    let handle: FileHandle? = FileHandle(forWritingAtPath: path)
    return try #require(handle)
  }

  /// Opens a file for reading.
  static func reading(_ path: String) throws -> FileHandle {
    let handle: FileHandle? = FileHandle(forReadingAtPath: path)
    return try #require(handle)
  }

  /// Runs a program and returns its result.
  func run(_ program: String = "paidline", _ arguments: String..., input: Any? = nil) throws
    -> Ending
  {
    try run(program, arguments: arguments, input: input)
  }

  /// Runs a program with a list of arguments and returns its result.
  func run(
    _ program: String = "paidline", arguments: [String], input: Any? = nil,
    environment: [String: String] = [:]
  ) throws -> Ending {
    let name = UUID().uuidString
    let output = folder.path(".\(name).out")
    let errors = folder.path(".\(name).err")
    for path in [output, errors] {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    let process = try start(
      program, arguments, input: input, output: try Shop.writing(output),
      errors: try Shop.writing(errors), environment: environment)
    process.waitUntilExit()
    defer { for path in [output, errors] { try? FileManager.default.removeItem(atPath: path) } }
    return Ending(
      status: process.terminationStatus,
      output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try Self.messages(errors))
  }

  /// The messages of a program, without the times that begin the lines of a log file.
  static func messages(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
      .replacing(#/(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (?=paidline)/#, with: "")
  }

  /// The rows of a query over the warehouse, columns joined by `|`.
  func rows(_ sql: String, in warehouse: String = "out/warehouse.db") throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)  // Two that open it at once wait for each other.
    let queue = try DatabaseQueue(
      path: folder.path(warehouse), configuration: configuration)
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues
          .map { $0.isNull ? "NULL" : String.fromDatabaseValue($0) ?? $0.description }
          .joined(separator: "|")
      }
    }
  }

  /// Changes the warehouse directly, without the program.
  func change(_ sql: String) throws {
    try DatabaseQueue(path: folder.path("out/warehouse.db")).write { try $0.execute(sql: sql) }
  }

  /// The hash of the published facts.
  func contentHash() throws -> String? {
    try rows("SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1").first
  }
}

/// Lines of exports.
enum Export {
  /// A record with one monthly purchase, and the price that the app reported with it.
  static func purchase(
    _ id: Int, day: String, customer: String = "c-1", price: String? = "9.99",
    original: Int? = nil, trial: Bool = false
  ) -> String {
    let report =
      price.map {
        """
        "price_report":{"transaction_id":"\(id)","product_id":"pro","currency":"USD",\
        "price":"\($0)","reported_at":"\(day)T10:00:05Z"},
        """
      } ?? ""
    return """
      {"received_at":"\(day)T10:00:10Z","customer_id":"\(customer)","storefront":"USA",\
      \(report.replacingOccurrences(of: "\n", with: ""))"response":{"status":0,\
      "environment":"Production","receipt":{"bundle_id":"com.example","in_app":[]},\
      "latest_receipt_info":[{"transaction_id":"\(id)",\
      "original_transaction_id":"\(original ?? id)","web_order_line_item_id":"\(id + 5_000_000)",\
      "product_id":"pro","purchase_date":"\(day) 10:00:00 Etc/GMT",\
      "expires_date":"\(month(after: day)) 10:00:00 Etc/GMT","is_trial_period":"\(trial)",\
      "is_in_intro_offer_period":"false","quantity":"1"}]}}

      """
  }

  /// The same day of the next month, for days up to the 28th of a month before December.
  private static func month(after day: String) -> String {
    let month = Int(day.dropFirst(5).prefix(2)) ?? 0
    return day.prefix(5) + (month < 9 ? "0" : "") + "\(month + 1)" + day.suffix(3)
  }
}
