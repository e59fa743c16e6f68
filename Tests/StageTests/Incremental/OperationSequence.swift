internal import Foundation
internal import TestSupport
internal import Testing

/// A shop whose files an owner adds, replaces, renames, damages, repairs and forgets, and what the
/// facts must then contain.
///
/// Contents are added up: what was used once stays used, whatever happens to its file, until it is
/// forgotten.
struct OperationSequence {
  enum Operation: CaseIterable {
    case add, replace, rename, truncate, repair, forget, erase, changeCatalogue, kill
  }

  /// A file in the folder of the exports.
  private struct Place {
    var content: Int
    var isTruncated = false
  }

  private let shop: Shop
  /// The bytes of each content ever written.
  private var contents: [[UInt8]] = []
  private var places: [String: Place] = [:]
  private var used: Set<Int> = []
  private var forgotten: Set<Int> = []
  private var erased: [String] = []
  private var catalogue = ""
  private var number = 0
  private(set) var history: [String] = []

  private static let more = """
    reporting_currency: USD
    """
  private static let gates = """
    {refused_file: warn, rejected_share: off, no_usable_record: warn, volume_drop: off, \
    missing_export_day: off, price_unit: off}
    """

  init() throws {
    shop = try Self.shop()
    try add("in/first.ndjson.gz")
    try run()
  }

  private static func shop() throws -> Shop {
    let shop = try Shop(
      gates: gates, receipts: "in/*.ndjson.gz", inputs: ["catalog: catalog.yaml"], more: more)
    try shop.folder.write("catalog.yaml", "products:\n")
    return shop
  }

  // MARK: - Operations

  mutating func perform(_ operation: Operation, using random: inout SeededGenerator) throws {
    let path = places.keys.sorted().randomElement(using: &random)
    switch operation {
    case .add:
      number += 1
      try add("in/\(Int.random(in: 0...999, using: &random))-\(number).ndjson.gz", &random)
    case .replace: if let path { try add(path, &random) }
    case .rename:
      guard let path, let place = places[path] else { return }
      number += 1
      let name = "in/renamed-\(number).ndjson.gz"
      try FileManager.default.moveItem(
        atPath: shop.folder.path(path), toPath: shop.folder.path(name))
      places[path] = nil
      places[name] = place
    case .truncate:
      guard let path, let place = places[path], !place.isTruncated else { return }
      let bytes = contents[place.content]
      try shop.folder.write(path, bytes: Array(bytes.prefix(bytes.count * 2 / 3)))
      places[path]?.isTruncated = true
    case .repair:
      guard let path = places.keys.sorted().first(where: { places[$0]?.isTruncated ?? false })
      else { return }
      try shop.folder.write(path, bytes: contents[places[path]?.content ?? 0])
      places[path]?.isTruncated = false
    case .forget: try forget(&random)
    case .erase:
      let customer = "c-\(Int.random(in: 0...9, using: &random))"
      let ending = try Self.erase([customer], in: shop)
      // 65: nobody has this id yet. It stays erased in exports to come.
      try #require([0, 65].contains(ending.status), "\(ending)")
      erased.append(customer)
    case .changeCatalogue:
      let price = ["9.99", "12.99", "7.49"].randomElement(using: &random) ?? ""
      catalogue = """
        products:
          - product_id: pro
            prices: [{currency: USD, price: "\(price)", from: 2020-01-01}]

        """
      try shop.folder.write("catalog.yaml", catalogue)
    case .kill:
      _ = try shop.run(
        "paidline", arguments: ["run", "-q"],
        environment: [
          "PAIDLINE_FAILPOINT":
            "kill:\(Int.random(in: 1...40, using: &random)):\(shop.folder.path("boundaries"))"
        ])
      try? FileManager.default.removeItem(atPath: shop.folder.path("boundaries"))
      // The killed run may have read the files, or not; the next one certainly does.
      try run()
    }
    history.append("\(operation)")
    if Int.random(in: 0...1, using: &random) == 0 { try run() }
  }

  /// Writes a new content to a path.
  private mutating func add(_ path: String, _ random: inout SeededGenerator) throws {
    let first = 1_000_000 + contents.count * 100
    var lines = ""
    for index in 0..<Int.random(in: 1...6, using: &random) {
      let hasPrice = Int.random(in: 0...2, using: &random) > 0
      let month = Int.random(in: 1...9, using: &random)
      lines += Export.purchase(
        first + index, day: "2024-0\(month)-1\(index)",
        customer: "c-\(Int.random(in: 0...9, using: &random))",
        price: hasPrice ? ["9.99", "12.99"].randomElement(using: &random) : nil)
    }
    contents.append(gzip(Array(lines.utf8)))
    try shop.folder.write(path, bytes: contents[contents.count - 1])
    places[path] = Place(content: contents.count - 1)
  }

  private mutating func add(_ path: String) throws {
    var random = SeededGenerator(seed: 1)
    try add(path, &random)
  }

  private mutating func forget(_ random: inout SeededGenerator) throws {
    guard used.count > 1, let content = used.sorted().randomElement(using: &random) else { return }
    let file = shop.folder.path("content")
    try shop.folder.write("content", bytes: contents[content])
    let hash = try shop.run("/usr/bin/sha256sum", file).output.prefix(64)
    let ending = try shop.run("paidline", "forget", "pipeline.yaml", "--file", String(hash))
    try #require(ending.status == 0, "\(ending)")
    used.remove(content)
    forgotten.insert(content)
  }

  private static func erase(_ ids: [String], in shop: Shop) throws -> Ending {
    try shop.folder.write("ids.txt", ids.joined(separator: "\n") + "\n")
    return try shop.run("paidline", "erase", "pipeline.yaml", "--customer-id-file", "ids.txt")
  }

  mutating func run() throws {
    let ending = try shop.run("paidline", "run", "-q")
    try #require(ending.status == 0, "\(history): \(ending)")
    used.formUnion(places.values.filter { !$0.isTruncated }.map(\.content))
    used.subtract(forgotten)
    history.append("run")
  }

  // MARK: - Facts

  /// The purchases, and the digest of all facts.
  private static func facts(of shop: Shop) throws -> [String] {
    try shop.rows(
      """
      SELECT transaction_id, customer_key, currency, paid_milli, paid_low_milli, paid_high_milli,
        price_rule, price_status FROM fct_revenue ORDER BY transaction_id
      """)
      + shop.rows("SELECT as_of, content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1")
  }

  func published() throws -> [String] { try Self.facts(of: shop) }

  /// The facts of one run over the used contents, under other names.
  func publishedByOneRun() throws -> [String] {
    let other = try Self.shop()
    for content in used {
      try other.folder.write("in/\(content).ndjson.gz", bytes: contents[content])
    }
    if !catalogue.isEmpty { try other.folder.write("catalog.yaml", catalogue) }
    let ending = try other.run("paidline", "run", "-q")
    try #require(ending.status == 0, "\(ending)")
    for id in erased { _ = try Self.erase([id], in: other) }
    try #require(other.run("paidline", "run", "-q").status == 0)
    return try Self.facts(of: other)
  }
}
