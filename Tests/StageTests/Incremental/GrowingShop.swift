internal import CivilTime
internal import Foundation
internal import GRDB
internal import SampleStore
internal import TestSupport
internal import Testing

/// A shop that receives the exports of a synthetic store in portions, in any order.
///
/// The records of an ordinary store arrive one by one. A store with Apple's reports delivers whole
/// files, because the days of its exports decide what is compared with the reports.
struct GrowingShop {
  /// A part of an export that arrives as a whole: a line of a file, or a file with its name.
  private struct Item: Sendable {
    var folder: String
    var name: String?
    var bytes: [UInt8]
  }

  private(set) var shop: Shop
  private let accompanyingFiles: [SampleFile]
  private var waiting: [Item] = []
  private var exported: [Item] = []
  private var number = 0
  private var policy = "history"
  private var erased: [String] = []

  /// Creates an empty shop for the exports of a store; nothing has arrived yet.
  init(_ store: some SyntheticStore) throws {
    accompanyingFiles = store.accompanyingFiles().filter { !$0.name.hasPrefix("truth") }
    shop = try Self.shop(accompanyingFiles, policy: policy)
    let isByFile = store is AppleReportStore
    for number in 0..<store.exportCount {
      let file = try store.export(number)
      let folder = String(file.name.prefix { $0 != "/" })
      if isByFile {
        waiting.append(Item(folder: folder, name: file.name, bytes: file.bytes))
      } else {
        waiting += gunzip(file.bytes).split(separator: UInt8(ascii: "\n")).map {
          Item(folder: folder, name: nil, bytes: Array($0))
        }
      }
    }
  }

  /// Copies the shop with all its files.
  func copy() throws -> GrowingShop {
    var copy = self
    copy.shop = try ShopBeforeRun.copy(of: shop)
    return copy
  }

  private static func shop(_ files: [SampleFile], policy: String) throws -> Shop {
    let shop = try Shop()
    for file in files { try shop.folder.write(file.name, bytes: file.bytes) }
    try writePipeline(to: shop, files, policy: policy)
    return shop
  }

  private static func writePipeline(to shop: Shop, _ files: [SampleFile], policy: String) throws {
    let file = try #require(files.first { $0.name == "pipeline.yaml" })
    try shop.folder.write(
      "pipeline.yaml",
      String(decoding: file.bytes, as: UTF8.self)
        .replacing("var/warehouse.db", with: "out/warehouse.db")
        .replacing(/renewal_prices: .*/, with: "renewal_prices: \(policy)")
        .replacing(/gates: .*\n/, with: "") + """
          customer_key_file: customer.key
          gates: {rejected_share: off, no_usable_record: off, volume_drop: off, empty_file: off, \
          missing_export_day: off}

          """)
  }

  // MARK: - Events

  /// Changes rows of state.db directly.
  func changeState(_ sql: String) throws {
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { try $0.execute(sql: sql) }
  }

