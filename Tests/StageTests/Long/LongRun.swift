internal import CivilTime
internal import Foundation
internal import GRDB
internal import SampleStore
internal import TestSupport
internal import Testing

/// The tests that take minutes; `make test-slow` enables them with `PAIDLINE_LONG=1`.
enum LongRun {
  /// Whether they are requested.
  static let isAsked = ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"

  /// Whether a tool is installed.
  static func has(_ tool: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)")
  }

  /// Adds a line to the results that `make test-slow` prints at its end.
  static func report(_ line: String) {
    FileHandle.standardError.write(Data("RESULT \(line)\n".utf8))
  }
}

/// A shop before an incremental run: its published facts, and exports that the run will read.
///
/// Each attempt at the run gets a copy of the folder.
struct ShopBeforeRun: Sendable {
  let shop: Shop
  /// The facts before the run; `nil` without a warehouse.
  let old: Facts?
  /// The facts after an incremental run without a fault.
  let new: Facts
  /// The duration of that run; random moments for a signal are within it.
  let runMicroseconds: UInt32

  /// The facts of a warehouse: their hash, and figures that need a complete warehouse.
  struct Facts: Hashable, Sendable {
    var contentHash: String
    var figures: [String]
  }

  /// Creates a small store before its first or its second run.
  static func make(isFirst: Bool, stage: String) throws -> ShopBeforeRun {
    let store = SampleStore(
      SampleOptions(
        customers: 6, seed: 5, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 200, files: 4,
        hasStories: false))
    let shop = try Shop(receipts: "in/receipts-*", more: "bundle_ids: []")
    func add(_ numbers: Range<Int>) throws {
      for number in numbers {
        let file = store.export(number)
        guard file.name.hasPrefix("receipts") else { continue }
        try shop.folder.write("in/" + file.name.split(separator: "/")[1], bytes: file.bytes)
      }
    }
    var old: Facts?
    if !isFirst {
      try add(0..<store.exportCount / 4)
      try #require(try shop.run("paidline", "run", shop.pipeline).status == 0)
      old = try facts(of: shop)
    }
    try add(0..<store.exportCount)
    if stage == "paidline-reconstruct" {
      try #require(try shop.run("paidline-ingest", shop.pipeline).status == 0)
    }
    let updated = try copy(of: shop)
    let start = ContinuousClock.now
    try #require(try updated.run("paidline", "run", updated.pipeline).status == 0)
    let runMicroseconds = UInt32((ContinuousClock.now - start) / .microseconds(1))
    let new = try facts(of: updated)
    try #require(old != new, "the run must change the facts")
    return ShopBeforeRun(shop: shop, old: old, new: new, runMicroseconds: runMicroseconds)
  }

  /// Copies a shop with all its files.
  static func copy(of shop: Shop) throws -> Shop {
    let copy = try Shop()
    for name in try shop.folder.names() {
      try? FileManager.default.removeItem(atPath: copy.folder.path(name))
      try FileManager.default.copyItem(
        atPath: shop.folder.path(name), toPath: copy.folder.path(name))
    }
    return copy
  }

  /// The facts of a shop's warehouse; throws if the warehouse is damaged.
  static func facts(of shop: Shop) throws -> Facts {
    #expect(try shop.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try shop.rows("PRAGMA foreign_key_check") == [])
    return Facts(
      contentHash: try #require(try shop.contentHash()),
      figures: try shop.rows(
        """
        SELECT (SELECT count(1) FROM fct_revenue), (SELECT SUM(paid_milli) FROM fct_revenue),
          (SELECT SUM(amount_milli) FROM fct_revenue_entry),
          (SELECT count(1) FROM bridge_transaction_id), (SELECT count(1) FROM dim_subscription),
          (SELECT count(1) FROM audit_run)
        """))
  }

  /// Checks that an incremental run with a fault left the old or the new facts, and that the next
  /// run publishes the new facts.
  func check(_ shop: Shop, after what: String) throws {
    if shop.folder.has("out/warehouse.db") {
      let facts = try Self.facts(of: shop)
      #expect(facts == old || facts == new, "torn: \(what)")
    } else {
      #expect(old == nil, "lost: \(what)")
    }
    // The status is that of the run: 74 after a failed call, 130 or 143 after a signal; 66 if no
    // run is recorded. A refused input must never be reported.
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect([0, 66, 74, 130, 143].contains(status.status), "\(what): \(status.errors)")
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0, "\(what): \(ending.errors)")
    let after = try Self.facts(of: shop)
    #expect(after.contentHash == new.contentHash, "\(what)")
    #expect(
      after.figures.first?.split(separator: "|").dropLast()
        == new.figures.first?.split(separator: "|").dropLast(), "\(what)")
    let litter = try shop.folder.names("out").filter {
      !$0.hasPrefix("warehouse.db") || $0.contains("building")
    }
    #expect(litter == [], "\(what)")
  }
}
