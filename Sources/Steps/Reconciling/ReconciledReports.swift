public import AppleReports
public import CivilTime

/// The lines of Apple's reports that are compared with the facts, and the days that they cover.
///
/// No charge is used twice. Subscriptions are read from the Subscriber report, which has offers and
/// the day of a refunded purchase. Other products, and all products of a day without a Subscriber
/// report, are read from Sales. A day without both reports is read from Finance Detail, which
/// covers whole fiscal months.
public struct ReconciledReports: Sendable {
  /// A line that is compared with the facts, with the product id that was found for it.
  public struct Line: Hashable, Sendable {
    /// The product id in the line; if the line has only an Apple ID, the product id of that Apple
    /// ID.
    ///
    /// The product of an Apple ID comes from other lines or from the catalogue.
    public var productID: String
    /// The line of the report.
    public var line: AppleReportLine
  }

  /// The days with a Subscriber report.
  public let subscriberDays: Set<CivilDay>
  /// The days with a Sales report.
  public let salesDays: Set<CivilDay>
  /// The days of Finance Detail's fiscal months that have neither a Subscriber nor a Sales report.
  public private(set) var detailDays: Set<CivilDay> = []
  /// The days of the lines in Finance Detail; some may be before the fiscal months of the reports.
  private var detailLineDays: Set<CivilDay> = []
  /// The settlement days in Finance Detail; their fiscal months have been added to ``detailDays``.
  private var settlements: Set<CivilDay> = []
  /// The lines that are compared with the facts; their products are known.
  public private(set) var lines: [Line] = []
  /// The lines with an Apple ID that is neither in a Sales report nor in the catalogue.
  public private(set) var unmapped: [AppleReportLine] = []
  /// The check of Apple's reports; it contains all charges in Sales and Subscriber reports.
  public private(set) var check = ReportCheck()
  /// The apps that sell each product, from the lines with a product and an app.
  public private(set) var apps = AppProducts()
  /// The product id of each Apple ID.
  public let numbers: ProductNumbers
  private var hasUnmapped = false
  private let spans: (all: ClosedRange<CivilDay>?, sales: ClosedRange<CivilDay>?)

  /// Creates reports without lines.
  public init(
    subscriberDays: Set<CivilDay>, salesDays: Set<CivilDay>, numbers: ProductNumbers = .init()
  ) {
    self.subscriberDays = subscriberDays
    self.salesDays = salesDays
    self.numbers = numbers
    func span(_ days: Set<CivilDay>) -> ClosedRange<CivilDay>? {
      guard let first = days.min(), let last = days.max() else { return nil }
      return first...last
    }
    spans = (span(subscriberDays.union(salesDays)), span(salesDays))
  }

  /// Creates reports without lines, with the days of some files.
  public init(files: [AppleReportFile], numbers: ProductNumbers) {
    func days(_ report: AppleReport) -> Set<CivilDay> {
      Set(files.filter { $0.report == report }.compactMap(\.day))
    }
    self.init(subscriberDays: days(.subscriber), salesDays: days(.sales), numbers: numbers)
  }

  /// Sets the products of the facts and of the catalogue.
  ///
  /// From then on, a product outside this set may be recognized as a product of another app.
  public mutating func addProducts(_ products: Set<String>) { apps.addProducts(products) }

  /// Sets the values that depend on all lines, for a caller that adds only some lines.
  public mutating func set(
    apps: AppProducts, detailDays: (fiscal: Set<CivilDay>, lines: Set<CivilDay>),
    hasUnmapped: Bool
  ) {
    self.apps = apps
    self.detailDays = detailDays.fiscal.subtracting(salesDays).subtracting(subscriberDays)
    detailLineDays = detailDays.lines
    self.hasUnmapped = hasUnmapped
  }

  /// Adds a line of any report; the line is compared only if ``uses(_:)`` returns true.
  ///
  /// - Parameters:
  ///   - reportDay: The day of the line's file; by default the day of the line.
  public mutating func add(_ line: AppleReportLine, reportDay: CivilDay? = nil) {
    let product = line.productID ?? line.appleID.flatMap(numbers.productID)
    if let product {
      if let app = line.app { apps.add(app: app, sells: product) }
      if let entry = ReportCheck.Entry(line, of: product, reportDay: reportDay ?? line.day) {
        check.add(entry, units: line.units)
      }
    }
    if line.report == .financeDetail { addFiscalMonth(line) }
    guard uses(line) else { return }
    guard let product else {
      hasUnmapped = true
      return unmapped.append(line)
    }
    lines.append(Line(productID: product, line: line))
  }

