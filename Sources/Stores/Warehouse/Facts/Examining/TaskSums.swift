public import Amounts
internal import Deciding
internal import Diagnostics
internal import GRDB
internal import PaidAmounts
internal import PurchaseModel
public import Reconciling
internal import SQLiteFiles

/// The sums over the rows of a task on a cluster; those of all tasks add up to those of the facts.
public struct TaskSums: Sendable {
  /// An amount in the price reports of a file.
  public struct Amount: Hashable, Sendable {
    /// The file's id.
    public var file: Int64
    /// The amount.
    public var price: Milliunits
    /// The currency of the amount.
    public var currency: Currency
  }

  /// The numbers of rows of facts.
  public var facts = FactSums()
  /// The numbers of price reports of each file, product and currency.
  public private(set) var groups: [PriceUnitSums.Group: PriceUnitSums.GroupCount] = [:]
  /// The different amounts in the price reports of each file.
  public private(set) var amounts: Set<Amount> = []
  /// The numbers of reports in each file whose transaction id no purchase has.
  public private(set) var unknownTransactions: [Int64: Int] = [:]
  /// The numbers of reports in each file with a currency that the App Store does not use in their
  /// storefront.
  public private(set) var wrongPlaces: [Int64: Int] = [:]

  /// The charges and refunds of the last added rows, for the comparison with Apple's reports.
  public private(set) var entries: [ReconciliationEntry] = []
  private let appleReports: ReconciledReports?

  /// Creates sums of no rows.
  ///
  /// - Parameter appleReports: Apple's reports; `nil` if there are none.
  init(near appleReports: ReconciledReports?) { self.appleReports = appleReports }

  /// Counts encoded rows in a database in memory, with the queries over written facts.
  mutating func add(_ rows: borrowing FactRows) throws(RunFailure) {
    do {
      try DatabaseFile.inMemory { db in
        try db.execute(sql: String(decoding: PackageResources.warehouse_tables_sql, as: UTF8.self))
        var insertions: [FactTable: RawStatement] = [:]
        for table in [FactTable.revenue, .excludedPurchase, .priceEvidence, .subscription]
          + (appleReports == nil ? [] : [.revenueEntry, .renewalState])
        {
          let places = try WarehouseSchema.columns(of: table.name, on: db).map { _ in "?" }
          insertions[table] = try RawStatement(
            table.name,
            "INSERT INTO \(table.name) VALUES (\(places.joined(separator: ",")))", on: db)
        }
        for row in rows.rows {
          guard let insertion = insertions[row.table] else { continue }
          unsafe insertion.bind(
            rows.record(row),
            key: row.table.hasNumberAsKey ? SortKey.number(rows.key(row)) : nil)
          try insertion.run()
        }
        facts.add(try FactSums(countsUnconverted: true, on: db))
        if let appleReports { entries = try PublishedEntries.read(db, near: appleReports) }
        try PriceUnitSums.forEachGroup(PriceUnitSums.sql(file: "source_file_id"), on: db) {
          groups[$0, default: PriceUnitSums.GroupCount()].add($1)
        }
        let places = try RawStatement(
          "count wrong places",
          """
          SELECT source_file_id, count(1) FROM price_evidence WHERE verdict = 'wrong_place'
          GROUP BY source_file_id
          """, on: db)
        while try places.next() {
          wrongPlaces[places.int64(0), default: 0] += Int(places.int64(1))
        }
        try ReportFileSums.forEachAmount(on: db) {
          amounts.insert(Amount(file: $0, price: $1, currency: $2))
        }
      }
    } catch {
      throw RunFailure(
        .invariantBroken,
        "the rows of the facts cannot be counted: \(error). This is a bug, please report it.")
    }
  }

  /// Counts the reports of decided households whose transaction id no purchase has.
  mutating func add(_ decided: borrowing DecidedHouseholds, _ context: FactContext) {
    for own in decided.reports where own.unknownTransaction != nil {
      unknownTransactions[context.fileID(of: own.report.source), default: 0] += 1
    }
  }
}

extension PriceUnitSums.GroupCount {
  fileprivate mutating func add(_ other: PriceUnitSums.GroupCount) {
    reports += other.reports
    multiples += other.multiples
    prices += other.prices
    wholePrices += other.wholePrices
    longPrices += other.longPrices
  }
}
