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

    /// Adds a row of the query: the reports of one product in one currency.
    fileprivate mutating func add(_ row: RawStatement) {
      let product = Product(productID: row.text(1), bundleID: row.optionalText(2))
      products[product, default: ProductCount()].reports += Int(row.int64(4))
      products[product, default: ProductCount()].multiples += Int(row.int64(5))
      guard let currency = Currency(row.text(3)), currency.decimals > 0 else { return }
      decimalPrices += Int(row.int64(6))
      wholePrices += Int(row.int64(7))
      longPrices += Int(row.int64(8))
      guard Self.largeCurrencies.contains(currency.code) else { return }
      largePrices += Int(row.int64(6))
      wholeLargePrices += Int(row.int64(7))
      longLargePrices += Int(row.int64(8))
    }
  }

  /// The numbers of all reports.
  public private(set) var all = FileSums()
  /// The numbers of each new file, keyed by the file's id in state.db.
  public private(set) var files: [Int64: FileSums] = [:]
  /// The numbers of each new file that show where its reports come from.
  public private(set) var reports: [Int64: ReportFileSums] = [:]

  /// Counts the price reports in the warehouse, those of new files also by file.
  init(newFiles: Set<Int64>, on db: Database) throws {
    let rows = try RawStatement("count price reports", Self.sql(file: "NULL"), on: db)
    while try rows.next() { all.add(rows) }
    guard !newFiles.isEmpty else { return }
    let ids = newFiles.sorted().map(String.init).joined(separator: ",")
    let byFile = try RawStatement(
      "count price reports of files", Self.sql(file: "source_file_id", files: ids), on: db)
    while try byFile.next() { files[byFile.int64(0), default: FileSums()].add(byFile) }
    reports = try ReportFileSums.files(newFiles, on: db)
  }

  static func sql(file: String, files: String? = nil) -> String {
    """
    SELECT \(file), product_id, bundle_id, currency, count(1),
      count(CASE WHEN verdict = 'unit_error' THEN 1 END),
      count(CASE WHEN price_milli > 0 THEN 1 END),
      count(CASE WHEN price_milli > 0 AND price_milli % 1000 = 0 THEN 1 END),
      count(CASE WHEN price_milli >= 100000 THEN 1 END)
    FROM price_evidence \(files.map { "WHERE source_file_id IN (\($0))" } ?? "")
    GROUP BY product_id, currency, bundle_id\(files == nil ? "" : ", source_file_id")
    """
  }
}
