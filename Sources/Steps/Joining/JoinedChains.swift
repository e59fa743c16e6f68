public import PurchaseModel
public import Purchases

/// The place of a chain: the number of its partition, and its position in the partition.
public struct ChainPlace: Hashable, BitwiseCopyable, Sendable {
  /// The number of the chain's partition.
  public var partition: Int
  /// The position of the chain in the partition.
  public var chain: ChainPosition

  /// Creates a place from the number of a partition and a chain's position in the partition.
  public init(partition: Int, chain: ChainPosition) {
    self.partition = partition
    self.chain = chain
  }
}

/// The chains of all partitions, joined into households by Apple account and customer.
public struct JoinedChains: Sendable {
  /// The households; they identify a chain by its number among the chains of all partitions.
  public private(set) var households: Households
  /// For each chain, the chain that represents its Apple account.
  public let accounts: [ChainPosition]
  /// The customers in the records of each chain, sorted by chain within a partition.
  public let customers: [Households.ChainCustomer]
  /// The key of each chain; empty if another process merged the partitions.
  public let keys: [ChainKey]
  private let starts: [Int]
  private let isSandbox: [Bool]
  private var positions: [ChainKey: ChainPosition] = [:]

  /// A chain and the chain that represented its Apple account in an earlier run.
  public typealias KnownAccount = (chain: ChainKey, account: ChainKey)

  /// Joins chains with a common response or a common customer id into households.
  ///
  /// The chains of one response belong to one Apple account.
  ///
  /// - Parameters:
  ///   - partitions: The summaries, in the order of the partitions' numbers.
  ///   - known: Accounts that hold several chains, found in responses that are not read again.
  public init(_ partitions: [PartitionSummary], known: [KnownAccount] = []) {
    var starts = [0]
    for partition in partitions {
      starts.append(starts[starts.count - 1] + partition.isSandbox.count)
    }
    self.starts = starts
    isSandbox = partitions.flatMap(\.isSandbox)
    keys = partitions.flatMap(\.keys)
    positions.reserveCapacity(keys.count)
    for (number, key) in keys.enumerated() where positions[key] == nil {
      positions[key] = ChainPosition(number)
    }
    var accounts = DisjointSets(count: isSandbox.count)
    var customers: [Households.ChainCustomer] = []
    var responses = FirstChains()
    for (number, partition) in partitions.enumerated() {
      for seen in partition.accountLinks.chains {
        let chain = ChainPosition(starts[number] + seen.chain.index)
        if let first = responses.first(of: seen, or: chain) { accounts.join(first, chain) }
      }
      customers += partition.accountLinks.customers.map {
        Households.ChainCustomer(
          chain: ChainPosition(starts[number] + $0.chain.index), customer: $0.customer)
      }
    }
    for (chain, account) in known {
      guard let chain = positions[chain], let account = positions[account] else { continue }
      accounts.join(account, chain)
    }
    self.accounts = (0..<accounts.count).map { accounts.root(of: ChainPosition($0)) }
    self.customers = customers
    let durable = partitions.flatMap(\.isDurable)
    households = Households(accounts: accounts, customers: customers) { durable[$0.index] }
  }

  /// The number of chains.
  public var count: Int { isSandbox.count }

  /// Returns true if the receipt of a chain's Apple account was passed on.
  public func isPassedOn(_ chain: ChainPosition) -> Bool {
    households.passedOn.contains(accounts[chain.index])
  }

  /// The keys of the chains whose Apple account's receipt was passed on.
  public var passedOn: [ChainKey] {
    guard !households.passedOn.isEmpty else { return [] }
    return keys.enumerated().filter { isPassedOn(ChainPosition($0.offset)) }.map(\.element)
  }

  /// The Apple accounts whose receipts were passed on, each by the smallest key of its chains.
  public var passedOnAccounts: Set<ChainKey> {
    guard !households.passedOn.isEmpty else { return [] }
    var smallest: [ChainPosition: ChainKey] = [:]
    for (number, account) in accounts.enumerated() where households.passedOn.contains(account) {
      smallest[account] = min(smallest[account] ?? keys[number], keys[number])
    }
    return Set(smallest.values)
  }

  /// The number of a chain in the list of all partitions' chains.
  public func number(of place: ChainPlace) -> ChainPosition {
    ChainPosition(starts[place.partition] + place.chain.index)
  }

  /// The number of the chain with a key; `nil` if no partition has the chain.
  public func number(of key: ChainKey) -> ChainPosition? { positions[key] }

  /// The numbers of the last partition's chains.
  public var numbersOfLastPartition: Range<Int> {
    starts[starts.count - 2]..<starts[starts.count - 1]
  }

  /// The household of a chain; `nil` for a sandbox chain.
  public func household(of chain: ChainPosition) -> HouseholdNumber? {
    isSandbox[chain.index] ? nil : households.household(ofChain: chain)
  }

  /// The household of a chain; `nil` for a sandbox chain.
  public func household(of place: ChainPlace) -> HouseholdNumber? {
    household(of: number(of: place))
  }

  /// The household of the chain with a key; `nil` for a sandbox chain and for an unknown key.
  public func household(of key: ChainKey) -> HouseholdNumber? {
    positions[key].flatMap { household(of: $0) }
  }

  /// Returns the household of a customer who sent a report; `nil` for a placeholder.
  ///
  /// Creates a household if no chain has the customer id.
  public mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    households.household(ofReporter: customer)
  }
}

/// For each response, the first chain that was found in it.
private struct FirstChains {
  private var chains: [[ChainPosition?]] = []  // by file and number of the response

  /// Returns the first chain of a response; if there is none yet, `chain` becomes the first.
  mutating func first(of seen: AccountLinks.ChainResponse, or chain: ChainPosition)
    -> ChainPosition?
  {
    let (file, ordinal) = (Int(seen.file), Int(seen.ordinal))
    while chains.count <= file { chains.append([]) }
    if chains[file].count <= ordinal {
      chains[file] += repeatElement(nil, count: ordinal + 1 - chains[file].count)
    }
    if let first = chains[file][ordinal] { return first }
    chains[file][ordinal] = chain
    return nil
  }
}
