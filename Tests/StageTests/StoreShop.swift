internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// A shop with exports from a synthetic store.
///
/// The test decides when each export arrives.
struct StoreShop {
  let shop: Shop
  let store: SampleStore

  /// Creates a store with a number of customers and daily exports; nothing is exported yet.
  init(seed: UInt64, customers: Int = 25, days: Int = 30, files: Int = 10) throws {
    store = SampleStore(
      SampleOptions(
        customers: customers, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: days,
        files: files))
    shop = try Shop(
      gates: "{rejected_share: off, no_usable_record: off, volume_drop: off, empty_file: off}",
      receipts: "in/receipts-{date}.ndjson.gz",
      inputs: [#"prices: ["in/prices-{date}.ndjson.gz"]"#, "catalog: catalog.yaml"])
    for file in store.accompanyingFiles() where file.name == "catalog.yaml" {
      try shop.folder.write(file.name, bytes: file.bytes)
    }
  }

  /// Exports the files with the given numbers; `nil` exports all.
  func export(_ numbers: [Int]? = nil) throws {
    for number in numbers ?? Array(0..<store.exportCount) {
      let file = store.export(number)
      try shop.folder.write("in/" + file.name.split(separator: "/")[1], bytes: file.bytes)
    }
  }

  /// The hash of the facts that a single run over all exports publishes.
  func hashOfOneRun() throws -> String? {
    let other = try StoreShop(
      seed: store.options.seed, customers: store.options.customers, days: store.options.days,
      files: store.options.files)
    try other.export()
    try other.run("run")
    return try other.shop.contentHash()
  }

  /// Runs a command on the pipeline; it must succeed.
  func run(_ command: String, _ more: String...) throws { try run(command, more) }

  /// Runs a command on the pipeline; it must succeed.
  func run(_ command: String, _ more: [String]) throws {
    let process = try shop.start("paidline", [command, shop.pipeline] + more, errors: try errors())
    process.waitUntilExit()
    let said = try String(contentsOfFile: shop.folder.path("errors"), encoding: .utf8)
    try #require(process.terminationStatus == 0, "\(command): \(said)")
  }

  private func errors() throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: shop.folder.path("errors"), contents: nil)
    return try Shop.writing(shop.folder.path("errors"))
  }

  /// The first and the last day of the exports.
  var days: (first: CivilDay, last: CivilDay) {
    let days = (0..<store.exportCount).compactMap { number in
      CivilDay(text: String(store.export(number).name.dropLast(10).suffix(10)))
    }
    return (days.min() ?? store.options.firstDay, days.max() ?? store.options.firstDay)
  }
}

extension Shop {
  /// The files in the folders of the shop's databases that contain a text, by name.
  func filesHolding(_ text: String) throws -> [String] {
    try ["var", "out"].filter(folder.has).flatMap { place in
      try folder.names(place).map { "\(place)/\($0)" }.filter { name in
        try Data(folder.bytes(name)).range(of: Data(text.utf8)) != nil
      }
    }
  }
}
