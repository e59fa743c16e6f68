public import PaidAmounts
public import PriceLearning
public import PurchaseModel
public import Purchases

/// The purchase that an id leads to, as far as a report asks.
public struct ClaimedPurchase: BitwiseCopyable, Sendable {
  /// Its key, time and exclusion.
  public var named: NamedPurchase
  /// Its product: a report of another one names nothing.
  public var productID: ProductID
  /// Whether it was bought in the sandbox: reports of it are not used.
  public var isSandbox: Bool
  /// Its chain.
  public var place: ChainPlace

  /// Describes a purchase of a chain.
  public init(_ purchase: Purchase, at place: ChainPlace) {
    named = NamedPurchase(purchase)
    productID = purchase.productID
    isSandbox = purchase.isSandbox
    self.place = place
  }

  /// Describes a purchase of another share's chain.
  public init(named: NamedPurchase, productID: ProductID, isSandbox: Bool, at place: ChainPlace) {
    self.named = named
    self.productID = productID
    self.isSandbox = isSandbox
    self.place = place
  }
}

/// All reports of a run, each joined with the purchase it names and with its household.
public struct JoinedReports: Sendable {
  /// A report of a household, by its position in ``reports``.
  public struct Member: Comparable, Sendable {
    /// The household; `nil` for a report with an unknown customer that names no purchase.
    public var household: HouseholdNumber?
    /// The report.
    public var report: ReportPosition
    /// Whether it belongs to another household, and only names a purchase of this one.
    public var onlyNames: Bool

    /// By household, those without one last; then by evidence id.
    public static func < (left: Self, right: Self) -> Bool {
      let (one, other) = (left.household?.rawValue ?? .max, right.household?.rawValue ?? .max)
      return (one, left.report) < (other, right.report)
    }
  }

  /// The reports that are used, by evidence id.
  public private(set) var reports: [HouseholdReport] = []
  /// The reports that each household sees, in the order of the households.
  public private(set) var members: [Member] = []
  /// The offers that they name.
  public private(set) var offers = OfferLists()
  /// By report of ``reports``: its position among all reports that are used.
  public private(set) var positions: [ReportPosition] = []

  /// Reports of some households that were joined before.
  ///
  /// - Parameters:
  ///   - found: Each report with its position among all, by evidence id, and the household of the
  ///     purchase it names.
  ///   - offers: The offers that they name.
  ///   - isWanted: Whether the rows of a household are decided.
  public init(
    _ found: [(
      report: HouseholdReport, position: ReportPosition, namedHousehold: HouseholdNumber?
    )],
    offers: OfferLists, isWanted: (HouseholdNumber) -> Bool
  ) {
    self.offers = offers
    for entry in found {
      let number = ReportPosition(reports.count)
      reports.append(entry.report)
      positions.append(entry.position)
      if entry.report.household.map(isWanted) ?? true {
        members.append(
          Member(household: entry.report.household, report: number, onlyNames: false))
      }
      if let named = entry.namedHousehold, named != entry.report.household, isWanted(named) {
        members.append(Member(household: named, report: number, onlyNames: true))
      }
    }
    members.sort()
  }

  /// Joins reports with households.
  ///
  /// - Parameters:
  ///   - set: The reports and their offers.
  ///   - chains: The households.
  ///   - purchase: The purchase that an id leads to; `nil` for an id never seen.
  public init(
    _ set: SightingSet, _ chains: inout JoinedChains,
    purchase: (TransactionID) -> ClaimedPurchase?
  ) {
    reports.reserveCapacity(set.reports.count)
    for report in set.reports {
      let claimed = report.transactionID.flatMap(purchase)
      if claimed?.isSandbox == true { continue }
      let named = claimed.flatMap { $0.productID == report.productID ? $0 : nil }
      let customer = report.customer.flatMap { chains.households.isNobody($0) ? nil : $0 }
      let namedHousehold = named.flatMap { chains.household(of: $0.place) }
      let household =
        customer.flatMap { chains.household(ofReporter: $0) } ?? namedHousehold
      let number = ReportPosition(reports.count)
      let list = offers.index(of: Array(set.offers[report.offers]))
      var report = report
      report.offers = offers.range(of: list)
      reports.append(
        HouseholdReport(
          report: report, offers: list, customer: customer, household: household,
          named: named?.named,
          voter: Voter(household.map { Int64($0.rawValue) } ?? -1 - Int64(number.index))))
      members.append(Member(household: household, report: number, onlyNames: false))
      if let namedHousehold, namedHousehold != household {
        members.append(Member(household: namedHousehold, report: number, onlyNames: true))
      }
    }
    members.sort()
    positions = reports.indices.map(ReportPosition.init)
  }
}
