internal import Amounts
internal import GRDB
internal import SQLiteFiles

/// The numbers of one file's price reports from which gates conclude where the reports come from.
public struct ReportFileSums: Hashable, Sendable {
  /// The number of reports.
  public var reports = 0
  /// The number of reports with a transaction id that no purchase has, in any environment.
  public var unknownTransactions = 0
  /// The number of reports with a currency that the App Store does not use in their storefront.
  public var wrongPlaces = 0
  /// The different amounts.
  public var endings = AmountEndings()

  /// Creates sums of no reports.
  public init() {}

  /// Adds other reports of the file.
  mutating func add(_ other: ReportFileSums) {
    reports += other.reports
    unknownTransactions += other.unknownTransactions
    wrongPlaces += other.wrongPlaces
    endings.add(other.endings)
  }

  /// Counts the price reports of each new file, keyed by the file's id in state.db.
  static func files(_ newFiles: Set<Int64>, on db: Database) throws -> [Int64: ReportFileSums] {
    guard !newFiles.isEmpty else { return [:] }
    let ids = newFiles.sorted().map(String.init).joined(separator: ",")
    var files: [Int64: ReportFileSums] = [:]
    let counts = try RawStatement("count reports of files", sql(files: ids), on: db)
    while try counts.next() {
      var sums = ReportFileSums()
      (sums.reports, sums.unknownTransactions) = (Int(counts.int64(1)), Int(counts.int64(2)))
      sums.wrongPlaces = Int(counts.int64(3))
      files[counts.int64(0)] = sums
    }
    try forEachAmount(of: ids, on: db) { files[$0]?.endings.add($1, $2) }
    return files
  }

  /// Lists the different amounts for one unit in the price reports of each file.
  ///
  /// Leaves out a report of a purchase of several units: its amount may be that of all units, such
  /// as 1.98 for two at 0.99.
  ///
  /// - Parameter files: The ids of the files, separated by commas; all files if `nil`.
  static func forEachAmount(
    of files: String? = nil, on db: Database, _ body: (Int64, Milliunits, Currency) -> Void
  ) throws {
    let amounts = try RawStatement(
      "list amounts of files",
      """
      SELECT DISTINCT source_file_id, currency, price_milli FROM price_evidence AS e
      WHERE NOT EXISTS (
        SELECT 1 FROM fct_revenue AS r WHERE r.purchase_key = e.purchase_key AND r.quantity > 1)
        \(files.map { "AND source_file_id IN (\($0))" } ?? "")
      """, on: db)
    while try amounts.next() {
      guard let currency = Currency(amounts.text(1)) else { continue }
      body(amounts.int64(0), Milliunits(amounts.int64(2)), currency)
    }
  }

  static func sql(files: String) -> String {
    """
    SELECT source_file_id, count(1),
      count(CASE WHEN transaction_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM bridge_transaction_id AS b WHERE b.transaction_id = e.transaction_id)
      THEN 1 END), count(CASE WHEN verdict = 'wrong_place' THEN 1 END)
    FROM price_evidence AS e WHERE source_file_id IN (\(files)) GROUP BY source_file_id
    """
  }
}