  private mutating func addFiscalMonth(_ line: AppleReportLine) {
    detailLineDays.insert(line.day)
    guard settlements.insert(line.settlementDay).inserted else { return }
    detailDays.formUnion(
      FiscalMonth.days(around: line.settlementDay)
        .filter { !salesDays.contains($0) && !subscriberDays.contains($0) })
  }

  /// Returns true if a line is compared with the facts.
  ///
  /// Only lines of Sales, Subscriber and Finance Detail are compared. A Sales line about a
  /// subscription is left out if its day has a Subscriber report. A Finance Detail line is left out
  /// if its day has a Sales or Subscriber report.
  public func uses(_ line: AppleReportLine) -> Bool {
    switch line.report {
    case .sales: line.isSubscription == false || !subscriberDays.contains(line.day)
    case .subscriber: true
    case .financeDetail: !salesDays.contains(line.day) && !subscriberDays.contains(line.day)
    case .subscriptionEvent, .subscription, .financial, .analyticsEvent, .analyticsState: false
    }
  }

  /// The product ids that several apps of the vendor sell.
  ///
  /// Sales, Subscriber and the facts identify an app by different names. So charges for a shared id
  /// cannot be separated by app.
  public var sharedProducts: Set<String> { numbers.shared }

  /// The unreliable charges in the reports, except charges for products of other apps.
  public var doubts: ReportDoubts {
    var doubts = check.doubts(subscriberDays: subscriberDays, salesDays: salesDays)
    doubts.leaveOut { apps.isOther($0) }
    return doubts
  }

  /// Returns true if purchases on a day may be compared.
  ///
  /// One of these conditions must be true:
  ///
  /// - The day is between days with a Sales or Subscriber report.
  /// - The day, the day before or the day after has a report or a line of Finance Detail.
  public func isNear(_ day: CivilDay) -> Bool {
    spans.all?.contains(day) == true
      || [-1, 0, 1].map { day.advanced(by: $0) }.contains {
        covers($0, isSubscription: true) || detailLineDays.contains($0)
      }
  }

  /// Returns true if a day has a report with all charges for a kind of product.
  ///
  /// - Returns: True if the day has such a report.
  public func covers(_ day: CivilDay, isSubscription: Bool) -> Bool {
    salesDays.contains(day) || (isSubscription && subscriberDays.contains(day))
      || detailDays.contains(day)
  }

  /// Returns true if a report covers the day of a line, or if the line is carried over from another
  /// fiscal month.
  ///
  /// See ``isCarriedOver(_:)``.
  func covers(_ line: AppleReportLine) -> Bool {
    covers(line.day, isSubscription: line.isSubscription ?? true) || isCarriedOver(line)
  }

  /// Returns true for a line of Finance Detail if the fiscal month of the line's day was not read.
  ///
  /// The other charges of that day are missing, so the day is not compared. Example: the report of
  /// the fiscal month from May 5 to June 1 contains a charge of April 30.
  func isCarriedOver(_ line: AppleReportLine) -> Bool {
    line.report == .financeDetail && !detailDays.contains(line.day)
  }

  /// Returns true if a charge or refund of a day may be in Finance Detail as a line carried over
  /// from another fiscal month.
  ///
  /// It may be if Finance Detail has any line of that day, of the day before or of the day after;
  /// see ``isCarriedOver(_:)``.
  func mayBeCarriedOver(_ day: CivilDay) -> Bool {
    (-1...1).contains { detailLineDays.contains(day.advanced(by: $0)) }
  }

  /// Returns true if a day is compared: it has a report, or is between days with reports.
  ///
  /// For products that are not subscriptions, Subscriber reports are ignored.
  public func compares(_ day: CivilDay, isSubscription: Bool) -> Bool {
    let span = isSubscription ? spans.all : spans.sales
    return covers(day, isSubscription: isSubscription) || span?.contains(day) == true
  }

  /// Returns true if the charge of a product on a day may be a line whose Apple ID is unknown.
  ///
  /// This is possible if the reports have a line with an unknown Apple ID, no Apple ID is known for
  /// the product, and the day has no Sales report.
  func mayBeUnmapped(_ productID: String, on day: CivilDay) -> Bool {
    hasUnmapped && !salesDays.contains(day) && !numbers.names(productID)
  }
}
