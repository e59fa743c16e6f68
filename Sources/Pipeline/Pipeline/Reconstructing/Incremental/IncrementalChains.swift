internal import CivilTime
internal import Parallel
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The chains and households of the last publication, brought up to date by the chains that have
/// news.
struct IncrementalChains {
  private(set) var chains: [PublishedIndex.Chain]
  private(set) var customers: [Households.ChainCustomer]
  /// Of the ids that news speaks of: the chain they lead to; of several, the first.
  private let claims: [TransactionID: ChainKey]
  private(set) var households = Households()
  private(set) var positions: [ChainKey: ChainPosition]
  /// By chain: whether it has news.
  private(set) var isNews: [Bool]

  /// Takes the chains out of an index, and news in.
  ///
  /// - Parameters:
  ///   - index: What the last publication wrote.
  ///   - news: The chains with news.
  ///   - known: The chains that claimed the ids in the news until now.
  /// - Throws: ``FullRunReason`` if the news changes something that only a full run can settle.
  init(
    _ index: inout PublishedIndex, _ news: LoadedChains, known: [TransactionID: [ChainKey]]
  ) throws(FullRunReason) {
    chains = index.chains
    customers = index.customers
    index.forgetChains()
    claims = try Self.claims(news, known)
    positions = Dictionary(
      chains.indices.lazy.map { [chains] in (chains[$0].key, ChainPosition($0)) },
      uniquingKeysWith: min)
    chains.reserveCapacity(chains.count + news.chains.count)
    guard positions.count == chains.count, !news.hasClash else { throw .contestedID }
    for (key, loaded) in news.chains.sorted(by: { $0.key < $1.key }) {
      if let known = positions[key] {
        chains[known.index].isStanding = loaded.isStanding
      } else {
        positions[key] = ChainPosition(chains.count)
        chains.append(
          PublishedIndex.Chain(
            key: key, account: key, isSandbox: loaded.unit.isSandbox,
            isStanding: loaded.isStanding, nextChangeAt: nil))
      }
    }
    isNews = Array(repeating: false, count: chains.count)
    for key in news.chains.keys {
      if let chain = positions[key] { isNews[chain.index] = true }
    }
    addCustomers(news)
    join(news)
    guard Set(households.placeholderIDs.map(\.customer)) == index.sums.placeholderIDs else {
      throw .placeholderIDs
    }
  }

  private mutating func addCustomers(_ news: LoadedChains) {
    customers.removeAll { [isNews] in isNews[$0.chain.index] }
    for (key, loaded) in news.chains {
      guard let chain = positions[key] else { continue }
      customers += loaded.customers.map {
        Households.ChainCustomer(chain: chain, customer: $0)
      }
    }
    customers.sort { ($0.chain, $0.customer) < ($1.chain, $1.customer) }
  }

  /// The chain that each id in the news leads to.
  ///
  /// - Throws: ``FullRunReason`` where a chain with news and another claim one id.
  private static func claims(_ news: LoadedChains, _ known: [TransactionID: [ChainKey]])
    throws(FullRunReason) -> [TransactionID: ChainKey]
  {
    var claims = known.compactMapValues(\.first)
    for (key, loaded) in news.chains {
      for (id, _) in loaded.claims {
        guard known[id, default: []].allSatisfy({ $0 == key }), claims[id] ?? key == key else {
          throw .contestedID
        }
        claims[id] = key
      }
    }
    return claims
  }

  private mutating func join(_ news: LoadedChains) {
    var accounts = DisjointSets(count: chains.count)
    for (number, chain) in chains.enumerated() where chain.account != chain.key {
      accounts.join(positions[chain.account] ?? ChainPosition(number), ChainPosition(number))
    }
    var first: [Int64: ChainPosition] = [:]
    for seen in news.responses {
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
    let standing = chains.map(\.isStanding)
    households = Households(accounts: accounts, customers: customers) { standing[$0.index] }
  }

  /// The household of a chain; `nil` in the sandbox.
  func household(ofChain chain: ChainPosition) -> HouseholdNumber? {
    chains[chain.index].isSandbox ? nil : households.household(ofChain: chain)
  }

  /// The household of a customer who reports; a new one for a customer without a chain.
  mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    households.household(ofReporter: customer)
  }

  /// The household of a chain, by its key; `nil` in the sandbox.
  func household(of key: ChainKey) -> HouseholdNumber? {
    positions[key].flatMap(household(ofChain:))
  }

  /// Whether a chain lives in Apple's sandbox.
  func isSandbox(_ key: ChainKey) -> Bool {
    positions[key].map { chains[$0.index].isSandbox } ?? false
  }

  /// The chain that an id in the news leads to; `nil` for an unclaimed id.
  func chain(claiming id: TransactionID) -> ChainKey? { claims[id] }

  /// The customers whom records with a chain name.
  func customers(of chain: ChainPosition) -> [CustomerID] {
    let first = customers.firstPosition { $0.chain >= chain }
    return customers[first...].prefix { $0.chain == chain }.map(\.customer)
  }

  /// Notes when the passage of time changes a chain's rows.
  mutating func setNextChange(_ moment: Instant?, of chain: ChainPosition) {
    chains[chain.index].nextChangeAt = moment
  }
}

extension PublishedIndex {
  /// Forgets what an incremental run has taken over, so that it is held once.
  fileprivate mutating func forgetChains() { (chains, customers) = ([], []) }
}
