internal import CivilTime
internal import PurchaseModel
internal import Testing
internal import TestSupport

@testable internal import Purchases

/// Chains merged share by share and joined are the book of all sightings merged at once.
struct JoinedSharesTests {
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `no split into shares and no number of workers changes the book`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var set = crowdedSet(using: &generator)
    // Every other set has line items of one chain each, as real data has.
    if seed % 2 == 0 { keepLineItemsApart(&set) }
    let whole = try mergeSightings(set, bundleIDs: [])
    for workers in [1, 2, 5] {
      let split = Split(set, into: .random(in: 1...7, using: &generator))
      var book = PurchaseBook(
        joining: split.sets.map { MergedShare($0, bundleIDs: []) },
        loneStorefronts: split.loneStorefronts, symbols: set.symbols, workers: workers)
      book?.settleHouseholds(set, catalogue: Catalogue())
      if seed % 2 == 0 { #expect(book != nil, "seed \(seed)") }
      guard let book else {
        #expect(lineItemsInSeveralChains(set), "seed \(seed)")
        continue
      }
      #expect(contents(book) == contents(whole), "seed \(seed), \(workers) workers")
    }
  }

  @Test(arguments: [1, 2, 5])
  func `many chains joined by several threads keep their order`(workers: Int) throws {
    var set = SightingSet()
    let product = ProductID(set.symbols.intern("pro"))
    // 3,000 chains of four rows; every tenth row's id is claimed by the chain before too, and the
    // newer snapshot, the later record's, wins it: 1,200 ids are contested.
    for chain in 0..<3000 as Range<Int64> {
      let id = AppleNumber(rawValue: UInt64(chain * 7919 % 3000 * 10 + 1_000_000))
      set.records.append(
        ReceiptRecord(
          source: SourceLine(file: 0, line: Int32(chain + 1)), ordinal: Int32(chain),
          snapshotAt: Instant(milliseconds: 1_600_000_000_000 + chain), customer: nil,
          storefront: storefront(chain % 2 == 0 ? "USA" : "POL"), bundle: nil,
          isSandbox: chain % 50 == 49))
      for row in 0..<4 as Range<Int64> {
        let number = chain * 4 + row
        let shared = number % 10 == 0 && chain > 0 ? number - 4 : number
        var sighting = PurchaseSighting(
          record: Int32(chain), rank: .latest,
          transactionID: TransactionID(AppleNumber(rawValue: UInt64(shared + 5_000_000))),
          originalTransactionID: OriginalTransactionID(id), productID: product,
          purchasedAt: Instant(milliseconds: 1_500_000_000_000 + row * 2_592_000_000))
        sighting.lineItemID = LineItemID(AppleNumber(rawValue: UInt64(number + 9_000_000)))
        sighting.expiresAt = sighting.purchasedAt.advanced(by: .days(30))
        sighting.isTrialPeriod = row == 0  // so every chain begins with an offer period
        set.sightings.append(sighting)
      }
    }
    let whole = try mergeSightings(set, bundleIDs: [])
    let split = Split(set, into: 37)
    var book = try #require(
      PurchaseBook(
        joining: split.sets.map { MergedShare($0, bundleIDs: []) },
        symbols: set.symbols, workers: workers))
    book.settleHouseholds(set, catalogue: Catalogue())
    #expect(book.purchases.count == 12_000)
    #expect(book.contestedAliases == whole.contestedAliases && book.contestedAliases > 1000)
    #expect(contents(book) == contents(whole))
    let catalogue = Catalogue()
    let courses = Purchases.courses(of: book, catalogue: catalogue, workers: workers)
    let alone = Purchases.courses(of: whole, catalogue: catalogue)
    #expect(courses.rows == alone.rows)
    #expect(courses.offerPeriods == alone.offerPeriods)
    #expect(courses.productPeriods == alone.productPeriods)
  }

  @Test func `a line item under two original ids is noticed wherever its shares are`() throws {
    let merged = try MergedStore { store in
      for (day, chain) in [("2021-06-01", "1"), ("2021-06-02", "2")] {
        store.record(
          at: day,
          latest: [StoreRow("9", of: chain, item: "7", bought: "2021-05-01", until: "2021-06-01")])
      }
    }
    let split = Split(merged.store.sightings, into: 64)
    #expect(split.sets.count { !$0.sightings.isEmpty } == 2)
    let shares = split.sets.map { MergedShare($0, bundleIDs: []) }
    let symbols = merged.store.sightings.symbols
    #expect(PurchaseBook(joining: shares, symbols: symbols, workers: 2) == nil)
    #expect(merged.book.purchases.count == 1)
  }

  /// Gives every row with a line item one of its chain's own.
  private func keepLineItemsApart(_ set: inout SightingSet) {
    for index in set.sightings.indices {
      guard let item = set.sightings[index].lineItemID else { continue }
      let chain = set.sightings[index].originalTransactionID.number.rawValue
      set.sightings[index].lineItemID = LineItemID(
        AppleNumber(rawValue: item.number.rawValue + chain * 100))
    }
  }

  private func lineItemsInSeveralChains(_ set: SightingSet) -> Bool {
    var chains: [PurchaseIdentity: Set<OriginalTransactionID>] = [:]
    for sighting in set.sightings {
      guard let item = sighting.lineItemID else { continue }
      let identity = PurchaseIdentity(
        lineItem: item, isSandbox: set.records[Int(sighting.record)].isSandbox)
      chains[identity, default: []].insert(sighting.originalTransactionID)
    }
    return chains.values.contains { $0.count > 1 }
  }
}

/// A set split into shares of whole chains, as state.db splits them: a record of several chains
/// stands in the share of each, as often as it has one.
private struct Split {
  var sets: [SightingSet]
  var loneStorefronts: [StorefrontSighting] = []

  init(_ set: SightingSet, into count: Int) {
    var empty = SightingSet()
    empty.symbols = set.symbols
    sets = Array(repeating: empty, count: count)
    var copies: [[UInt64: Int32]] = Array(repeating: [:], count: set.records.count)
    func place(_ chain: OriginalTransactionID, _ record: Int32) -> (share: Int, record: Int32) {
      let isSandbox = set.records[Int(record)].isSandbox
      let key = mixed(chain.number.rawValue ^ (isSandbox ? 1 << 60 : 0))
      let share = Int(key % UInt64(count))
      if let known = copies[Int(record)][key] { return (share, known) }
      sets[share].records.append(set.records[Int(record)])
      copies[Int(record)][key] = Int32(sets[share].records.count - 1)
      return (share, Int32(sets[share].records.count - 1))
    }
    for var sighting in set.sightings {
      let (share, record) = place(sighting.originalTransactionID, sighting.record)
      sighting.record = record
      sets[share].sightings.append(sighting)
    }
    for var renewal in set.renewals {
      let (share, record) = place(renewal.originalTransactionID, renewal.record)
      renewal.record = record
      sets[share].renewals.append(renewal)
    }
    let withRows = Set(set.sightings.map(\.record))
    for (index, record) in set.records.enumerated() where !withRows.contains(Int32(index)) {
      guard let storefront = record.storefront, !record.isSandbox else { continue }
      loneStorefronts.append(
        StorefrontSighting(
          observedAt: record.snapshotAt, storefront: storefront, customer: record.customer,
          originalTransactionID: nil))
    }
  }
}
