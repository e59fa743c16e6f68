internal import Amounts
internal import GRDB
internal import SQLiteFiles

/// The numbers of price reports from which a gate concludes whether reports have another unit than
/// the pipeline states.
///
/// Example: most prices of a product are 100 times as high as in other reports.
public struct PriceUnitSums: Hashable, Sendable {
  /// A product in price reports.
  public struct Product: Hashable, Comparable, Sendable {
    /// Apple's product id.
    public var productID: String
    /// The app; `nil` if unknown.
    public var bundleID: String?

    /// Creates a product from its fields.
    public init(productID: String, bundleID: String? = nil) {
      self.productID = productID
      self.bundleID = bundleID
    }

    /// Orders products by id, then app; an id without an app is last.
    public static func < (left: Self, right: Self) -> Bool {
      (left.productID, left.bundleID == nil ? 1 : 0, left.bundleID ?? "")
        < (right.productID, right.bundleID == nil ? 1 : 0, right.bundleID ?? "")
    }
  }

  /// The numbers of one product's reports.
  public struct ProductCount: Hashable, Sendable {
    /// The number of reports.
    public var reports = 0
    /// The number of prices in a wrong unit.
    ///
    /// They are 100 or 1,000 times higher or lower than in the catalogue or in other reports.
    public var multiples = 0
  }

  /// The numbers of one file's reports, or of all reports.
  public struct FileSums: Hashable, Sendable {
    /// The numbers of each product's reports.
    public private(set) var products: [Product: ProductCount] = [:]
    /// The number of prices above 0 in currencies with decimals, such as USD.
    public private(set) var decimalPrices = 0
    private var wholePrices = 0
    private var longPrices = 0
    private var largePrices = 0
    private var wholeLargePrices = 0
    private var longLargePrices = 0

    /// The currencies in which an app has no price of 100 or more without decimals.
    private static let largeCurrencies: Set<String> = ["USD", "EUR", "GBP", "CAD", "AUD", "CHF"]

    /// Whether all prices are whole numbers, and most have three digits or more.
    ///
    /// Ignores prices of 0, and prices in currencies without decimals, such as JPY.
    public var areAllWhole: Bool {
      decimalPrices > 0 && wholePrices == decimalPrices && longPrices * 2 > wholePrices
    }

    /// Whether this is certainly a wrong unit, because it also holds in US dollars, euros and the
    /// like; prices in INR or TWD may be whole numbers.
    public var areCertainlyWhole: Bool {
      areAllWhole && wholeLargePrices == largePrices && longLargePrices * 2 > largePrices
    }

    /// The numbers of all products together.
    public var total: ProductCount {
      products.values.reduce(into: ProductCount()) { sum, count in
        sum.reports += count.reports
        sum.multiples += count.multiples
      }
    }

    fileprivate mutating func add(_ count: GroupCount, of group: Group) {
      products[group.product, default: ProductCount()].reports += count.reports
      products[group.product, default: ProductCount()].multiples += count.multiples
      guard let currency = Currency(group.currency), currency.decimals > 0 else { return }
      decimalPrices += count.prices
      wholePrices += count.wholePrices
      longPrices += count.longPrices
      guard Self.largeCurrencies.contains(currency.code) else { return }
      largePrices += count.prices
      wholeLargePrices += count.wholePrices
      longLargePrices += count.longPrices
    }
  }

  /// The reports of one product in one currency; in one file, or in all files.
  public struct Group: Hashable, Sendable {
    /// The file's id; `nil` for all files.
    public var file: Int64?
    /// The product and its app.
    public var product: Product
    /// The currency of the prices.
    public var currency: String

    /// Creates a group from its fields.
    public init(file: Int64?, product: Product, currency: String) {
      self.file = file
      self.product = product
      self.currency = currency
    }
  }

  /// The numbers of a group's reports.
  public struct GroupCount: Hashable, Sendable {
    /// The number of reports.
    public var reports = 0
    /// The number of prices in a wrong unit.
    public var multiples = 0
    /// The number of prices above 0.
    public var prices = 0
    /// The number of prices above 0 that are whole numbers.
    public var wholePrices = 0
    /// The number of prices of three digits or more before the decimal point.
    public var longPrices = 0

    /// Creates numbers of no report.
    public init() {}
  }

  /// The numbers of all reports.
  public private(set) var all = FileSums()
  /// The numbers of each new file, keyed by the file's id in state.db.
  public private(set) var files: [Int64: FileSums] = [:]
  /// The numbers of each new file that show where its reports come from.
  public private(set) var reports: [Int64: ReportFileSums] = [:]

  /// Creates sums of no reports.
  public init() {}

  /// Counts the price reports in the warehouse, those of new files also by file.
  init(newFiles: Set<Int64>, on db: Database) throws {
    try Self.forEachGroup(Self.sql(file: "NULL"), on: db) { add($1, of: $0) }
    guard !newFiles.isEmpty else { return }
    let ids = newFiles.sorted().map(String.init).joined(separator: ",")
    try Self.forEachGroup(Self.sql(file: "source_file_id", files: ids), on: db) {
      add($1, of: $0)
    }
    reports = try ReportFileSums.files(newFiles, on: db)
  }

  /// Adds the numbers of a group, to the sums of its file or to those of all files.
  public mutating func add(_ count: GroupCount, of group: Group) {
    guard let file = group.file else { return all.add(count, of: group) }
    files[file, default: FileSums()].add(count, of: group)
  }

  /// Adds reports of a file to ``reports``.
  public mutating func add(_ sums: ReportFileSums, ofFile file: Int64) {
    reports[file, default: ReportFileSums()].add(sums)
  }

  static func forEachGroup(
    _ sql: String, on db: Database, _ body: (Group, GroupCount) -> Void
  ) throws {
    let rows = try RawStatement("count price reports", sql, on: db)
    while try rows.next() {
      var count = GroupCount()
      (count.reports, count.multiples) = (Int(rows.int64(4)), Int(rows.int64(5)))
      (count.prices, count.wholePrices) = (Int(rows.int64(6)), Int(rows.int64(7)))
      count.longPrices = Int(rows.int64(8))
      body(
        Group(
          file: rows.optionalInt64(0),
          product: Product(productID: rows.text(1), bundleID: rows.optionalText(2)),
          currency: rows.text(3)), count)
    }
  }

  static func sql(file: String, files: String? = nil) -> String {
    """
    SELECT \(file), product_id, bundle_id, currency, count(1),
      count(CASE WHEN verdict = 'unit_error' THEN 1 END),
      count(CASE WHEN price_milli > 0 THEN 1 END),
      count(CASE WHEN price_milli > 0 AND price_milli % 1000 = 0 THEN 1 END),
      count(CASE WHEN price_milli >= 100000 THEN 1 END)
    FROM price_evidence \(files.map { "WHERE source_file_id IN (\($0))" } ?? "")
    GROUP BY product_id, currency, bundle_id\(file == "NULL" ? "" : ", source_file_id")
    """
  }
}
