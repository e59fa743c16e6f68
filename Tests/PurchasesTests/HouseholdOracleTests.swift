internal import PurchaseModel
internal import Testing
internal import TestSupport

@testable internal import Purchases

/// Compares the households with a transitive closure that follows the definition.
struct HouseholdOracleTests {
  /// A record of a random store: the chains of one Apple account, and the record's customer id.
  private struct Record {
    var chains: Set<Int>
    var customer: String?
  }

  /// Chains 1 to 30; half of the records have one of few customer ids, a fifth of all have "guest".
  private static func records(seed: UInt64) -> [Record] {
    var random = SeededGenerator(seed: seed)
    return (0..<Int.random(in: 5...30, using: &random)).map { _ in
      let chains = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        Int.random(in: 1...30, using: &random)
      }
      let customer: String? =
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: "guest"
        case 3..<7: "c-\(Int.random(in: 1...6, using: &random))"
        default: nil
        }
      return Record(chains: Set(chains), customer: customer)
    }
  }

  /// Joins all sets that have a common element, until no two sets have any.
  private static func closure(_ sets: [Set<Int>]) -> Set<Set<Int>> {
    var sets = sets
    while true {
      let pair = sets.indices.lazy.flatMap { one in
        sets.indices.dropFirst(one + 1).lazy.map { (one, $0) }
      }.first { !sets[$0.0].isDisjoint(with: sets[$0.1]) }
      guard let (one, other) = pair else { return Set(sets) }
      sets[one].formUnion(sets.remove(at: other))
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `households are the closure of accounts and customers`(seed: UInt64) throws {
    let records = Self.records(seed: seed)
    let accounts = Self.closure(records.map(\.chains))
    var ofCustomers: [String: Set<Int>] = [:]
    for record in records {
      if let customer = record.customer { ofCustomers[customer, default: []] += record.chains }
    }
    let placeholderIDs = ofCustomers.filter { _, chains in
      accounts.filter { !$0.isDisjoint(with: chains) }.count > 5
    }.keys
    let expected = Self.closure(
      accounts + ofCustomers.filter { !placeholderIDs.contains($0.key) }.map(\.value))

    let merged = try MergedStore { store in
      for record in records {
        store.record(
          at: "2021-06-01", customer: record.customer,
          latest: record.chains.sorted().map {
            StoreRow("\($0)", bought: "2021-01-05", until: "2021-02-05")
          })
      }
    }
    let whole = WholeMerge(merged.store.observations)
    let found = Dictionary(grouping: Set(records.flatMap(\.chains))) { chain in
      whole.household(of: merged.store.chain("\(chain)"))
    }
    #expect(Set(found.values.map(Set.init)) == expected, "seed \(seed)")
    let symbols = merged.store.observations.symbols
    #expect(
      Set(whole.households.placeholderIDs.map { symbols.text($0.customer.symbol) })
        == Set(placeholderIDs),
      "seed \(seed)")
  }

  @Test func `the random stores have ids of nobody and of somebody`() {
    let shares = (1...100 as ClosedRange<UInt64>).map { seed in
      Self.closure(
        Self.records(seed: seed).filter { $0.customer == "guest" }.map(\.chains)
      ).count > 5
    }
    #expect(shares.contains(true) && shares.contains(false))
  }
}

extension Set {
  fileprivate static func += (left: inout Self, right: Self) { left.formUnion(right) }
}
