public import AppleReports
public import CivilTime

/// Apple's reports as books: the lines that count, and the days that are complete.
///
/// Subscriptions count from the Subscriber report, which has offers and the day of a refunded
/// purchase. Other products, and the days without that report, count from Sales. Nothing counts
/// twice.
public struct AppleBooks: Sendable {
  /// A line that counts, of a known product.
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
  /// The lines that count.
  public private(set) var lines: [Line] = []
  /// Apple IDs that no Sales report and no catalogue names, with how many lines they have.
  public private(set) var unknownNumbers: [String: Int] = [:]
  private let numbers: ProductNumbers

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

  /// Takes in a line of any report; only those that count are kept.
  public mutating func add(_ line: AppleReportLine) {
    guard counts(line) else { return }
    guard let product = line.productID ?? line.appleID.flatMap(numbers.productID) else {
      unknownNumbers[line.appleID ?? "", default: 0] += 1
      return
    }
    lines.append(Line(productID: product, line: line))
  }

  /// Whether a line counts, as no other report tells the same.
  public func counts(_ line: AppleReportLine) -> Bool {
    switch line.report {
    // A subscription says whether it is new or a renewal; nothing else does.
    case .sales: line.isRenewal == nil || !subscriberDays.contains(line.day)
    case .subscriber: true
    case .subscriptionEvent, .subscription, .financial: false
    }
  }

  /// Whether a report of the day, of the one before or of the one after was read.
  public func isNear(_ day: CivilDay) -> Bool {
    [-1, 0, 1].contains { covers(day.advanced(by: $0), isSubscription: true) }
  }

  /// Whether the reports of a day cover all such purchases.
  ///
  /// - Parameters:
  ///   - day: The Pacific day.
  ///   - isSubscription: Whether auto-renewable subscriptions are meant.
  /// - Returns: Whether a report of that day was read.
  public func covers(_ day: CivilDay, isSubscription: Bool) -> Bool {
    salesDays.contains(day) || (isSubscription && subscriberDays.contains(day))
  }
}
