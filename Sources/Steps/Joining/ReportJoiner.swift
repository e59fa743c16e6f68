public import PaidAmounts
public import PriceLearning
public import PurchaseModel
public import Purchases

/// Joins price reports with their purchases and households, in the order of evidence ids.
///
/// Example: a report of customer `c-7` has the transaction id of another household's purchase. The
/// report belongs to the household of `c-7`, but is also passed to the other household.
public struct ReportJoiner {
  /// A price report, assigned to its purchase and its household.
  public struct Joined: Sendable {
    /// The report with its purchase, household and voter.
    public var report: HouseholdReport
    /// The position of the report among the joined reports.
    public var position: ReportPosition
    /// The household of the purchase that has the report's transaction id and product; `nil` if
    /// there is none.
    public var namedHousehold: HouseholdNumber?

    /// The household of the purchase, if the report belongs to another household; else `nil`.
    public var otherHousehold: HouseholdNumber? {
      namedHousehold == report.household ? nil : namedHousehold
    }

    /// Creates a report that an earlier run joined.
    public init(
      report: HouseholdReport, position: ReportPosition, namedHousehold: HouseholdNumber?
    ) {
      self.report = report
      self.position = position
      self.namedHousehold = namedHousehold
    }
  }

  /// The offers of the joined reports.
  public private(set) var offers = OfferLists()
  /// The number of joined reports.
  public private(set) var count = 0

  /// Creates a joiner without reports; offers of further reports are added to `offers`.
  public init(offers: OfferLists = OfferLists()) { self.offers = offers }

  /// Counts a report that an earlier run joined, and returns its household and voter.
  ///
  /// - Parameters:
  ///   - customer: The customer id in the report; it may be a placeholder.
  ///   - namedHousehold: The household of the purchase that has the report's transaction id.
  public mutating func keep(
    customer: CustomerID?, namedHousehold: HouseholdNumber?, _ chains: inout JoinedChains
  ) -> (household: HouseholdNumber?, voter: Voter) {
    defer { count += 1 }
    let household = customer.flatMap { chains.household(ofReporter: $0) } ?? namedHousehold
    return (household, voter(of: household))
  }

  /// The voter behind a report: its household, or the report itself if it has none.
  public static func voter(of household: HouseholdNumber?, at position: Int) -> Voter {
    Voter(household.map { Int64($0.rawValue) } ?? -1 - Int64(position))
  }

  private func voter(of household: HouseholdNumber?) -> Voter {
    Self.voter(of: household, at: count)
  }

  /// Joins the next report.
  ///
  /// - Parameters:
  ///   - claimed: The purchase with the report's transaction id; `nil` for an unknown id.
  ///   - chains: The households; one is added for a customer without a household.
  ///   - symbols: The table with the texts of transaction ids.
  /// - Returns: The joined report; `nil` for a report of a sandbox purchase, which is ignored.
  public mutating func join(
    _ report: PriceReport, offers list: [OfferPrice], naming claimed: ClaimedPurchase?,
    _ chains: inout JoinedChains, in symbols: SymbolTable
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
        unknownTransaction: claimed == nil
          ? UnknownTransaction(report.transactionID, in: symbols) : nil,
        voter: voter(of: household)),
      position: ReportPosition(count), namedHousehold: namedHousehold)
  }
}
