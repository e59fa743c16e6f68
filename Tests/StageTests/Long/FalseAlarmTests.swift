internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Incremental runs of generated stores with the default gates.
///
/// Each store has 150 days; one run gets an invalid line, another only a third of its records. None
/// of the 450 runs may be stopped. Four real faults, tried on a copy of each store, must be found.
@Suite(.enabled("make test-slow asks for the long tests") { LongRun.isAsked })
struct FalseAlarmTests {
  private static let brokenDay = 60
  private static let quietDay = 90
  private static let faultyDay = 40

  @Test(arguments: [1000, 2000, 3000])
  func `no run is stopped, and each of four faults is caught`(customers: Int) throws {
    let store = SampleStore(
      SampleOptions(
        customers: customers, seed: 1, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 150,
        files: 150))
    let shop = try Self.shop(of: store)
    var stopped: [Int] = []
    var dropped: [Int] = []
    for day in 0..<150 {
      try Self.export(day, of: store, to: shop)
      if day == Self.faultyDay { try Self.checkFaults(shop, store, customers: customers) }
      let ending = try shop.run("paidline", "run")
      if ending.status != 0 { stopped.append(day) }
      if ending.errors.contains("records that trend and weekday") { dropped.append(day) }
      if day == Self.brokenDay {
        #expect(ending.errors.contains("invalid_json, at byte 8, where it is cut off"))
      }
    }
    #expect(stopped == [], "\(customers) customers")
    // The quiet day may be reported, and also the last day of the store's history.
    let others = dropped.filter { $0 != Self.quietDay && $0 != 149 }
    #expect(others.count <= 1, "\(customers) customers: \(dropped)")
    LongRun.report(
      "days of \(customers) customers: \(stopped.count) of 150 stopped, words on the volume of "
        + "days \(dropped)")
  }

  private static func shop(of store: SampleStore) throws -> Shop {
    let shop = try Shop()
    for file in store.accompanyingFiles() { try shop.folder.write(file.name, bytes: file.bytes) }
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: ["in/receipts-{date}.ndjson.gz"]
        prices: ["in/prices-{date}.ndjson.gz"]
        catalog: catalog.yaml
      customer_key_file: customer.key
      """)
    return shop
  }

  /// Writes the receipts and prices of an incremental run, with the common faults of some runs.
  private static func export(_ day: Int, of store: SampleStore, to shop: Shop) throws {
    for file in files(of: day, in: store) {
      var text = gunzip(file.bytes)
      if file.name.hasPrefix("receipts") {
        if day == brokenDay { text += Array("{\"broken\n".utf8) }
        if day == quietDay { text = lines(text, keeping: 3) }
      }
      try shop.folder.write(path(file), bytes: gzip(text))
    }
  }

  /// The receipts and prices of one run.
  private static func files(of day: Int, in store: SampleStore) -> [SampleFile] {
    [store.export(day), store.export(store.options.files + day)]
  }

  private static func path(_ file: SampleFile) -> String {
    "in/" + (file.name.split(separator: "/").last.map(String.init) ?? "")
  }

  /// Keeps the given number of tenths of a text's lines, from the beginning; at least one line.
  private static func lines(_ text: [UInt8], keeping tenths: Int) -> [UInt8] {
    let all = text.split(separator: UInt8(ascii: "\n"))
    let kept = all.prefix(max(1, all.count * tenths / 10))
    return Array(kept.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
  }

  /// Tries each fault on a copy of the store before the run.
  private static func checkFaults(_ shop: Shop, _ store: SampleStore, customers: Int) throws {
    let receipts = try #require(
      files(of: faultyDay, in: store).first { $0.name.hasPrefix("receipts") })
    let text = gunzip(receipts.bytes)
    let renamed = String(decoding: text, as: UTF8.self)
      .replacing("\"transaction_id\"", with: "\"transactionId\"")
    let csv = "id,receipt\n" + String(repeating: "1,\"{}\"\n", count: 20)
    let faults: [(story: String, bytes: [UInt8], status: Int32, words: String)] = [
      ("cut in half", Array(receipts.bytes.prefix(receipts.bytes.count / 2)), 65, "refused in/"),
      ("a CSV", gzip(csv), 65, "such as CSV"),
      ("renamed keys", gzip(renamed), 65, "\"transactionId\" instead of Apple's"),
      ("a tenth of a day", gzip(lines(text, keeping: 1)), 0, "records that trend and weekday"),
    ]
    for fault in faults {
      let copy = try Shop()
      for name in ["var", "out", "in", "catalog.yaml", "pipeline.yaml"] where shop.folder.has(name)
      {
        try? FileManager.default.removeItem(atPath: copy.folder.path(name))
        try FileManager.default.copyItem(
          atPath: shop.folder.path(name), toPath: copy.folder.path(name))
      }
      try copy.folder.write(path(receipts), bytes: fault.bytes)
      let ending = try copy.run("paidline", "run")
      let what = "\(customers) customers, \(fault.story)"
      #expect(ending.status == fault.status, "\(what): \(ending.errors)")
      #expect(ending.errors.contains(fault.words), "\(what): \(ending.errors)")
    }
  }
}
