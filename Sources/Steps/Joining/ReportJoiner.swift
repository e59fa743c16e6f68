public import PaidAmounts
public import PriceLearning
public import PurchaseModel
public import Purchases

/// Joins price reports, one after another by evidence id, with the purchases they name and with
/// their households.
///
/// For example a report of the customer `c-7` that names a purchase of another household belongs to
/// the household of `c-7`, and the other one sees it too.
public struct ReportJoiner {
  /// A report that is used.
  public struct Joined: Sendable {
    /// The report.
    public var report: HouseholdReport
    /// Its position among the reports that are used.
    public var position: ReportPosition
    /// The household of the purchase it names.
    public var namedHousehold: HouseholdNumber?

    /// The household of the purchase it names, where that is another than its own.
    public var otherHousehold: HouseholdNumber? {
      namedHousehold == report.household ? nil : namedHousehold
    }

    /// Creates a report that was joined before from its fields.
    public init(
      report: HouseholdReport, position: ReportPosition, namedHousehold: HouseholdNumber?
    ) {
      self.report = report
      self.position = position
      self.namedHousehold = namedHousehold
    }
  }

  /// The offers that the reports name.
  public private(set) var offers = OfferLists()
  /// The number of reports that are used.
  public private(set) var count = 0

  /// No report yet.
  public init() {}

  /// Joins the next report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - list: Its offers.
  ///   - claimed: The purchase that its transaction id leads to; `nil` for an unknown id.
  ///   - chains: The households.
  /// - Returns: `nil` for a report of a purchase in the sandbox, which is not used.
  public mutating func join(
    _ report: PriceReport, offers list: [OfferPrice], naming claimed: ClaimedPurchase?,
    _ chains: inout JoinedChains
  ) -> Joined? {
    if claimed?.isSandbox == true { return nil }
    let named = claimed.flatMap { $0.productID == report.productID ? $0 : nil }
    let customer = report.customer.flatMap { chains.households.isPlaceholder($0) ? nil : $0 }
    let namedHousehold = named.flatMap { chains.household(of: $0.place) }
    let household = customer.flatMap { chains.household(ofReporter: $0) } ?? namedHousehold
    let number = offers.index(of: list)
    var report = report
    report.offers = offers.range(of: number)
    defer { count += 1 }
    return Joined(
      report: HouseholdReport(
        report: report, offers: number, customer: customer, household: household,
        named: named?.named,
        voter: Voter(household.map { Int64($0.rawValue) } ?? -1 - Int64(count))),
      position: ReportPosition(count), namedHousehold: namedHousehold)
  }
}