  /// Removes state.db, so that all files are read again.
  func loseState() throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: shop.folder.path("var/state.db" + suffix))
    }
  }

  /// Changes the renewal policy, on which amounts depend.
  mutating func setPolicy(_ policy: String) throws {
    self.policy = policy
    try Self.writePipeline(to: shop, accompanyingFiles, policy: policy)
  }

  /// Runs with some more records; a simulated power failure may end the run.
  mutating func kill(at boundary: Int, of count: Int) throws {
    try export(count)
    _ = try shop.run(
      "paidline", arguments: ["run", shop.pipeline],
      environment: ["PAIDLINE_FAILPOINT": "kill:\(boundary):\(shop.folder.path("boundaries"))"])
    try? FileManager.default.removeItem(atPath: shop.folder.path("boundaries"))
  }

  /// Erases one of the customers in the exports so far.
  mutating func erase(using random: inout SeededGenerator) throws {
    let item = try #require(exported.randomElement(using: &random))
    let bytes = item.name == nil ? item.bytes : gunzip(item.bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    guard let found = text.firstMatch(of: /"customer_id":"([^"]+)"/) else { return }
    erased.append(String(found.1))
    try Self.erase(erased, in: shop)
  }

  private static func erase(_ ids: [String], in shop: Shop) throws {
    try shop.folder.write("ids.txt", ids.joined(separator: "\n") + "\n")
    let ending = try shop.run("paidline", "erase", shop.pipeline, "--customer-id-file", "ids.txt")
    try #require(ending.status == 0, "\(ending.errors)")
  }

  // MARK: - Runs

  /// The number of records or files that have not arrived yet.
  var waitingCount: Int { waiting.count }

  /// Lets the exports arrive in random order; without it they arrive in the order of the store.
  mutating func shuffle(using random: inout SeededGenerator) { waiting.shuffle(using: &random) }

  /// Runs for the first time, with everything except a number of items, which may be of one folder.
  mutating func begin(leaving count: Int, ofFolder folder: String? = nil) throws {
    waiting = waiting.filter { $0.folder != folder } + waiting.filter { $0.folder == folder }
    // A pattern that matches no file is an error, so the first run has a file of each folder.
    for folder in Set(waiting.map(\.folder)).sorted() {
      guard let first = waiting.firstIndex(where: { $0.folder == folder }) else { continue }
      waiting.insert(waiting.remove(at: first), at: 0)
    }
    _ = try run(of: waiting.count - count)
  }

  /// Runs with a number of further items, and returns the messages of the run.
  mutating func run(of count: Int, _ more: String...) throws -> String {
    try export(count)
    let ending = try shop.run(
      "paidline", arguments: ["run", shop.pipeline, "--log-level", "info"] + more)
    try #require(ending.status == 0, "\(ending.errors)")
    return ending.errors
  }

  /// Reads a number of further items by a backfill of all days, in steps of some bytes.
  mutating func backfill(of count: Int, stepBytes: Int) throws {
    try export(count)
    let ending = try shop.run(
      "paidline", "backfill", shop.pipeline, "--from", "2000-01-01", "--through", "2049-12-31",
      "--step-bytes", "\(stepBytes)")
    try #require(ending.status == 0, "\(ending.errors)")
  }

  /// Runs with one path of changes interrupted; the run may fail.
  mutating func attempt(_ count: Int, injecting fault: String) throws -> Ending {
    try export(count)
    return try shop.run(
      "paidline", arguments: ["run", shop.pipeline, "--audit-slice", "100"],
      environment: ["PAIDLINE_TEST_FAULT": fault])
  }

  private mutating func export(_ count: Int) throws {
    let items = waiting.prefix(count)
    number += 1
    try write(items, to: shop, day: number)
    exported += items
    waiting.removeFirst(items.count)
  }

  private func write(_ items: some Collection<Item>, to shop: Shop, day: Int) throws {
    let date = CivilDay(daysSinceEpoch: 18_000 + Int64(day)).text
    for (folder, items) in Dictionary(grouping: items, by: \.folder) {
      let lines = items.filter { $0.name == nil }.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
      if !lines.isEmpty {
        try shop.folder.write("\(folder)/\(folder)-\(date).ndjson.gz", bytes: gzip(lines))
      }
      for item in items {
        if let name = item.name { try shop.folder.write(name, bytes: item.bytes) }
      }
    }
  }

  // MARK: - Facts

  /// The digest of the published facts, the results of the data tests that warn, and what is
  /// compared with Apple's reports.
  func published() throws -> [String] { try Self.published(in: shop) }

  /// The same values after a single run over all exports so far.
  func publishedByOneRun() throws -> [String] {
    let other = try Self.shop(accompanyingFiles, policy: policy)
    try write(exported, to: other, day: 1)
    let ending = try other.run("paidline", "run", "-q")
    try #require(ending.status == 0, "\(ending.errors)")
    if !erased.isEmpty { try Self.erase(erased, in: other) }
    return try Self.published(in: other)
  }

  private static func published(in shop: Shop) throws -> [String] {
    try [
      "SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1",
      """
      SELECT test || ' ' || failing_rows FROM data_test_result
      WHERE run_id = (SELECT max(run_id) FROM audit_run) AND severity = 'warn' ORDER BY test
      """,
      """
      SELECT f.name, l.source_line, l.product_id, l.units, l.amount_milli, l.subscriber
      FROM apple_report_line AS l JOIN audit_file AS f USING (source_file_id)
      ORDER BY f.name, l.source_line
      """,
      "SELECT * FROM audit_reconciliation ORDER BY 1, 2, 3, 4, 5",
    ].flatMap { try shop.rows($0) }
  }
}
