internal import CivilTime
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The chains, households and transaction ids of all publications, brought up to date by the chains
/// that have news.
struct NightChains {
  private(set) var chains: [PublishedIndex.Chain]
  private(set) var customers: [Households.ChainCustomer]
  private(set) var claims: [PublishedIndex.Claim]
  private(set) var households = Households()
  private(set) var positions: [ChainKey: ChainPosition]
  /// By chain: whether it has news.
  private(set) var isNews: [Bool]

  /// Takes the chains out of an index, and news in.
  ///
  /// - Throws: ``FullReason`` if the news changes something that only a full run can settle.
  init(_ index: inout PublishedIndex, _ news: LoadedChains) throws(FullReason) {
    chains = index.chains
    customers = index.customers
    claims = index.claims
    index.forgetChains()
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
            key: key, account: ChainPosition(chains.count), isSandbox: loaded.unit.isSandbox,
            isStanding: loaded.isStanding, nextChangeAt: .distantFuture))
      }
    }
    isNews = Array(repeating: false, count: chains.count)
    for key in news.chains.keys {
      if let chain = positions[key] { isNews[chain.index] = true }
    }
    addCustomers(news)
    guard addClaims(news) else { throw .contestedID }
    join(news)
    guard households.nobodies.map(\.customer) == index.nobodies.map(\.customer) else {
      throw .nobodies
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

  /// Brings the claims up to date; `false` where a chain with news and another claim one id.
  private mutating func addClaims(_ news: LoadedChains) -> Bool {
    var new: [PublishedIndex.Claim] = []
    for (key, loaded) in news.chains {
      guard let chain = positions[key] else { continue }
      new += loaded.claims.map { PublishedIndex.Claim(id: $0.id, chain: chain) }
    }
    new.sort { ($0.id, $0.chain) < ($1.id, $1.chain) }
    claims.removeAll { [isNews] in isNews[$0.chain.index] }
    var old = claims.count
    claims += new
    var place = claims.count
    while let last = new.last {
      place -= 1
      if old > 0, (last.id, last.chain) < (claims[old - 1].id, claims[old - 1].chain) {
        old -= 1
        claims[place] = claims[old]
      } else {
        claims[place] = new.removeLast()
      }
    }
    for place in claims.indices.dropFirst() where claims[place - 1].id == claims[place].id {
      if isNews[claims[place - 1].chain.index] || isNews[claims[place].chain.index] { return false }
    }
    return true
  }

  private mutating func join(_ news: LoadedChains) {
    var accounts = DisjointSets(count: chains.count)
    for (number, chain) in chains.enumerated() where chain.account.index != number {
      accounts.join(chain.account, ChainPosition(number))
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
      chains[number].account = accounts.root(of: ChainPosition(number))
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

  /// The chain that an id leads to; `nil` for an unclaimed id, and the first of several.
  func chain(claiming id: TransactionID) -> ChainPosition? {
    var (low, high) = (0, claims.count)
    while low < high {
      let middle = (low + high) / 2
      if claims[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < claims.count && claims[low].id == id ? claims[low].chain : nil
  }

  /// Notes when time alone changes a chain's rows.
  mutating func setNextChange(_ moment: Instant?, of chain: ChainPosition) {
    chains[chain.index].nextChangeAt = moment ?? .distantFuture
  }
}

extension PublishedIndex {
  /// Forgets what a night has taken over, so that it is held once.
  fileprivate mutating func forgetChains() { (chains, customers, claims) = ([], [], []) }
}
