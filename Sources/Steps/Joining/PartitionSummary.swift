public import PurchaseModel
public import Purchases

/// The part of a merged partition that joining needs after its chains have been written.
public struct PartitionSummary: Sendable {
  /// By chain: whether it lives in Apple's sandbox.
  public let isSandbox: [Bool]
  /// By chain: whether it is a subscription or a non-consumable.
  public let isStanding: [Bool]
  /// The chains that belong together according to the records.
  public private(set) var accountLinks: AccountLinks
  /// The key, keyed by chain; none for a partition that was merged elsewhere.
  public let keys: [ChainKey]
  /// The facts about products that the partition's rows show.
  public let products: ProductFacts

  /// Sums a partition up.
  public init(_ partition: MergedPartition, catalogue: Catalogue) {
    isSandbox = partition.units.map(\.isSandbox)
    keys = partition.units.map(\.key)
    isStanding = partition.standing(catalogue)
    accountLinks = partition.accountLinks
    products = ProductFacts(partition.book, catalogue: catalogue)
  }

  /// A partition that another process merged.
  ///
  /// - Parameters:
  ///   - isSandbox: By chain: whether it lives in Apple's sandbox.
  ///   - isStanding: By chain: whether it is a subscription or a non-consumable.
  ///   - accountLinks: The chains that belong together according to the records.
  public init(isSandbox: [Bool], isStanding: [Bool], accountLinks: AccountLinks) {
    self.isSandbox = isSandbox
    self.isStanding = isStanding
    self.accountLinks = accountLinks
    keys = []
    products = ProductFacts()
  }

  /// Forgets which chains belong together, once they are joined.
  public mutating func forgetAccountLinks() {
    accountLinks = AccountLinks(chains: [], customers: [])
  }
}

/// The place of a chain: the number of its partition, and its position there.
public struct ChainPlace: Hashable, BitwiseCopyable, Sendable {
  /// The partition, by its number.
  public var partition: Int
  /// The chain's position among the partition's.
  public var unit: ChainPosition

  /// Names both.
  public init(partition: Int, unit: ChainPosition) {
    self.partition = partition
    self.unit = unit
  }
}

/// The households: the chains of all partitions, joined where they belong together.
public struct JoinedChains: Sendable {
  /// The households, by the numbers of chains.
  public private(set) var households: Households
  /// The chain that represents its Apple account, keyed by chain.
  public let accounts: [ChainPosition]
  /// The customers that the records of each chain name.
  public let customers: [Households.ChainCustomer]
  private let starts: [Int]
  private let isSandbox: [Bool]

  /// Joins the chains that partition a response or a customer into households.
  ///
  /// - Parameter partitions: In the order of their numbers.
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
    let standing = partitions.flatMap(\.isStanding)
    households = Households(accounts: accounts, customers: customers) { standing[$0.index] }
  }

  /// The number of a chain among all.
  public func number(of place: ChainPlace) -> ChainPosition {
    ChainPosition(starts[place.partition] + place.unit.index)
  }

  /// The household of a chain; `nil` in the sandbox.
  public func household(of place: ChainPlace) -> HouseholdNumber? {
    let chain = number(of: place)
    return isSandbox[chain.index] ? nil : households.household(ofChain: chain)
  }

  /// The household of a customer who reports; a new one where no chain names the customer.
  public mutating func household(ofReporter customer: CustomerID) -> HouseholdNumber? {
    households.household(ofReporter: customer)
  }
}
