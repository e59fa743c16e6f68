internal import Amounts
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import StateStore

/// For each file, the number of prices that seem to have another unit than the pipeline states.
///
/// Example: most prices of a product are 100 times as high as in other reports.
struct PriceUnitTally: Sendable {
  /// The numbers of all reports, and of reports in a wrong unit, for one product in one file.
  struct ProductCount {
    var reports = 0
    /// The number of prices in a wrong unit.
    ///
    /// They are 100 or 1,000 times higher or lower than in the catalogue or in other reports.
    var multiples = 0
  }

  /// The numbers of prices in one file, from which gates conclude whether the unit is wrong.
  struct FileAccount {
    fileprivate(set) var products: [ProductID: ProductCount] = [:]
    /// The number of prices above 0 in currencies with decimals, such as USD.
    private(set) var decimalPrices = 0
    private var wholePrices = 0
    private var longPrices = 0

    fileprivate mutating func add(
      _ price: Milliunits, _ currency: Currency, of product: ProductID, _ verdict: Verdict
    ) {
      products[product, default: ProductCount()].reports += 1
      if verdict == .unitError { products[product]?.multiples += 1 }
      guard price > .zero, currency.decimals > 0 else { return }
      decimalPrices += 1
      if price.rawValue % 1000 == 0 { wholePrices += 1 }
      if price.rawValue >= 100_000 { longPrices += 1 }
    }

    fileprivate mutating func add(_ other: FileAccount) {
      for (product, count) in other.products {
        products[product, default: ProductCount()].reports += count.reports
        products[product, default: ProductCount()].multiples += count.multiples
      }
      decimalPrices += other.decimalPrices
      wholePrices += other.wholePrices
      longPrices += other.longPrices
    }

    /// Whether all prices are whole numbers, and most have three digits or more.
    ///
    /// Ignores prices of 0, and prices in currencies without decimals, such as JPY.
    var areAllWhole: Bool {
      decimalPrices > 0 && wholePrices == decimalPrices && longPrices * 2 > wholePrices
    }
  }

  /// The numbers of each file, keyed by the file's position among all files.
  private(set) var files: [Int32: FileAccount] = [:]

  private var known: FileAccount?

  /// The counts of all files together.
  var all: FileAccount { known ?? files.values.reduce(into: FileAccount()) { $0.add($1) } }

  var products: Set<ProductID> { Set(files.values.flatMap(\.products.keys)) }

  /// Adds the reports of the batch's households, and the batch's reports without a household.
  mutating func add(_ batch: HouseholdBatches.Batch, _ reportVerdicts: [ReportVerdict]) {
    for (place, member) in batch.members.enumerated() where member.isOwn {
      let report = batch.batch.reports[place].report
      files[report.source.file, default: FileAccount()].add(
        report.price, report.currency, of: report.productID, reportVerdicts[place].verdict)
    }
  }

  /// Sets ``all`` to the numbers over every report in use.
  ///
  /// An incremental run needs this, because it decides only some of the reports.
  mutating func setAll(_ reports: IncrementalReports) {
    var all = FileAccount()
    for (placed, report) in zip(reports.placed, reports.all) {
      all.add(placed.price, placed.currency, of: placed.productID, report.storedVerdict.verdict)
    }
    known = all
  }

  /// Adds the prices of another batch.
  mutating func add(_ other: PriceUnitTally) {
    for (file, account) in other.files { files[file, default: FileAccount()].add(account) }
  }
}
