public import PaidAmounts
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

/// The reports of one task of a cluster, each joined with the purchase it names and with its
/// household.
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
    var joiner = ReportJoiner()
    reports.reserveCapacity(set.reports.count)
    for report in set.reports {
      let joined = joiner.join(
        report, offers: Array(set.offers[report.offers]),
        naming: report.transactionID.flatMap(purchase), &chains)
      guard let joined else { continue }
      reports.append(joined.report)
      members.append(
        Member(household: joined.report.household, report: joined.position, onlyNames: false))
      if let other = joined.otherHousehold {
        members.append(Member(household: other, report: joined.position, onlyNames: true))
      }
    }
    members.sort()
  }
}
