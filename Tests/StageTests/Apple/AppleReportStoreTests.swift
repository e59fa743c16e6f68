internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Stores with Apple's reports.
///
/// Compares the found causes with the added differences, and the proven amounts with the truth.
struct BookStoreTests {
  /// The numbers of amounts that Apple's reports change.
  struct Score: Hashable {
    /// Rows that get an amount only with the reports.
    var settled = 0
    /// Rows without an amount, even with the reports.
    var unresolved = 0
    /// Rows with a wrong amount that becomes right with the reports.
    var corrected = 0
    /// Rows that the reports give a wrong amount, and that had no amount before.
    var settledWrong = 0
    /// Rows with a right amount that becomes wrong with the reports.
    var worsened = 0
  }

  private static func shop(_ store: AppleReportStore, withReports: Bool) throws -> Shop {
    let shop = try Shop()
    for number in 0..<store.exportCount {
      let file = try store.export(number)
      if withReports || !file.name.hasPrefix("apple/") {
        try shop.folder.write(file.name, bytes: file.bytes)
      }
    }
    for file in store.accompanyingFiles() {
      var text = String(decoding: file.bytes, as: UTF8.self)
      if !withReports {
        text = text.replacing("  apple_reports: [\"apple/*-{date}.txt.gz\"]\n", with: "")
      }
      try shop.folder.write(file.name, text)
    }
    let ending = try shop.run("paidline", "run", "pipeline.yaml", "-q")
    #expect(ending.status == 0, "\(ending.errors)")
    return shop
  }

  private static func rows(_ shop: Shop, _ sql: String) throws -> [String] {
    try shop.rows(sql, in: "var/warehouse.db")
  }

