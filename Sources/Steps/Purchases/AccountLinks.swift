internal import CivilTime
internal import Parallel
public import PurchaseModel

/// The chains of each Apple account, and the chains of each customer id.
///
/// Households are formed from these links. Only production records are used.
public struct AccountLinks: Sendable {
  /// A link between a production response and one of its chains.
  public struct ChainResponse: Hashable, Sendable {
    /// The file of the response, as a position in ``Observations/files``.
    public var file: Int32
    /// The number, within the file, of the response's first record.
    public var ordinal: Int32
    /// The position of the chain in the partition.
    public var chain: ChainPosition

    /// Creates the link between a response and a chain.
    public init(file: Int32, ordinal: Int32, chain: ChainPosition) {
      self.file = file
      self.ordinal = ordinal
      self.chain = chain
    }
  }

  /// A customer id of a chain, from production records that contain a row of the chain.
  public struct Named: Hashable, BitwiseCopyable, Sendable {
    /// The position of the chain in the partition.
    public var chain: ChainPosition
    /// The customer id in the records.
    public var customer: CustomerID
    /// The recency of the newest record with the customer id; a larger value is newer.
    public var recency: Int64

    /// Creates the link between a chain and a customer.
    public init(chain: ChainPosition, customer: CustomerID, recency: Int64) {
      self.chain = chain
      self.customer = customer
      self.recency = recency
    }
  }

  /// The chains in all production responses; a chain may occur several times.
  public private(set) var chains: [ChainResponse] = []
  /// The customers of each chain, without duplicates; sorted by chain, then customer.
  public private(set) var customers: [Named] = []

  init() {}

  /// Creates links from stored lists.
  ///
  /// - Parameters:
  ///   - customers: The customers of each chain, without duplicates; sorted by chain, then
  ///     customer.
  public init(chains: [ChainResponse], customers: [Named]) {
    self.chains = chains
    self.customers = customers
  }

  /// Collects the links in production records.
  ///
  /// `position` returns the position of a chain in the partition.
  init(_ set: Observations, position: (OriginalTransactionID) -> Int) {
    var last: (id: OriginalTransactionID, chain: ChainPosition)?
    func chain(_ id: OriginalTransactionID) -> ChainPosition {
      if let last, last.id == id { return last.chain }
      let found = ChainPosition(position(id))
      last = (id, found)
      return found
    }
    for observation in set.observations {
      let record = set.records[Int(observation.record)]
      guard !record.isSandbox else { continue }
      include(chain(observation.originalTransactionID), record, hasRow: true)
    }
    for renewal in set.renewals {
      let record = set.records[Int(renewal.record)]
      guard !record.isSandbox else { continue }
      // A renewal state is not enough to assign a customer to the chain.
      include(chain(renewal.originalTransactionID), record, hasRow: false)
    }
    keepNewest()
  }

  /// The customers of a chain.
  public func customers(of chain: ChainPosition) -> ArraySlice<Named> {
    let first = customers.firstPosition { $0.chain >= chain }
    let end = customers.firstPosition(in: first..<customers.count) { $0.chain > chain }
    return customers[first..<end]
  }

  private mutating func include(_ chain: ChainPosition, _ record: ReceiptRecord, hasRow: Bool) {
    // All records of a response have the number of its first record.
    let seen = ChainResponse(
      file: record.source.file, ordinal: record.ordinal - record.indexInResponse, chain: chain)
    if chains.last != seen { chains.append(seen) }
    guard hasRow, let customer = record.customer else { return }
    let recency =
      record.isAccountToken ? Self.tokenAge(record.snapshotAt) : recencyOf(record.snapshotAt)
    if let last = customers.last, last.chain == chain, last.customer == customer {
      customers[customers.count - 1].recency = max(last.recency, recency)
    } else {
      customers.append(Named(chain: chain, customer: customer, recency: recency))
    }
  }

  /// The recency of an `appAccountToken` that is used as a customer id.
  ///
  /// It is below the recency of every customer id that an export states.
  private static func tokenAge(_ time: Instant) -> Int64 { recencyOf(time) - (1 << 60) }

  private mutating func keepNewest() {
    let sorted = customers.sorted {
      ($0.chain, $0.customer, $1.recency) < ($1.chain, $1.customer, $0.recency)
    }
    customers.removeAll(keepingCapacity: true)
    for named in sorted {
      if let last = customers.last, last.chain == named.chain, last.customer == named.customer {
        continue
      }
      customers.append(named)
    }
  }
}
