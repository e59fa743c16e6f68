internal import CivilTime
internal import Parallel
public import PurchaseModel

/// The chains that belong together according to production records: the input of forming
/// households.
public struct AccountLinks: Sendable {
  /// A chain in a production response.
  public struct Seen: Hashable, Sendable {
    /// The response's file, by its position.
    public var file: Int32
    /// The response's number in the file.
    public var ordinal: Int32
    /// The chain's position among the share's.
    public var unit: ChainPosition

    /// Creates a sight of a chain from its fields.
    public init(file: Int32, ordinal: Int32, unit: ChainPosition) {
      self.file = file
      self.ordinal = ordinal
      self.unit = unit
    }
  }

  /// A customer whom production records with a row of a chain name.
  public struct Named: Hashable, BitwiseCopyable, Sendable {
    /// The chain's position among the share's.
    public var unit: ChainPosition
    /// The customer.
    public var customer: CustomerID
    /// The time of the newest such record, as an age.
    public var age: Int64

    /// Names a customer of a chain.
    public init(unit: ChainPosition, customer: CustomerID, age: Int64) {
      self.unit = unit
      self.customer = customer
      self.age = age
    }
  }

  /// The chains of the responses; a chain may occur several times.
  public private(set) var chains: [Seen] = []
  /// Each customer of each chain once, by chain, then customer.
  public private(set) var customers: [Named] = []

  /// No encounters.
  init() {}

  /// Encounters that were gathered before.
  ///
  /// - Parameters:
  ///   - chains: The chains of the responses.
  ///   - customers: Each customer of each chain once, by chain, then customer.
  public init(chains: [Seen], customers: [Named]) {
    self.chains = chains
    self.customers = customers
  }

  /// Gathers the encounters of some records; `unit` gives a production chain's position.
  init(_ set: Observations, unit: (OriginalTransactionID) -> Int) {
    var last: (chain: OriginalTransactionID, unit: ChainPosition)?
    func position(_ chain: OriginalTransactionID) -> ChainPosition {
      if let last, last.chain == chain { return last.unit }
      let found = ChainPosition(unit(chain))
      last = (chain, found)
      return found
    }
    for observation in set.observations {
      let record = set.records[Int(observation.record)]
      guard !record.isSandbox else { continue }
      include(position(observation.originalTransactionID), record, hasRow: true)
    }
    for renewal in set.renewals {
      let record = set.records[Int(renewal.record)]
      guard !record.isSandbox else { continue }
      // A renewal state is not enough to assign a customer to the chain.
      include(position(renewal.originalTransactionID), record, hasRow: false)
    }
    keepNewest()
  }

  /// The customers of a chain, by its position.
  public func customers(of unit: ChainPosition) -> ArraySlice<Named> {
    let first = customers.firstPosition { $0.unit >= unit }
    let end = customers.firstPosition(in: first..<customers.count) { $0.unit > unit }
    return customers[first..<end]
  }

  private mutating func include(_ unit: ChainPosition, _ record: ReceiptRecord, hasRow: Bool) {
    // The records of one response have its first record's number.
    let seen = Seen(
      file: record.source.file, ordinal: record.ordinal - record.indexInResponse, unit: unit)
    if chains.last != seen { chains.append(seen) }
    guard hasRow, let customer = record.customer else { return }
    let age = record.isAccountToken ? Self.tokenAge(record.snapshotAt) : ageOf(record.snapshotAt)
    if let last = customers.last, last.unit == unit, last.customer == customer {
      customers[customers.count - 1].age = max(last.age, age)
    } else {
      customers.append(Named(unit: unit, customer: customer, age: age))
    }
  }

  /// The age of an account token: any customer whom an export names is newer.
  private static func tokenAge(_ time: Instant) -> Int64 { ageOf(time) - (1 << 60) }

  private mutating func keepNewest() {
    let sorted = customers.sorted {
      ($0.unit, $0.customer, $1.age) < ($1.unit, $1.customer, $0.age)
    }
    customers.removeAll(keepingCapacity: true)
    for named in sorted {
      if let last = customers.last, last.unit == named.unit, last.customer == named.customer {
        continue
      }
      customers.append(named)
    }
  }
}
