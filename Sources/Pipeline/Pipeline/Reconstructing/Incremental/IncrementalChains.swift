internal import CivilTime
internal import Parallel
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import Warehouse

/// The chains and households of the last publication, updated with the changed chains.
struct IncrementalChains {
  private(set) var chains: [ChainLink]
  private(set) var customers: [Households.ChainCustomer]
  /// For each transaction id in the changed chains and reports, the first chain that claims it.
  private let claims: [TransactionID: ChainKey]
  private(set) var households = Households()
  private(set) var positions: [ChainKey: ChainPosition]
  /// For each chain, whether its input has changed.
  private(set) var isChanged: [Bool]

  /// Moves the chains from an index to this value, and adds the changed chains.
  ///
  /// - Parameters:
  ///   - index: The rows of the last publication.
  init(
    _ index: inout PublishedIndex, _ changed: LoadedChains, known: [TransactionID: [ChainKey]]
  ) throws(FullRunReason) {
    chains = index.chains
    customers = index.customers
    index.forgetChains()
    claims = try Self.claims(changed, known)
    positions = Dictionary(
      chains.indices.lazy.map { [chains] in (chains[$0].key, ChainPosition($0)) },
      uniquingKeysWith: min)
    chains.reserveCapacity(chains.count + changed.chains.count)
    guard positions.count == chains.count, !changed.hasClash else { throw .contestedID }
    for (key, loaded) in changed.chains.sorted(by: { $0.key < $1.key }) {
      if let known = positions[key] {
        chains[known.index].isDurable = loaded.isDurable
      } else {
        positions[key] = ChainPosition(chains.count)
        chains.append(
          ChainLink(
            key: key, account: key, isSandbox: loaded.unit.isSandbox,
            isDurable: loaded.isDurable, nextChangeAt: nil, customers: []))
      }
    }
    isChanged = Array(repeating: false, count: chains.count)
    for key in changed.chains.keys {
      if let chain = positions[key] { isChanged[chain.index] = true }
    }
    addCustomers(changed)
    join(changed)
    guard Set(households.placeholderIDs.map(\.customer)) == index.sums.placeholderIDs else {
      throw .placeholderIDs
    }
  }

  private mutating func addCustomers(_ changed: LoadedChains) {
    customers.removeAll { [isChanged] in isChanged[$0.chain.index] }
    for (key, loaded) in changed.chains {
      guard let chain = positions[key] else { continue }
      customers += loaded.customers.map {
        Households.ChainCustomer(chain: chain, customer: $0)
      }
    }
    customers.sort { ($0.chain, $0.customer) < ($1.chain, $1.customer) }
  }

  /// Finds the chain that claims each transaction id in the changed chains and reports.
  private static func claims(_ changed: LoadedChains, _ known: [TransactionID: [ChainKey]])
    throws(FullRunReason) -> [TransactionID: ChainKey]
  {
    var claims = known.compactMapValues(\.first)
    for (key, loaded) in changed.chains {
      for (id, _) in loaded.claims {
        guard known[id, default: []].allSatisfy({ $0 == key }), claims[id] ?? key == key else {
          throw .contestedID
        }
        claims[id] = key
      }
    }
    return claims
  }

  private mutating func join(_ changed: LoadedChains) {
    var accounts = DisjointSets(count: chains.count)
    for (number, chain) in chains.enumerated() where chain.account != chain.key {
      accounts.join(positions[chain.account] ?? ChainPosition(number), ChainPosition(number))
    }
    var first: [Int64: ChainPosition] = [:]
    for seen in changed.responses {
      guard let chain = positions[seen.chain] else { continue }
      let response = Int64(seen.file) << 32 | Int64(seen.ordinal)
      if let other = first[response] {
        accounts.join(other, chain)
      } else {
        first[response] = chain
      }
    }
    for number in chains.indices {
      chains[number].account = chains[accounts.root(of: ChainPosition(number)).index].key
    }
    let durable = chains.map(\.isDurable)
    households = Households(accounts: accounts, customers: customers) { durable[$0.index] }
  }

  /// The household of a chain; `nil` for a sandbox chain.
  func household(ofChain chain: ChainPosition) -> HouseholdNumber? {
    chains[chain.index].isSandbox ? nil : households.household(ofChain: chain)
  }

  /// Returns the household of a customer who sent a report; `nil` for a placeholder id.
  ///
  /// A customer without a chain gets a new household.
  mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    households.household(ofReporter: customer)
  }

  /// The household of the chain with a key; `nil` for a sandbox chain.
  func household(of key: ChainKey) -> HouseholdNumber? {
    positions[key].flatMap(household(ofChain:))
  }

  /// Returns true if an amount of a chain depends on Apple's charges of days after the row's day.
  func dependsOnLaterCharges(_ key: ChainKey) -> Bool {
    positions[key].map { chains[$0.index].dependsOnLaterCharges } ?? false
  }

  /// Returns true if a chain belongs to Apple's sandbox.
  func isSandbox(_ key: ChainKey) -> Bool {
    positions[key].map { chains[$0.index].isSandbox } ?? false
  }

  /// The chain that claims a transaction id.
  ///
  /// Known only for the ids in changed chains and reports; `nil` for all others.
  func chain(claiming id: TransactionID) -> ChainKey? { claims[id] }

  /// The customer ids in records that contain a chain.
  func customers(of chain: ChainPosition) -> [CustomerID] {
    let first = customers.firstPosition { $0.chain >= chain }
    return customers[first...].prefix { $0.chain == chain }.map(\.customer)
  }

  /// Stores the results of deciding a chain that the next run needs.
  ///
  /// They are two values:
  /// - the time of the chain's next change without new data, such as the end of a trial,
  /// - whether an amount of the chain depends on Apple's charges after the row's day.
  mutating func note(_ result: DecidingPass.Result, of chain: ChainPosition) {
    let key = chains[chain.index].key
    chains[chain.index].nextChangeAt = result.nextChanges[key]
    chains[chain.index].dependsOnLaterCharges = result.onLaterCharges.contains(key)
  }
}

extension PublishedIndex {
  /// Empties the chains and customers of the index, after an incremental run has received them.
  ///
  /// Otherwise the run would copy the arrays when it changes them.
  fileprivate mutating func forgetChains() { (chains, customers) = ([], []) }
}
