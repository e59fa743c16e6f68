internal import Parallel
public import PurchaseModel

/// A household, by its number among those of a run or a batch.
public struct HouseholdNumber: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number, from 0; it means nothing but "the same".
  public let rawValue: Int32
  /// Names a household.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// Numeric order.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Which chains and customers belong together (RULES section 1, "Household").
///
/// Chains that occur together in one response are one Apple account's. A household is an account's
/// chains and the chains of a customer id, where that id is somebody's: an id whose records hold
/// standing chains of more than five accounts is nobody's, and as if absent.
///
/// For example the chains 1 and 2 in one response, and 2 and 3 under the customer `c-7`: one
/// household of three chains. Under the id `unknown`, which 400 accounts have: two households.
public struct Households: Sendable {
  /// With standing chains of more accounts than this an id is nobody's.
  public static let mostAccounts = 5

  /// An id that is nobody's.
  public struct Nobody: Hashable, BitwiseCopyable, Sendable {
    /// The id.
    public var customer: CustomerID
    /// How many accounts' standing chains its records hold.
    public var accounts: Int
  }

  /// A customer whom records with a chain name.
  public struct ChainCustomer: Hashable, BitwiseCopyable, Sendable {
    /// The chain's number.
    public var chain: Int32
    /// The customer.
    public var customer: CustomerID

    /// Names both.
    public init(chain: Int32, customer: CustomerID) {
      self.chain = chain
      self.customer = customer
    }
  }

  /// The ids that are nobody's.
  public private(set) var nobodies: [Nobody] = []
  private var nobodyIDs: Set<CustomerID> = []
  /// How many households there are, those of customers without a chain included.
  public private(set) var count = 0
  private var ofChains: [HouseholdNumber] = []
  private var ofCustomers: [CustomerID: HouseholdNumber] = [:]

  /// No households.
  public init() {}

  /// Puts chains and customers together.
  ///
  /// - Parameters:
  ///   - accounts: The production chains, by number; those of one response are joined.
  ///   - customers: Whom the records with a chain name.
  ///   - isStanding: Whether a chain is a subscription or something bought once and kept.
  public init(
    accounts: consuming DisjointSets, customers: [ChainCustomer], isStanding: (Int32) -> Bool
  ) {
    var sets = accounts
    findNobodies(customers, isStanding: isStanding, &sets)
    var firstChain: [CustomerID: Int32] = [:]
    for named in customers where !isNobody(named.customer) {
      if let first = firstChain[named.customer] {
        sets.join(first, named.chain)
      } else {
        firstChain[named.customer] = named.chain
      }
    }
    numberHouseholds(&sets)
    ofCustomers = firstChain.mapValues { ofChains[Int($0)] }
  }

  /// The household of a production chain, by the chain's number.
  public func household(ofChain chain: Int32) -> HouseholdNumber { ofChains[Int(chain)] }

  /// The household of a customer; `nil` for an id that is nobody's, and for an unknown one.
  public func household(of customer: CustomerID) -> HouseholdNumber? { ofCustomers[customer] }

  /// The household of a customer who reports, a new one where no chain names the customer; `nil`
  /// for an id that is nobody's.
  public mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    if let known = ofCustomers[customer] { return known }
    guard !isNobody(customer) else { return nil }
    let household = HouseholdNumber(Int32(count))
    ofCustomers[customer] = household
    count += 1
    return household
  }

  /// Whether an id is nobody's.
  public func isNobody(_ customer: CustomerID) -> Bool { nobodyIDs.contains(customer) }

  private mutating func findNobodies(
    _ customers: [ChainCustomer], isStanding: (Int32) -> Bool, _ sets: inout DisjointSets
  ) {
    var accounts: [CustomerID: Set<Int32>] = [:]
    for named in customers where isStanding(named.chain) {
      accounts[named.customer, default: []].insert(sets.root(of: named.chain))
    }
    nobodies = accounts.filter { $0.value.count > Self.mostAccounts }
      .map { Nobody(customer: $0.key, accounts: $0.value.count) }
      .sorted { $0.customer < $1.customer }
    nobodyIDs = Set(nobodies.map(\.customer))
  }

  private mutating func numberHouseholds(_ sets: inout DisjointSets) {
    var numbers = [Int32](repeating: -1, count: sets.count)
    ofChains.reserveCapacity(sets.count)
    for chain in 0..<Int32(sets.count) {
      let root = Int(sets.root(of: chain))
      if numbers[root] < 0 {
        numbers[root] = Int32(count)
        count += 1
      }
      ofChains.append(HouseholdNumber(numbers[root]))
    }
  }
}
