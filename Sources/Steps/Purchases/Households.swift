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

/// The households: groups of chains and customers that belong together.
///
/// Chains in one response belong to one Apple account. A household joins the chains of an account
/// and those of a customer id. An id is a placeholder, called *nobody's*, if its records hold
/// standing chains of more than five accounts: it then is treated as absent. A chain is standing if
/// it is a subscription or a non-consumable.
///
/// For example the chains 1 and 2 are in one response, and 2 and 3 under the customer `c-7`: one
/// household of three chains. The id `unknown` with 400 accounts joins none of them.
public struct Households: Sendable {
  /// The most accounts with standing chains that an id may have; with more it is a placeholder.
  public static let mostAccounts = 5

  /// A placeholder: a customer id that stands for no single customer.
  public struct PlaceholderCustomerID: Hashable, BitwiseCopyable, Sendable {
    /// The id.
    public var customer: CustomerID
    /// The number of accounts whose standing chains its records hold.
    public var accounts: Int
  }

  /// A customer whom records with a chain name.
  public struct ChainCustomer: Hashable, BitwiseCopyable, Sendable {
    /// The chain's number.
    public var chain: ChainPosition
    /// The customer.
    public var customer: CustomerID

    /// Names both.
    public init(chain: ChainPosition, customer: CustomerID) {
      self.chain = chain
      self.customer = customer
    }
  }

  /// The placeholder ids.
  public private(set) var placeholderIDs: [PlaceholderCustomerID] = []
  private var placeholderSymbols: Set<CustomerID> = []
  /// The number of households, with those of customers without a chain.
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
    accounts: consuming DisjointSets, customers: [ChainCustomer],
    isStanding: (ChainPosition) -> Bool
  ) {
    var sets = accounts
    findPlaceholderIDs(customers, isStanding: isStanding, &sets)
    var firstChain: [CustomerID: ChainPosition] = [:]
    for named in customers where !isPlaceholder(named.customer) {
      if let first = firstChain[named.customer] {
        sets.join(first, named.chain)
      } else {
        firstChain[named.customer] = named.chain
      }
    }
    numberHouseholds(&sets)
    ofCustomers = firstChain.mapValues { ofChains[$0.index] }
  }

  /// The household of a production chain, by the chain's number.
  public func household(ofChain chain: ChainPosition) -> HouseholdNumber {
    ofChains[chain.index]
  }

  /// The household of a customer; `nil` for a placeholder id, and for an unknown one.
  public func household(of customer: CustomerID) -> HouseholdNumber? { ofCustomers[customer] }

  /// The household of a customer who reports, a new one if no chain names the customer.
  ///
  /// `nil` for a placeholder id.
  public mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    if let known = ofCustomers[customer] { return known }
    guard !isPlaceholder(customer) else { return nil }
    let household = HouseholdNumber(Int32(count))
    ofCustomers[customer] = household
    count += 1
    return household
  }

  /// Whether an id is a placeholder.
  public func isPlaceholder(_ customer: CustomerID) -> Bool {
    placeholderSymbols.contains(customer)
  }

  private mutating func findPlaceholderIDs(
    _ customers: [ChainCustomer], isStanding: (ChainPosition) -> Bool, _ sets: inout DisjointSets
  ) {
    var bearers = customers.filter { isStanding($0.chain) }.map {
      ChainCustomer(chain: sets.root(of: $0.chain), customer: $0.customer)
    }
    bearers.sort { ($0.customer, $0.chain) < ($1.customer, $1.chain) }
    var start = 0
    while start < bearers.count {
      var (end, accounts) = (start + 1, 1)
      while end < bearers.count, bearers[end].customer == bearers[start].customer {
        if bearers[end].chain != bearers[end - 1].chain { accounts += 1 }
        end += 1
      }
      if accounts > Self.mostAccounts {
        placeholderIDs.append(
          PlaceholderCustomerID(customer: bearers[start].customer, accounts: accounts))
      }
      start = end
    }
    placeholderSymbols = Set(placeholderIDs.map(\.customer))
  }

  private mutating func numberHouseholds(_ sets: inout DisjointSets) {
    var numbers = [HouseholdNumber?](repeating: nil, count: sets.count)
    ofChains.reserveCapacity(sets.count)
    for chain in 0..<sets.count {
      let root = sets.root(of: ChainPosition(chain)).index
      let household = numbers[root] ?? HouseholdNumber(Int32(count))
      if numbers[root] == nil {
        numbers[root] = household
        count += 1
      }
      ofChains.append(household)
    }
  }
}
