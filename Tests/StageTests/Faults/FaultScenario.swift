internal import Foundation
internal import TestSupport
internal import Testing

/// A command that writes, and the folder on which it runs.
///
/// Each attempt at the command gets a copy of the folder.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  var name: String
  let shop: Shop
  /// The command that gets a fault: a program and its arguments.
  var command: [String]
  /// The commands that the operator runs next, until all work is done.
  var remedy: [[String]]
  /// Statuses of `paidline status` that are valid while a database is missing, in addition to 0.
  var unread: Set<Int32>
  /// A text that no file of the program may contain at the end; `nil` for none.
  var canary: String?
  /// The local replacement of Apple's services, kept until the scenario ends; `nil` if not needed.
  var apple: PlayedApple?

  var testDescription: String { name }

  private static let run = ["paidline", "run", "pipeline.yaml"]
  static let canary = "canary-0815"

  private init(
    _ name: String, _ shop: Shop, _ command: [String], then more: [[String]] = [],
    unread: Set<Int32> = []
  ) {
    self.name = name
    self.shop = shop
    self.command = command
    remedy = [command] + more
    self.unread = unread
  }

  /// A row of a service's export, for a customer who is in no receipt.
  private static func row(_ id: Int, _ day: String, until end: String) -> String {
    "dan,pro,\(id),1501,\(day) 10:00:00,\(end) 10:00:00,app_store,USD,9.99\n"
  }

  private static let header =
    "rc_original_app_user_id,product_identifier,store_transaction_id,"
    + "original_store_transaction_id,start_time,end_time,store,purchased_currency,"
    + "purchase_price_in_purchased_currency\n"

  /// A shop with two nights of receipts and of a service's export, and the given number of
  /// published runs.
  private static func shop(runs: Int, gates: String = "{volume_drop: off}") throws -> Shop {
    let shop = try Shop(
      gates: gates, receipts: "in/receipts-{date}.ndjson",
      inputs: [#"exports: [{files: "rc/{date}.csv", format: revenuecat_export}]"#],
      more: "metrics: out/shop.prom\nreport: out/report.html")
    try shop.folder.write(
      "in/receipts-2021-01-05.ndjson",
      Export.purchase(1001, day: "2021-01-05", customer: canary)
        + Export.purchase(1002, day: "2021-01-05", customer: "c-2"))
    try shop.folder.write(
      "rc/2021-01-05.csv", header + row(1501, "2021-01-05", until: "2021-02-05"))
    if runs > 0 { try #require(try shop.run(arguments: ["run", "pipeline.yaml"]).status == 0) }
    try shop.folder.write(
      "in/receipts-2021-02-05.ndjson",
      Export.purchase(1003, day: "2021-02-05", customer: canary, price: nil, original: 1001))
    try shop.folder.write(
      "rc/2021-02-05.csv", header + row(1502, "2021-02-05", until: "2021-03-05"))
    if runs > 1 { try #require(try shop.run(arguments: ["run", "pipeline.yaml"]).status == 0) }
    return shop
  }

  /// All scenarios, in a fixed order.
  static let all: Result<[FaultScenario], any Error> = Result { try make() }

  private static func make() throws -> [FaultScenario] {
    let dated = ["--from", "2021-01-01", "--through", "2021-12-31", "--step-bytes", "1"]
    var scenarios = [
      FaultScenario("first run", try shop(runs: 0), run, unread: [66]),
      FaultScenario("later run", try shop(runs: 1), run),
      FaultScenario(
        "backfill", try shop(runs: 1), ["paidline", "backfill", "pipeline.yaml"] + dated),
      FaultScenario("full refresh", try shop(runs: 2), run + ["--full-refresh"]),
      try admission(), try replacement(), try rebuild(), try erasure(), try forgetting(),
      try validation(), try answersErasure(),
    ]
    let export = ["--format", "csv", "--output", "tables", "--table", "fct_revenue"]
    scenarios.append(
      FaultScenario(
        "export", try shop(runs: 2), ["paidline", "export", "pipeline.yaml"] + export))
    return scenarios
  }

  /// An operator admits held files.
  private static func admission() throws -> FaultScenario {
    let shop = try shop(
      runs: 1, gates: "{volume_drop: off, rejected_share: {share: 0.1, at_least: 1}}")
    try shop.folder.write("in/receipts-2021-03-05.ndjson", "no JSON\n{}\n")
    try #require(try shop.run(arguments: ["run", "pipeline.yaml"]).status == 65)
    return FaultScenario("admission", shop, run + ["--accept=rejected_share,no_usable_record"])
  }

  /// A refused file is replaced by a valid file with the same name.
  private static func replacement() throws -> FaultScenario {
    let shop = try shop(runs: 1)
    try shop.folder.write("in/receipts-2021-03-05.ndjson", "PK\u{3}\u{4}\u{14}\0")
    try #require(try shop.run(arguments: ["run", "pipeline.yaml"]).status == 65)
    try shop.folder.write(
      "in/receipts-2021-03-05.ndjson", Export.purchase(1004, day: "2021-03-05", original: 1001))
    return FaultScenario("replacement", shop, run)
  }

  /// state.db is lost; the warehouse remains.
  private static func rebuild() throws -> FaultScenario {
    let shop = try shop(runs: 1)
    // The list of erased customers has one entry.
    try shop.folder.write("ids.txt", canary + "\n")
    let erase = ["erase", "pipeline.yaml", "--customer-id-file", "ids.txt"]
    try #require(try shop.run(arguments: erase).status == 0)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: shop.folder.path("var/state.db" + suffix))
    }
    var scenario = FaultScenario("rebuild", shop, run, unread: [66])
    scenario.canary = canary
    return scenario
  }

  private static func erasure() throws -> FaultScenario {
    let shop = try shop(runs: 2)
    try shop.folder.write("ids.txt", canary + "\n")
    var scenario = FaultScenario(
      "erasure", shop, ["paidline", "erase", "pipeline.yaml", "--customer-id-file", "ids.txt"])
    scenario.canary = canary
    return scenario
  }

  /// Customers in stored responses and in an export of `paidline-validate` are erased.
  private static func answersErasure() throws -> FaultScenario {
    var scenario = try validation()
    let shop = scenario.shop
    func validate(_ more: String...) throws -> Int32 {
      try shop.run("paidline-validate", arguments: ["pipeline.yaml"] + more).status
    }
    try #require(try validate() == 0)
    // A second export cannot be moved to its folder, so its responses stay stored.
    try FileManager.default.moveItem(
      atPath: shop.folder.path("in"), toPath: shop.folder.path("aside"))
    try shop.folder.write("in", "")
    try shop.folder.write("raw/b.ndjson", raw(["ok-1004"]))
    try #require(try validate() == 73)
    try FileManager.default.removeItem(atPath: shop.folder.path("in"))
    try FileManager.default.moveItem(
      atPath: shop.folder.path("aside"), toPath: shop.folder.path("in"))
    try shop.folder.write("ids.txt", "c-ok-1001\nc-ok-1002\nc-ok-1004\n")
    scenario.name = "erasure of answers"
    let command = ["paidline", "erase", "pipeline.yaml", "--customer-id-file", "ids.txt"]
    scenario.command = command
    scenario.remedy = [command, ["paidline-validate", "pipeline.yaml"], run]
    scenario.unread = [66]
    scenario.canary = "c-ok-100"
    return scenario
  }

  private static func forgetting() throws -> FaultScenario {
    let shop = try shop(runs: 2)
    try shop.folder.write(
      "in/receipts-2021-03-05.ndjson",
      Export.purchase(1009, day: "2021-03-05", customer: "forgotten-0815"))
    try #require(try shop.run(arguments: ["run", "pipeline.yaml"]).status == 0)
    let hash = try #require(
      try shop.rows("SELECT sha256 FROM audit_file WHERE name LIKE '%2021-03-05%'").first)
    var scenario = FaultScenario(
      "forgetting", shop, ["paidline", "forget", "pipeline.yaml", "--file", hash], then: [run])
    scenario.canary = "forgotten-0815"
    return scenario
  }

  /// Raw receipts, each of a different customer.
  private static func raw(_ receipts: [String]) -> String {
    receipts.map { receipt in
      """
      {"received_at":"2021-03-01T00:00:00Z","customer_id":"c-\(receipt)",\
      "receipt":"\(Data(receipt.utf8).base64EncodedString())"}

      """
    }.joined()
  }

  private static func validation() throws -> FaultScenario {
    let apple = try PlayedApple("concurrency: 1")
    try apple.shop.folder.write("raw/a.ndjson", raw(["ok-1001", "status-21003-2", "ok-1002"]))
    var scenario = FaultScenario(
      "validation", apple.shop, ["paidline-validate", "pipeline.yaml"], then: [run],
      unread: [66])
    scenario.apple = apple
    return scenario
  }
}
