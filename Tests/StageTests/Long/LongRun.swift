internal import CivilTime
internal import Foundation
internal import GRDB
internal import SampleStore
internal import TestSupport
internal import Testing

/// The tests that take minutes: `make test-slow` asks for them with `PAIDLINE_LONG=1`.
enum LongRun {
  /// Whether they are requested.
  static let isAsked = ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"

  /// Whether a tool is there.
  static func has(_ tool: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)")
  }

  /// Adds a line to the results that `make test-slow` prints at its end.
  static func report(_ line: String) {
    FileHandle.standardError.write(Data("RESULT \(line)\n".utf8))
  }
}

/// A shop before an incremental run: what is published, and exports that the run is to read.
///
/// Each attempt at the run gets a copy of the folder.
struct NightBefore: Sendable {
  let shop: Shop
  /// The warehouse before; `nil` without one.
  let old: Facts?
  /// The warehouse after an incremental run without a fault.
  let new: Facts

  /// The facts of a warehouse, in figures that only a complete one has.
  struct Facts: Hashable, Sendable {
    var contentHash: String
    var figures: [String]
  }

  /// The run of a small store, first or second.
  static func make(isFirst: Bool, stage: String) throws -> NightBefore {
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
    let night = try copy(of: shop)
    try #require(try night.run("paidline", "run", night.pipeline).status == 0)
    let new = try facts(of: night)
    try #require(old != new, "the night must bring something")
    return NightBefore(shop: shop, old: old, new: new)
  }

  /// Another folder with the same files.
  static func copy(of shop: Shop) throws -> Shop {
    let copy = try Shop()
    for name in try shop.folder.names() {
      try? FileManager.default.removeItem(atPath: copy.folder.path(name))
      try FileManager.default.copyItem(
        atPath: shop.folder.path(name), toPath: copy.folder.path(name))
    }
    return copy
  }

  /// The facts of a shop's warehouse; throws if it is damaged.
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

  /// Checks that an incremental run after a fault left the old facts or the new, and that the next
  /// run ends with the new.
  func check(_ shop: Shop, after what: String) throws {
    if shop.folder.has("out/warehouse.db") {
      let facts = try Self.facts(of: shop)
      #expect(facts == old || facts == new, "torn: \(what)")
    } else {
      #expect(old == nil, "lost: \(what)")
    }
    // 66: nothing is there yet. Never a permission or a disk to blame.
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect([0, 66].contains(status.status), "\(what): \(status.errors)")
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
