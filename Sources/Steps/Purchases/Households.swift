public import PurchaseModel

/// The number of a household in a run or a batch.
public struct HouseholdNumber: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// An arbitrary number from 0 that identifies the household.
  public let rawValue: Int32
  /// Creates a household number.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// Orders households by their numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The households: groups of chains and customers that belong together.
///
/// All chains in one response belong to one Apple account. Chains of one account are in one
/// household, and so are chains with the same customer id. A customer id is a placeholder if more
/// than five accounts have durable chains with it; a placeholder joins nothing. A chain is durable
/// if it is a subscription or a non-consumable. An account whose receipt was passed on
/// (``PassedOnReceipts``) is joined with no customer id.
///
/// Example: the chains 1 and 2 are in one response, and the chains 2 and 3 have the customer `c-7`:
/// they form one household of three chains. The customer id `unknown` with 400 accounts does not
/// join chains.
public struct Households: Sendable {
  /// The largest number of accounts with durable chains that a customer id may have.
  ///
  /// A customer id with more accounts is a placeholder.
  public static let mostAccounts = 5
  /// The largest number of customer ids in the records of an account whose receipt was not passed
  /// on.
  public static let mostIDs = 20

  /// A customer id that occurs with too many Apple accounts to belong to one customer.
  public struct PlaceholderCustomerID: Hashable, BitwiseCopyable, Sendable {
    /// The customer id that is a placeholder.
    public var customer: CustomerID
    /// The number of accounts that have a subscription or a non-consumable with this customer id.
    public var accounts: Int
  }

  /// A customer whose id occurs in the records of a chain.
  public struct ChainCustomer: Hashable, BitwiseCopyable, Sendable {
    /// The position of the chain among all chains.
    public var chain: ChainPosition
    /// The customer in the chain's records.
    public var customer: CustomerID

    /// Creates the link between a chain and a customer.
    public init(chain: ChainPosition, customer: CustomerID) {
      self.chain = chain
      self.customer = customer
    }
  }

  /// The customer ids that are placeholders.
  public private(set) var placeholderIDs: [PlaceholderCustomerID] = []
  private var placeholderSymbols: Set<CustomerID> = []
  /// The accounts whose receipts were passed on, each by its first chain.
  public private(set) var passedOn: Set<ChainPosition> = []
  /// The number of households, including those of customers who only sent price reports.
  public private(set) var count = 0
  private var ofChains: [HouseholdNumber] = []
  private var ofCustomers: [CustomerID: HouseholdNumber] = [:]

  /// Forms households from chains and customers.
  ///
  /// - Parameters:
  ///   - accounts: All chains; the chains of one production response are in one set.
  ///   - isDurable: Returns true if a chain is a subscription or a non-consumable.
  public init(
    accounts: consuming DisjointSets, customers: [ChainCustomer],
    isDurable: (ChainPosition) -> Bool
  ) {
    var sets = accounts
    let passedOn = PassedOnReceipts.accounts(customers, isDurable: isDurable, &sets)
    self.passedOn = passedOn
    let customers =
      passedOn.isEmpty
      ? customers : customers.filter { !passedOn.contains(sets.root(of: $0.chain)) }
    findPlaceholderIDs(customers, isDurable: isDurable, &sets)
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

  /// The household of a production chain, given by the chain's position among all chains.
  public func household(ofChain chain: ChainPosition) -> HouseholdNumber {
    ofChains[chain.index]
  }

  /// The household of a customer; `nil` for a placeholder or an unknown id.
  public func household(of customer: CustomerID) -> HouseholdNumber? { ofCustomers[customer] }

  /// Returns the household of a customer who sent a report; `nil` for a placeholder id.
  ///
  /// If the customer has no household yet, a household is created.
  public mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    if let known = ofCustomers[customer] { return known }
    guard !isPlaceholder(customer) else { return nil }
    let household = HouseholdNumber(Int32(count))
    ofCustomers[customer] = household
    count += 1
    return household
  }

  /// Returns true if a customer id is a placeholder.
  public func isPlaceholder(_ customer: CustomerID) -> Bool {
    placeholderSymbols.contains(customer)
  }

  private mutating func findPlaceholderIDs(
    _ customers: [ChainCustomer], isDurable: (ChainPosition) -> Bool, _ sets: inout DisjointSets
  ) {
    var bearers = customers.filter { isDurable($0.chain) }.map {
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
