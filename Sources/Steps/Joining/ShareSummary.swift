public import PurchaseModel
public import Purchases

/// The part of a merged share that joining needs after its chains have been written.
public struct ShareSummary: Sendable {
  /// By chain: whether it lives in Apple's sandbox.
  public let isSandbox: [Bool]
  /// By chain: whether it is a subscription or a non-consumable.
  public let isStanding: [Bool]
  /// The chains that belong together according to the records.
  public private(set) var encounters: Encounters
  /// The key, keyed by chain; none for a share that was merged elsewhere.
  public let keys: [ChainKey]
  /// The facts about products that the share's rows show.
  public let products: ProductFacts

  /// Sums a share up.
  public init(_ share: MergedShare, catalogue: Catalogue) {
    isSandbox = share.units.map(\.isSandbox)
    keys = share.units.map(\.key)
    isStanding = share.standing(catalogue)
    encounters = share.encounters
    products = ProductFacts(share.book, catalogue: catalogue)
  }

  /// A share that another process merged.
  ///
  /// - Parameters:
  ///   - isSandbox: By chain: whether it lives in Apple's sandbox.
  ///   - isStanding: By chain: whether it is a subscription or a non-consumable.
  ///   - encounters: The chains that belong together according to the records.
  public init(isSandbox: [Bool], isStanding: [Bool], encounters: Encounters) {
    self.isSandbox = isSandbox
    self.isStanding = isStanding
    self.encounters = encounters
    keys = []
    products = ProductFacts()
  }

  /// Forgets which chains belong together, once they are joined.
  public mutating func forgetEncounters() { encounters = Encounters(chains: [], customers: []) }
}

/// The place of a chain: the number of its share, and its position there.
public struct ChainPlace: Hashable, BitwiseCopyable, Sendable {
  /// The share, by its number.
  public var share: Int
  /// The chain's position among the share's.
  public var unit: ChainPosition

  /// Names both.
  public init(share: Int, unit: ChainPosition) {
    self.share = share
    self.unit = unit
  }
}

/// The households: the chains of all shares, joined where they belong together.
public struct JoinedChains: Sendable {
  /// The households, by the numbers of chains.
  public private(set) var households: Households
  /// The chain that represents its Apple account, keyed by chain.
  public let accounts: [ChainPosition]
  /// The customers that the records of each chain name.
  public let customers: [Households.ChainCustomer]
  private let starts: [Int]
  private let isSandbox: [Bool]

  /// Joins the chains that share a response or a customer into households.
  ///
  /// - Parameter shares: In the order of their numbers.
  public init(_ shares: [ShareSummary]) {
    var starts = [0]
    for share in shares { starts.append(starts[starts.count - 1] + share.isSandbox.count) }
    self.starts = starts
    isSandbox = shares.flatMap(\.isSandbox)
    var accounts = DisjointSets(count: isSandbox.count)
    var responses: [[ChainPosition?]] = []  // by file and number: the response's first chain
    var customers: [Households.ChainCustomer] = []
    for (number, share) in shares.enumerated() {
      for seen in share.encounters.chains {
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
      customers += share.encounters.customers.map {
        Households.ChainCustomer(
          chain: ChainPosition(starts[number] + $0.unit.index), customer: $0.customer)
      }
    }
    self.accounts = (0..<accounts.count).map { accounts.root(of: ChainPosition($0)) }
    self.customers = customers
    let standing = shares.flatMap(\.isStanding)
    households = Households(accounts: accounts, customers: customers) { standing[$0.index] }
  }

  /// The number of a chain among all.
  public func number(of place: ChainPlace) -> ChainPosition {
    ChainPosition(starts[place.share] + place.unit.index)
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
