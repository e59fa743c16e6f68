internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// A chain in a production response.
struct ChainEncounter: Hashable, Sendable {
  /// The response: its file in the upper, its number in the file in the lower half.
  var record: UInt64
  var chain: OriginalTransactionID
}

/// A customer whom production records with a chain name, and the newest time one of them does.
struct CustomerEncounter: Hashable, Sendable {
  var chain: OriginalTransactionID
  var customer: CustomerID
  /// Of the newest such record.
  var age: Int64
}

/// What production records say of chains that belong together: what households are made from.
struct Encounters: Sendable {
  private(set) var chains: [ChainEncounter] = []
  private(set) var customers: [CustomerEncounter] = []

  /// No encounters.
  init() {}

  /// Gathers the encounters of some records; the rows and renewal states of a chain may come in
  /// several turns.
  init(_ set: SightingSet) {
    for sighting in set.sightings {
      see(sighting.originalTransactionID, set.records[Int(sighting.record)], hasRow: true)
    }
    for renewal in set.renewals {
      see(renewal.originalTransactionID, set.records[Int(renewal.record)], hasRow: false)
    }
    customers = Self.newest(customers)
  }

  /// Adds what other records say.
  mutating func add(_ other: Encounters) {
    chains += other.chains
    customers += other.customers
  }

  /// Each customer of each chain once, by chain, then customer.
  mutating func settle() { customers = Self.newest(customers) }

  private mutating func see(
    _ chain: OriginalTransactionID, _ record: ReceiptRecord, hasRow: Bool
  ) {
    guard !record.isSandbox else { return }
    let encounter = ChainEncounter(record: record.identity, chain: chain)
    if chains.last != encounter { chains.append(encounter) }
    // A renewal state alone makes nobody a chain's customer.
    guard hasRow, let customer = record.customer else { return }
    let age = ageOf(record.snapshotAt)
    if let last = customers.last, last.chain == chain, last.customer == customer {
      customers[customers.count - 1].age = max(last.age, age)
    } else {
      customers.append(CustomerEncounter(chain: chain, customer: customer, age: age))
    }
  }

  private static func newest(_ all: [CustomerEncounter]) -> [CustomerEncounter] {
    let sorted = all.sorted {
      ($0.chain, $0.customer, $1.age) < ($1.chain, $1.customer, $0.age)
    }
    var newest: [CustomerEncounter] = []
    for encounter in sorted
    where newest.last.map({ $0.chain != encounter.chain || $0.customer != encounter.customer })
      ?? true
    {
      newest.append(encounter)
    }
    return newest
  }
}

extension ReceiptRecord {
  /// What tells the record's response from all others: its file and its first record's number there.
  fileprivate var identity: UInt64 {
    UInt64(UInt32(bitPattern: source.file)) << 32
      | UInt64(UInt32(bitPattern: ordinal - indexInResponse))
  }
}
