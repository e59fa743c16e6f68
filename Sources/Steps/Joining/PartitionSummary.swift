public import PurchaseModel
public import Purchases

/// The data of a merged partition that joining needs, without the chains themselves.
public struct PartitionSummary: Sendable {
  /// For each chain, whether it belongs to Apple's sandbox.
  public let isSandbox: [Bool]
  /// For each chain, true for a subscription or a non-consumable; always false in Apple's sandbox.
  public let isDurable: [Bool]
  /// The chains in each response, and the customer ids in the records of each chain.
  public private(set) var accountLinks: AccountLinks
  /// The key of each chain; empty if another process merged the partition.
  public let keys: [ChainKey]
  /// The facts about products, collected from the partition's rows.
  public let products: ProductFacts

  /// Creates the summary of a partition.
  public init(_ partition: MergedPartition, catalogue: Catalogue) {
    isSandbox = partition.units.map(\.isSandbox)
    keys = partition.units.map(\.key)
    isDurable = partition.durableChains(catalogue)
    accountLinks = partition.accountLinks
    products = ProductFacts(partition.book, catalogue: catalogue)
  }

  /// Creates the summary of a partition that another process merged.
  ///
  /// - Parameters:
  ///   - isDurable: For each chain, true for a subscription or a non-consumable; always false in
  ///     Apple's sandbox.
  public init(isSandbox: [Bool], isDurable: [Bool], accountLinks: AccountLinks) {
    self.isSandbox = isSandbox
    self.isDurable = isDurable
    self.accountLinks = accountLinks
    keys = []
    products = ProductFacts()
  }

  /// Frees the account links after joining.
  public mutating func forgetAccountLinks() {
    accountLinks = AccountLinks(chains: [], customers: [])
  }
}

/// The place of a chain: the number of its partition, and its position in the partition.
public struct ChainPlace: Hashable, BitwiseCopyable, Sendable {
  /// The number of the chain's partition.
  public var partition: Int
  /// The position of the chain in the partition.
  public var unit: ChainPosition

  /// Creates a place from the number of a partition and a chain's position in the partition.
  public init(partition: Int, unit: ChainPosition) {
    self.partition = partition
    self.unit = unit
  }
}

/// The chains of all partitions, joined into households by Apple account and customer.
public struct JoinedChains: Sendable {
  /// The households; they identify a chain by its number among the chains of all partitions.
  public private(set) var households: Households
  /// For each chain, the chain that represents its Apple account.
  public let accounts: [ChainPosition]
  /// The customers in the records of each chain.
  public let customers: [Households.ChainCustomer]
  private let starts: [Int]
  private let isSandbox: [Bool]

  /// Joins chains with a common response or a common customer id into households.
  ///
  /// The chains of one response belong to one Apple account.
  ///
  /// - Parameter partitions: The summaries, in the order of the partitions' numbers.
  public init(_ partitions: [PartitionSummary]) {
    var starts = [0]
    for partition in partitions {
      starts.append(starts[starts.count - 1] + partition.isSandbox.count)
    }
    self.starts = starts
    isSandbox = partitions.flatMap(\.isSandbox)
    var accounts = DisjointSets(count: isSandbox.count)
    var responses: [[ChainPosition?]] = []  // by file and number: the response's first chain
    var customers: [Households.ChainCustomer] = []
    for (number, partition) in partitions.enumerated() {
      for seen in partition.accountLinks.chains {
        let (file, ordinal) = (Int(seen.file), Int(seen.ordinal))
        while responses.count <= file { responses.append([]) }
        if responses[file].count <= ordinal {
          responses[file] += repeatElement(nil, count: ordinal + 1 - responses[file].count)
        }
        let chain = ChainPosition(starts[number] + seen.unit.index)
        if let first = responses[file][ordinal] {
          accounts.join(first, chain)
        } else {
          responses[file][ordinal] = chain
        }
      }
      customers += partition.accountLinks.customers.map {
        Households.ChainCustomer(
          chain: ChainPosition(starts[number] + $0.unit.index), customer: $0.customer)
      }
    }
    self.accounts = (0..<accounts.count).map { accounts.root(of: ChainPosition($0)) }
    self.customers = customers
    let durable = partitions.flatMap(\.isDurable)
    households = Households(accounts: accounts, customers: customers) { durable[$0.index] }
  }

  /// The number of a chain in the list of all partitions' chains.
  public func number(of place: ChainPlace) -> ChainPosition {
    ChainPosition(starts[place.partition] + place.unit.index)
  }

  /// The household of a chain; `nil` for a sandbox chain.
  public func household(of place: ChainPlace) -> HouseholdNumber? {
    let chain = number(of: place)
    return isSandbox[chain.index] ? nil : households.household(ofChain: chain)
  }

  /// Returns the household of a customer who sent a report; `nil` for a placeholder.
  ///
  /// Creates a household if no chain has the customer id.
  public mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    households.household(ofReporter: customer)
  }
}
