public import AppleReports
public import CivilTime

/// Apple's reports as books: the lines that count, and the days that are complete.
///
/// Subscriptions count from the Subscriber report, which has offers and the day of a refunded
/// purchase. Other products, and the days without that report, count from Sales; days without
/// either from Finance Detail. Nothing is used twice.
public struct AppleBooks: Sendable {
  /// A line that is used, of a known product.
  public struct Line: Hashable, Sendable {
    /// The product.
    public var productID: String
    /// The line of the report.
    public var line: AppleReportLine

    /// Names the product of a line.
    public init(productID: String, line: AppleReportLine) {
      self.productID = productID
      self.line = line
    }
  }

  /// The days whose Subscriber report was read.
  public let subscriberDays: Set<CivilDay>
  /// The days whose Sales report was read.
  public let salesDays: Set<CivilDay>
  /// The other days with a charge in Finance Detail.
  public private(set) var detailDays: Set<CivilDay> = []
  /// The lines that count and whose product is known.
  public private(set) var lines: [Line] = []
  /// The lines of an Apple ID that neither a Sales report nor the catalogue names.
  public private(set) var unmapped: [AppleReportLine] = []
  /// The charges of both daily reports, those that do not count too.
  public private(set) var check = ReportCheck()
  /// The apps of the products.
  public private(set) var apps = AppProducts()
  private let numbers: ProductNumbers
  private var hasUnmapped = false
  private let spans: (all: ClosedRange<CivilDay>?, sales: ClosedRange<CivilDay>?)

  /// Begins books.
  ///
  /// - Parameters:
  ///   - subscriberDays: The days whose Subscriber report was read.
  ///   - salesDays: The days whose Sales report was read.
  ///   - numbers: The product of each Apple ID.
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

  /// Begins books of the files that were read.
  ///
  /// - Parameters:
  ///   - files: The files whose lines count.
  ///   - numbers: The product of each Apple ID.
  public init(files: [AppleReportFile], numbers: ProductNumbers) {
    func days(_ report: AppleReport) -> Set<CivilDay> {
      Set(files.filter { $0.report == report }.compactMap(\.day))
    }
    self.init(subscriberDays: days(.subscriber), salesDays: days(.sales), numbers: numbers)
  }

  /// Sets the products of the facts and of the catalogue, to recognise those of other apps.
  public mutating func know(_ products: Set<String>) { apps.know(products) }

  /// Sets the summary of all lines, where only some will be added.
  ///
  /// - Parameters:
  ///   - apps: The apps of the products.
  ///   - detailDays: The days with a charge in Finance Detail.
  ///   - hasUnmapped: Whether a line has an Apple ID that nothing names.
  public mutating func take(apps: AppProducts, detailDays: Set<CivilDay>, hasUnmapped: Bool) {
    self.apps = apps
    self.detailDays = detailDays.subtracting(salesDays).subtracting(subscriberDays)
    self.hasUnmapped = hasUnmapped
  }

  /// Adds one line of any report; only those that count are kept.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - reportDay: The day of its file; by default the line's.
  public mutating func add(_ line: AppleReportLine, reportDay: CivilDay? = nil) {
    let product = line.productID ?? line.appleID.flatMap(numbers.productID)
    if let product {
      if let app = line.app { apps.add(app: app, sells: product) }
      if let entry = ReportCheck.Entry(line, of: product, reportDay: reportDay ?? line.day) {
        check.add(entry, units: line.units)
      }
    }
    guard counts(line) else { return }
    if line.report == .financeDetail { detailDays.insert(line.day) }
    guard let product else {
      hasUnmapped = true
      return unmapped.append(line)
    }
    lines.append(Line(productID: product, line: line))
  }

  /// Whether a line is used: no other report has the same data.
  public func counts(_ line: AppleReportLine) -> Bool {
    switch line.report {
    case .sales: line.isSubscription == false || !subscriberDays.contains(line.day)
    case .subscriber: true
    case .financeDetail: !salesDays.contains(line.day) && !subscriberDays.contains(line.day)
    case .subscriptionEvent, .subscription, .financial: false
    }
  }

  /// Finds the charges that prove nothing, of products that are not another app's.
  public var doubts: ReportDoubts {
    var doubts = check.doubts(subscriberDays: subscriberDays, salesDays: salesDays)
    doubts.leaveOut { apps.isOther($0) }
    return doubts
  }

  /// Whether a purchase of a day may be compared: the day, the one before or the one after was
  /// reported, or lies between days that were.
  public func isNear(_ day: CivilDay) -> Bool {
    spans.all?.contains(day) == true
      || [-1, 0, 1].contains { covers(day.advanced(by: $0), isSubscription: true) }
  }

  /// Whether the reports of a day cover all such purchases.
  ///
  /// - Parameters:
  ///   - day: The Pacific day.
  ///   - isSubscription: Whether auto-renewable subscriptions are meant.
  /// - Returns: Whether a report of that day was read.
  public func covers(_ day: CivilDay, isSubscription: Bool) -> Bool {
    salesDays.contains(day) || (isSubscription && subscriberDays.contains(day))
      || detailDays.contains(day)
  }

  /// Whether the day of a line is covered.
  func covers(_ line: AppleReportLine) -> Bool {
    covers(line.day, isSubscription: line.isSubscription ?? true)
  }

  /// Whether a day is compared: it is covered, or its report is missing between others.
  public func compares(_ day: CivilDay, isSubscription: Bool) -> Bool {
    let span = isSubscription ? spans.all : spans.sales
    return covers(day, isSubscription: isSubscription) || span?.contains(day) == true
  }

  /// Whether a product can have lines that name it by an Apple ID which nothing maps to it.
  func mayBeUnmapped(_ productID: String, on day: CivilDay) -> Bool {
    hasUnmapped && !salesDays.contains(day) && !numbers.names(productID)
  }
}
