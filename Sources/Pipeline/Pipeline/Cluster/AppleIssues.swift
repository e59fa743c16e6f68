internal import SharedTables
internal import AppleReports
internal import CivilTime
internal import Diagnostics
internal import Reconciling
internal import StateStore

/// Apple's reports in a cluster's job: the reports that are used, and the product of each Apple ID.
///
/// They are read from the rows with the tags `issue` and `number` that `gather` wrote.
struct AppleIssues {
  /// The tags of the rows that `gather` writes about Apple's reports.
  static let tags: Set<String> = ["issue", "number"]

  /// The reports whose lines are used, sorted by file id.
  ///
  /// A file that repeats the report of another file is left out.
  let files: [AppleReportFile]
  /// The product of each Apple ID, which is Apple's number for a product.
  let numbers: ProductNumbers
  /// The used files, each with the day of its report.
  private let days: [Int64: CivilDay?]
  /// The apps that sell each product, according to the reports.
  private(set) var apps = AppProducts()
  /// The days of Finance Detail reports.
  ///
  /// `fiscal` has all days of the fiscal months that the reports are for. `lines` has the days of
  /// the charges and refunds in their lines.
  private var detailDays: (fiscal: Set<CivilDay>, lines: Set<CivilDay>) = ([], [])
  /// Whether the product of any charge in the used reports is unknown.
  ///
  /// A product is unknown if the line has no product id, and neither another report nor the
  /// catalogue has a product for its Apple ID.
  private var hasUnmapped = false

  /// The properties that the report lines of one row `number` have in common.
  private struct Sold: Hashable {
    var appleID: String?
    var productID: String?
    var app: String?
    var isCharge: Bool
  }

  /// Writes the rows `issue` and `number` of one of Apple's reports.
  ///
  /// The row `issue` has the type of the report and the most frequent day of its lines. For Finance
  /// Detail, it also has all days of the lines and all settlement days. A row `number` has an Apple
  /// ID, its product and app, whether the report lists charges, and the number of such lines.
  static func write(_ file: IncomingFile, _ key: FilterField, to output: FilterOutput)
    throws(RunFailure)
  {
    var days: [CivilDay: Int] = [:]
    var settlements: Set<CivilDay> = []
    var named: [Sold: Int64] = [:]
    for line in file.reportLines {
      days[line.day, default: 0] += 1
      if line.report == .financeDetail { settlements.insert(line.settlementDay) }
      let sold = Sold(
        appleID: line.appleID, productID: line.productID, app: line.app,
        isCharge: line.report == .sales || line.report == .subscriber
          || line.report == .financeDetail)
      named[sold, default: 0] += 1
    }
    let commonest = days.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    // Finance Detail covers many days; it is used on days without other reports.
    func list(_ days: some Sequence<CivilDay>) -> FilterField {
      .name(
        file.report == .financeDetail ? days.sorted().map(\.text).joined(separator: " ") : nil)
    }
    try output.row(
      "issue", key, .name(file.report?.rawValue), .name(commonest?.text), list(days.keys),
      list(settlements))
    for (sold, count) in named {
      try output.row(
        "number", key, .name(sold.appleID), .name(sold.productID), .name(sold.app),
        .flag(sold.isCharge), .number(count))
    }
  }

  /// Creates the reports from the rows that `gather` wrote.
  ///
  /// - Parameters:
  ///   - settings: The settings. Their catalogue has the products of Apple IDs that are not in the
  ///     reports.
  init(rows: [FilterRow], _ known: FilterFiles, _ settings: ReconstructSettings)
    throws(RunFailure)
  {
    var (seen, files): (Set<[UInt8]>, [AppleReportFile]) = ([], [])
    var numbers = ProductNumbers(catalogue: settings.catalogue.appleIDs)
    var sold: [(file: Int64, sold: Sold)] = []
    var (lineDays, settlements): ([Int64: [CivilDay]], [Int64: [CivilDay]]) = ([:], [:])
    for var row in rows where seen.insert(row.line).inserted {
      let account = known.accounts[Int(try known.position(of: try row.requiredText(), in: row))]
      guard row.tag == "issue" else {
        let line = Sold(
          appleID: try row.name(), productID: try row.name(), app: try row.name(),
          isCharge: try row.flag())
        sold.append((account.id, line))
        let count = Int(try row.number())
        if let appleID = line.appleID, let product = line.productID {
          numbers.add(appleID: appleID, productID: product, count: count)
        }
        continue
      }
      let report = try row.name().flatMap(AppleReport.init(rawValue:))
      let commonest = try row.optionalDay()
      lineDays[account.id] = try Self.days(&row)
      settlements[account.id] = try Self.days(&row)
      files.append(
        AppleReportFile(
          fileID: account.id, report: report, day: account.exportDate ?? commonest))
    }
    // If several files have the same data, the file whose name sorts last is used, as on a single
    // machine.
    for (file, line) in sold {
      guard let index = files.firstIndex(where: { $0.fileID == file }) else { continue }
      files[index].apps.insert(line.app ?? line.productID ?? line.appleID ?? "")
    }
    let preferred = files.map { file in (file, known.accounts[Int(file.fileID) - 1]) }.sorted {
      let names = (Array($0.1.name.utf8), Array($1.1.name.utf8))
      return names.0 == names.1
        ? $0.1.sha256 < $1.1.sha256 : names.1.lexicographicallyPrecedes(names.0)
    }
    self.files = AppleReportFile.counting(preferred.map(\.0))
    self.numbers = numbers
    days = Dictionary(self.files.map { ($0.fileID, $0.day) }) { first, _ in first }
    for (file, line) in sold where uses(file) {
      if let product = line.productID ?? line.appleID.flatMap(numbers.productID) {
        if let app = line.app { apps.add(app: app, sells: product) }
      } else if line.isCharge {
        hasUnmapped = true
      }
    }
    for (file, days) in lineDays where uses(file) { detailDays.lines.formUnion(days) }
    for (file, days) in settlements where uses(file) {
      for day in days { detailDays.fiscal.formUnion(FiscalMonth.days(around: day)) }
    }
  }

  /// Reads a field with days that are separated by spaces.
  private static func days(_ row: inout FilterRow) throws(RunFailure) -> [CivilDay] {
    (try row.name() ?? "").split(separator: " ").compactMap { CivilDay(text: String($0)) }
  }

  /// Returns true if the lines of a file are used.
  func uses(_ file: Int64) -> Bool { days[file] != nil }

  /// Whether no report is used.
  var isEmpty: Bool { files.isEmpty }

  /// Apple's reports for the comparison with the facts, without their lines; the caller adds the
  /// lines.
  ///
  /// `nil` if no report is used.
  var appleReports: ReconciledReports? {
    guard !files.isEmpty else { return nil }
    var appleReports = ReconciledReports(files: files, numbers: numbers)
    appleReports.set(apps: apps, detailDays: detailDays, hasUnmapped: hasUnmapped)
    return appleReports
  }

  /// The day of the report in a file; `nil` if the file is not used.
  func day(_ file: Int64) -> CivilDay? { days[file] ?? nil }
}
