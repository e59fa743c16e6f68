internal import CivilTime
internal import Parallel
public import PurchaseModel

/// A household, by its number among those of a run.
public struct HouseholdNumber: Hashable, Comparable, Sendable {
  /// The number, from 0; it means nothing but "the same".
  public let rawValue: Int32
  /// Names a household.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// The order of the smallest chain ids.
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
  public struct Nobody: Hashable, Sendable {
    /// The id.
    public var customer: CustomerID
    /// How many accounts' standing chains its records hold.
    public var accounts: Int
  }

  /// The ids that are nobody's, in the order of the texts.
  public private(set) var nobodies: [Nobody] = []
  private var nobodyIDs: Set<CustomerID> = []
  /// How many households there are, those of customers without a chain included.
  public private(set) var count = 0
  private var chains: [OriginalTransactionID] = []  // ascending
  private var ofChains: [HouseholdNumber] = []
  private var ofCustomers: [CustomerID: HouseholdNumber] = [:]

  /// No households.
  public init() {}

  /// Puts chains and customers together.
  ///
  /// - Parameters:
  ///   - encounters: What the records say.
  ///   - isStanding: Whether a chain is a subscription or something bought once and kept.
  ///   - reporters: Customers whom reports name; one without a chain is a household by itself.
  init(
    _ encounters: Encounters, isStanding: (OriginalTransactionID) -> Bool,
    reporters: some Sequence<CustomerID>
  ) {
    chains = Array(
      Set(encounters.chains.map(\.chain)).union(encounters.customers.map(\.chain))
    ).sorted()
    var sets = DisjointSets(count: chains.count)
    joinAccounts(encounters.chains, &sets)
    findNobodies(encounters.customers, isStanding: isStanding, &sets)
    var firstChain: [CustomerID: Int32] = [:]
    for encounter in encounters.customers where !isNobody(encounter.customer) {
      let chain = number(of: encounter.chain)
      if let first = firstChain[encounter.customer] {
        sets.join(first, chain)
      } else {
        firstChain[encounter.customer] = chain
      }
    }
    numberHouseholds(&sets)
    ofCustomers = firstChain.mapValues { ofChains[Int($0)] }
    for customer in reporters where ofCustomers[customer] == nil && !isNobody(customer) {
      ofCustomers[customer] = HouseholdNumber(Int32(count))
      count += 1
    }
  }

  /// The household of a chain; `nil` for one that no production record holds.
  public func household(of chain: OriginalTransactionID) -> HouseholdNumber? {
    let place = chains.firstPosition { $0 >= chain }
    return place < chains.count && chains[place] == chain ? ofChains[place] : nil
  }

  /// The household of a customer; `nil` for an id that is nobody's, and for an unknown one.
  public func household(of customer: CustomerID) -> HouseholdNumber? { ofCustomers[customer] }

  /// Whether an id is nobody's.
  public func isNobody(_ customer: CustomerID) -> Bool { nobodyIDs.contains(customer) }

  private func number(of chain: OriginalTransactionID) -> Int32 {
    Int32(chains.firstPosition { $0 >= chain })
  }

  private func joinAccounts(_ encounters: [ChainEncounter], _ sets: inout DisjointSets) {
    let sorted = encounters.sorted { ($0.record, $0.chain) < ($1.record, $1.chain) }
    for (left, right) in zip(sorted, sorted.dropFirst())
    where left.record == right.record && left.chain != right.chain {
      sets.join(number(of: left.chain), number(of: right.chain))
    }
  }

  private mutating func findNobodies(
    _ encounters: [CustomerEncounter], isStanding: (OriginalTransactionID) -> Bool,
    _ sets: inout DisjointSets
  ) {
    var accounts: [CustomerID: Set<Int32>] = [:]
    for encounter in encounters where isStanding(encounter.chain) {
      accounts[encounter.customer, default: []].insert(sets.root(of: number(of: encounter.chain)))
    }
    nobodies = accounts.filter { $0.value.count > Self.mostAccounts }
      .map { Nobody(customer: $0.key, accounts: $0.value.count) }
      .sorted { $0.customer < $1.customer }
    nobodyIDs = Set(nobodies.map(\.customer))
  }

  private mutating func numberHouseholds(_ sets: inout DisjointSets) {
    var numbers = [Int32](repeating: -1, count: chains.count)
    ofChains.reserveCapacity(chains.count)
    for chain in chains.indices {
      let root = Int(sets.root(of: Int32(chain)))
      if numbers[root] < 0 {
        numbers[root] = Int32(count)
        count += 1
      }
      ofChains.append(HouseholdNumber(numbers[root]))
    }
  }
}

extension PurchaseBook {
  /// Settles which chains belong together, and whose each chain is.
  ///
  /// The customer of a chain is the newest snapshot's, of those that are somebody's; of equally new
  /// ones the last in ``CustomerOrder``.
  ///
  /// - Parameters:
  ///   - set: The symbols and price reports.
  ///   - catalogue: What App Store Connect knows of products.
  public mutating func settleHouseholds(_ set: SightingSet, catalogue: Catalogue) {
    encounters.settle()
    var standing: Set<OriginalTransactionID> = []
    for row in purchases.indices where purchases[row].exclusion != .sandbox {
      let kind = catalogue.products[purchases[row].productID]?.kind
      if purchases[row].isSubscription || kind == .nonConsumable {
        standing.insert(purchases[row].originalTransactionID)
      }
    }
    households = Households(
      encounters, isStanding: standing.contains,
      reporters: set.reports.lazy.compactMap(\.customer))
    let order = CustomerOrder(set)
    var next = 0
    for chain in chains.indices {
      let id = chains[chain].originalTransactionID
      while next < encounters.customers.count, encounters.customers[next].chain < id { next += 1 }
      var customer = NewestCustomer()
      while next < encounters.customers.count, encounters.customers[next].chain == id {
        let named = encounters.customers[next]
        if !households.isNobody(named.customer) {
          customer.see(named.customer, age: named.age, order: order)
        }
        next += 1
      }
      chains[chain].customer = customer.value
      chains[chain].household = households.household(of: id)
    }
    encounters = Encounters()
  }
}
