internal import PurchaseModel
internal import Testing
internal import TestSupport

@testable internal import Purchases

/// The history depends on the content of observations, not on their order or number.
@Suite struct MergeOrderTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `no order of records, rows and states changes the history`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let set = crowdedSet(using: &generator)
    let book = mergeObservations(set, bundleIDs: [])
    for _ in 0..<3 {
      let shuffled = shuffle(set, using: &generator)
      let other = mergeObservations(shuffled, bundleIDs: [])
      #expect(contents(book) == contents(other), "seed \(seed)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a second copy of every record changes nothing`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let set = crowdedSet(using: &generator)
    var twice = set
    for (index, record) in set.records.enumerated() {
      let copy = Int32(twice.records.count)
      twice.records.append(record)
      for var observation in set.observations where observation.record == Int32(index) {
        observation.record = copy
        twice.observations.append(observation)
      }
      for var renewal in set.renewals where renewal.record == Int32(index) {
        renewal.record = copy
        twice.renewals.append(renewal)
      }
    }
    let book = mergeObservations(set, bundleIDs: [])
    #expect(contents(book) == contents(mergeObservations(twice, bundleIDs: [])), "seed \(seed)")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `other files and lines change the sources alone`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let set = crowdedSet(using: &generator)
    var elsewhere = set
    for index in elsewhere.records.indices {
      elsewhere.records[index].source = SourceLine(
        file: Int32.random(in: 0..<9, using: &generator), line: Int32(index + 1))
    }
    func withoutSources(_ book: PurchaseHistory) -> Contents {
      var book = book
      for index in book.purchases.indices {
        book.purchases[index].source = SourceLine(file: 0, line: 0)
      }
      return contents(book)
    }
    let book = mergeObservations(set, bundleIDs: [])
    let other = mergeObservations(elsewhere, bundleIDs: [])
    #expect(withoutSources(book) == withoutSources(other), "seed \(seed)")
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `the history is in its order, and every id and row is in it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let set = crowdedSet(using: &generator)
    let book = mergeObservations(set, bundleIDs: [])
    let revenue = book.purchases.prefix(book.revenueCount)
    #expect(revenue.allSatisfy { $0.exclusion == nil }, "seed \(seed)")
    #expect(book.purchases.dropFirst(book.revenueCount).allSatisfy { $0.exclusion != nil })
    #expect(Set(book.purchases.map(\.key)).count == book.purchases.count)
    for (left, right) in zip(revenue, revenue.dropFirst())
    where left.originalTransactionID == right.originalTransactionID {
      #expect(left.purchasedAt <= right.purchasedAt, "seed \(seed)")
    }
    #expect(book.chains.reduce(0) { $0 + $1.rows.count } == book.revenueCount)
    #expect(
      book.chains.map(\.originalTransactionID)
        == Set(revenue.map(\.originalTransactionID)).sorted(), "seed \(seed)")
    #expect(
      book.aliases.map(\.transactionID) == Set(set.observations.map(\.transactionID)).sorted(),
      "seed \(seed)")
    // Every row belongs to a purchase of its own environment, and each purchase has a row.
    let forms = Set(
      set.observations.indices.map {
        LineItemJoins(set).identity(ofRow: $0, in: set)
      })
    #expect(forms.count == book.purchases.count, "seed \(seed)")
  }

  @Test func `purchases whose mixed bits agree are told apart`() throws {
    // Among 200,000 line items about 200,000² / 2 / 2³² ≈ 5 pairs have the same upper 32 bits.
    var seen: [UInt64: UInt64] = [:]
    var pair: (UInt64, UInt64)?
    for number in 1...2_000_000 as ClosedRange<UInt64> where pair == nil {
      let item = LineItemID(AppleNumber(rawValue: number))
      let chain = OriginalTransactionID(AppleNumber(rawValue: 1))
      let bits = PurchaseIdentity(lineItem: item, of: chain, isSandbox: false).mixedBits >> 32
      if let other = seen[bits] { pair = (other, number) }
      seen[bits] = number
    }
    let (first, second) = try #require(pair)
    let merged = try MergedStore { store in
      for day in ["2021-06-01", "2021-06-02"] {
        store.record(
          at: day,
          latest: [first, second].map {
            StoreRow("\($0)", of: "1", item: "\($0)", bought: "2021-05-01", until: "2021-06-01")
          })
      }
    }
    #expect(merged.ids.sorted() == ["\(first)", "\(second)"].sorted())
  }

  // MARK: Sets

  /// The same set with its arrays in another order.
  private func shuffle(_ set: Observations, using generator: inout SeededGenerator)
    -> Observations
  {
    var shuffled = set
    let order = set.records.indices.shuffled(using: &generator)
    shuffled.records = order.map { set.records[$0] }
    var places = [Int32](repeating: 0, count: order.count)
    for (place, old) in order.enumerated() { places[old] = Int32(place) }
    for index in shuffled.observations.indices {
      shuffled.observations[index].record = places[Int(set.observations[index].record)]
    }
    for index in shuffled.renewals.indices {
      shuffled.renewals[index].record = places[Int(set.renewals[index].record)]
    }
    shuffled.observations.shuffle(using: &generator)
    shuffled.renewals.shuffle(using: &generator)
    return shuffled
  }
}