  /// The amount of each purchase, keyed by transaction id.
  private static func amounts(_ shop: Shop) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try rows(
        shop,
        """
        SELECT transaction_id, COALESCE(paid_milli, '?') FROM fct_revenue
        """
      ).map { line in
        let parts = line.split(separator: "|")
        return (String(parts[0]), String(parts[1]))
      })
  }

  private static func score(_ store: AppleReportStore, _ without: Shop, _ with: Shop) throws
    -> Score
  {
    var truth: [String: String] = [:]
    for purchase in store.truth.purchases where purchase.exclusion.isEmpty {
      for id in purchase.transactionIDs { truth[id] = "\(purchase.paidMilli)" }
    }
    let (before, after) = (try amounts(without), try amounts(with))
    var score = Score()
    for (id, was) in before {
      guard let right = truth[id], let now = after[id] else { continue }
      if was == "?" {
        score.unresolved += 1
        if now == right { score.settled += 1 } else if now != "?" { score.settledWrong += 1 }
      } else if was != right, now == right {
        score.corrected += 1
      } else if was == right, now != right {
        score.worsened += 1
      }
    }
    return score
  }

  @Test func `reports settle what was open, and spoil nothing`() throws {
    let store = AppleReportStore(
      SampleOptions(
        customers: 250, seed: 4, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 365, files: 4))
    let score = try Self.score(
      store, try Self.shop(store, withReports: false), try Self.shop(store, withReports: true))
    #expect(score.worsened == 0 && score.settledWrong == 0)
    #expect(score.unresolved > 20 && score.settled * 2 > score.unresolved, "\(score)")
  }

  /// The amount in Apple's reports minus the amount in the facts, for a cause and currency.
  ///
  /// It is read from a query or from `truth-books.csv`.
  private struct Difference: Hashable {
    var cause: String
    var currency: String
    var appleMilli: Int64
    var milli: Int64
  }

  private static func expected(_ shop: Shop) throws -> [String: Difference] {
    let text = String(decoding: try shop.folder.bytes("truth-books.csv"), as: UTF8.self)
    let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    return Dictionary(
      uniqueKeysWithValues: lines.map { cells in
        let numbers = cells.dropFirst(2).map { Int64($0) ?? 0 }
        return (
          "\(cells[0]) \(cells[1])",
          Difference(
            cause: String(cells[0]), currency: String(cells[1]), appleMilli: numbers[2],
            milli: numbers[2] - numbers[3])
        )
      })
  }

  private static func found(_ shop: Shop) throws -> [Difference] {
    try rows(
      shop,
      """
      SELECT cause, currency, SUM(apple_milli), SUM(apple_milli - our_milli)
      FROM audit_reconciliation WHERE currency <> '' GROUP BY cause, currency
      """
    ).map { line in
      let cells = line.split(separator: "|").map(String.init)
      return Difference(
        cause: cells[0], currency: cells[1], appleMilli: Int64(cells[2]) ?? 0,
        milli: Int64(cells[3]) ?? 0)
    }
  }

  /// Runs a store, and returns the true causes and the found causes.
  private static func compared(_ store: AppleReportStore) throws -> (
    expected: [String: Difference], found: [Difference], shop: Shop
  ) {
    let shop = try shop(store, withReports: true)
    return (try expected(shop), try found(shop), shop)
  }

  @Test(arguments: LongTests.areOn ? [0, 50, 100] : [0, 100])
  func `causes found are causes planted`(_ missingPerMille: Int) throws {
    let store = AppleReportStore(
      SampleOptions(
        customers: 200, seed: 6, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 200, files: 4),
      missingPerMille: missingPerMille)
    let (expected, found, _) = try Self.compared(store)
    for one in found where ["receipt_missing", "unexplained"].contains(one.cause) {
      let planted = expected["\(one.cause) \(one.currency)"]?.milli ?? 0
      // If no response shows a late payment, its charge and its row have no match.
      let late = expected["recovered_late \(one.currency)"]?.appleMilli ?? 0
      // If a row has another storefront than Apple's unit, the unit has no match.
      #expect(
        abs(one.milli - planted) * 5 <= max(abs(planted), abs(one.milli)) + 5 * late,
        "\(one), \(planted)")
    }
    #expect(missingPerMille == 0 || found.contains { $0.cause == "receipt_missing" })
  }

  @Test(arguments: LongTests.areOn ? [7, 8] : [7])
  func `the books of a vendor with every fault have every planted cause`(_ seed: UInt64) throws {
    let store = AppleReportStore(
      SampleOptions(
        customers: 400, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 200, files: 4
      ),
      faults: try #require(AppleReportFault.list("all")), missingPerMille: 50)
    let (expected, found, shop) = try Self.compared(store)
    // Unmatched units of customers without receipts match rows whose charge was deleted, if the
    // price is equal. So amounts by cause differ from the planted differences, and are only
    // printed. The largest currency has enough of each cause.
    for cause in ["receipt_missing", "no_report", "other_products"] {
      let planted = try #require(expected["\(cause) USD"])
      let one = try #require(found.first { $0.cause == cause && $0.currency == "USD" })
      print("RESULT books \(seed) \(cause): \(one.milli) of \(planted.milli)")
    }
    // A line that was deleted or changed in one report makes its two reports differ.
    for cause in ["unexplained", "price"] { #expect(expected["\(cause) USD"] != nil) }
    #expect(found.contains { $0.cause == "doubted" && $0.currency == "USD" })
    // Two reports that differ, and files that are not reports, do not stop the run.
    #expect(
      try Self.rows(
        shop, "SELECT count(1) > 0 FROM audit_gate WHERE gate = 'apple_reports_differ'") == ["1"])
    #expect(
      try Self.rows(shop, "SELECT count(1) > 5 FROM audit_file WHERE status = 'ignored'") == ["1"])
  }

  @Test(arguments: LongTests.areOn ? [4, 5] : [5])
  func `faulty books make no right amount wrong, in a hard store too`(_ seed: UInt64) throws {
    let faults: [AppleReportFault] = [
      .otherApps, .otherVendor, .missingDays, .deleted, .doubled, .prices, .swapped, .monster,
    ]
    let options = SampleOptions(
      customers: LongTests.areOn ? 300 : 150, seed: seed,
      firstDay: CivilDay(daysSinceEpoch: 18_993), days: 300, files: 4)
    let store =
      seed == 4
      ? AppleReportStore(options, faults: faults, missingPerMille: 30)
      : AppleReportStore(
        options, [.movers, .extensions], faults: faults, missingPerMille: 30)
    let score = try Self.score(
      store, try Self.shop(store, withReports: false), try Self.shop(store, withReports: true))
    #expect(score.worsened == 0 && score.settledWrong * 10 <= score.settled, "\(score)")
  }
}
