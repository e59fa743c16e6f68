internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Random edits of Apple's reports.
///
/// No right amount becomes wrong, and the causes stay exact.
struct BookCampaignTests {
  /// The text of one of Apple's reports, as a table.
  private struct Report {
    var name: String
    var lines: [[String]]

    init(name: String, text: String) {
      self.name = name
      lines = text.split(separator: "\n").map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    }

    var text: String { lines.map { $0.joined(separator: "\t") + "\n" }.joined() }

    func column(_ name: String) -> Int? { lines.first?.firstIndex(of: name) }

    /// Whether a line is a charge or refund of a subscription, which both reports have.
    func isSubscription(_ line: [String]) -> Bool {
      guard let place = column("Subscription") else { return true }
      return line[place] == "New" || line[place] == "Renewal"
    }
  }

  /// An edit of a single report.
  private enum Edit: CaseIterable {
    case delete, double, price, units, monster, swap, withdraw, otherVendor
  }

  private static func edit(
    _ reports: inout [Report], _ generator: inout SeededGenerator
  ) {
    let places = reports.indices.filter { reports[$0].lines.count > 1 }
    guard let place = places.randomElement(using: &generator) else { return }
    var report = reports[place]
    let rows = report.lines.indices.dropFirst().filter {
      report.isSubscription(report.lines[$0])
    }
    guard let row = rows.randomElement(using: &generator),
      let units = report.column("Units"), let price = report.column("Customer Price")
    else { return }
    switch Edit.allCases.randomElement(using: &generator) ?? .delete {
    case .delete: report.lines.remove(at: row)
    case .double: report.lines.append(report.lines[row])
    case .price: report.lines[row][price] = "1.23"
    case .units: report.lines[row][units] = "7"
    case .monster: report.lines[row][units] = "50000"
    case .swap:
      // Two days of one kind of report exchange their texts.
      let kind = report.name.prefix { $0 != "-" }
      guard
        let other = places.filter({ $0 != place && reports[$0].name.hasPrefix(kind) })
          .randomElement(using: &generator)
      else { return }
      let lines = report.lines
      report.lines = reports[other].lines
      reports[other].lines = lines
    case .withdraw: report.lines = []
    case .otherVendor:
      // Another vendor's report of the day, under a later name.
      var foreign = report
      foreign.name = report.name.replacing(".txt.gz", with: "-zz.txt.gz")
      let columns = [
        "SKU", "Apple Identifier", "Parent Identifier", "Subscription Apple ID", "App Apple ID",
      ].compactMap(report.column)
      for line in foreign.lines.indices.dropFirst() {
        for column in columns { foreign.lines[line][column] = "9" + foreign.lines[line][column] }
      }
      reports.append(foreign)
    }
    reports[place] = report
  }

  private static func shop(_ files: [SampleFile], _ reports: [Report]) throws -> Shop {
    let shop = try Shop()
    for file in files {
      var text = String(decoding: file.bytes, as: UTF8.self)
      text = text.replacing(
        "  apple_reports: [\"apple/*-{date}.txt.gz\"]\n",
        with: reports.isEmpty ? "" : "  apple_reports: [\"apple/*-{date}*.txt.gz\"]\n")
      if file.name == "pipeline.yaml" {
        try shop.folder.write(file.name, text)
      } else {
        try shop.folder.write(file.name, bytes: file.bytes)
      }
    }
    for report in reports where !report.lines.isEmpty {
      try shop.folder.write(report.name, bytes: gzip(report.text))
    }
    let ending = try shop.run("paidline", "run", "pipeline.yaml", "-q")
    #expect(ending.status == 0, "\(ending.errors)")
    return shop
  }

  private static func amounts(_ shop: Shop) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try shop.rows(
        """
        SELECT transaction_id, COALESCE(paid_milli, '?') FROM fct_revenue
        WHERE product_kind = 'auto_renewable_subscription'
        """, in: "var/warehouse.db"
      ).map { line in
        let parts = line.split(separator: "|")
        return (String(parts[0]), String(parts[1]))
      })
  }

  @Test(arguments: LongTests.areOn ? [11, 12, 13] : [11])
  func `edited reports make no right amount wrong, and causes stay exact`(_ seed: UInt64) throws {
    let store = AppleReportStore(
      SampleOptions(
        customers: 250, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628),
        days: 120, files: 2),
      missingPerMille: 100)
    var files = store.accompanyingFiles()
    var reports: [Report] = []
    for number in 0..<store.exportCount {
      let file = try store.export(number)
      guard file.name.hasPrefix("apple/") else {
        files.append(file)
        continue
      }
      guard !file.name.contains("/events-") else { continue }
      reports.append(
        Report(name: file.name, text: String(decoding: gunzip(file.bytes), as: UTF8.self)))
    }
    let without = try Self.amounts(Self.shop(files, []))
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 { Self.edit(&reports, &generator) }
    let shop = try Self.shop(files, reports)
    var truth: [String: String] = [:]
    for purchase in store.truth.purchases where purchase.exclusion.isEmpty {
      for id in purchase.transactionIDs { truth[id] = "\(purchase.paidMilli)" }
    }
    for (id, now) in try Self.amounts(shop) {
      guard let right = truth[id], without[id] == right else { continue }
      #expect(now == right, "\(id)")
    }
    // The sum of the causes in each currency is Apple's money minus the facts' money, computed
    // separately.
    let sums = try shop.rows(
      """
      SELECT currency, SUM(apple_milli) FROM audit_reconciliation
      WHERE currency <> '' GROUP BY currency ORDER BY currency
      """, in: "var/warehouse.db")
    let lines = try shop.rows(
      """
      SELECT currency, SUM(amount_milli) FROM apple_report_line AS l
      WHERE currency IS NOT NULL AND (report = 'subscriber' AND event_date IN (
          SELECT report_date FROM audit_apple_report WHERE report IN ('sales', 'subscriber'))
        OR report = 'sales' AND event_date IN (
          SELECT report_date FROM audit_apple_report WHERE report = 'sales')
        AND (is_renewal IS NULL OR event_date NOT IN (
          SELECT report_date FROM audit_apple_report WHERE report = 'subscriber')))
      GROUP BY currency HAVING SUM(abs(amount_milli)) > 0 ORDER BY currency
      """, in: "var/warehouse.db")
    #expect(sums == lines)
  }
}
